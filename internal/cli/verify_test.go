package cli_test

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/cli"
	_ "modernc.org/sqlite"
)

// run runs the program and returns its exit code and both outputs.
func run(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = cli.Main(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// What somebody changes in the database behind the program's back is found,
// and the first record or row that is wrong is named.
func TestVerifyNamesWhatWasChanged(t *testing.T) {
	for _, x := range []struct{ name, statement, want string }{
		{"a turn", `update turns set content = replace(content, 'idle', 'evil') where n = 1`, `cart: broken: record 2 payload was changed`},
		{"a record", `update mutations set version = 7 where seq = 3`, `cart: broken: record 3 was changed`},
		{"a missing record", `delete from mutations where seq = 4`, `cart: broken: record 4 `},
		{"the end", `delete from mutations where seq = (select max(seq) from mutations)`, `cart: broken: record \d+ is missing; the head is record \d+`},
		{"an element", `update elements set status = 'confirmed' where n = 1`, `cart: broken: .*`},
		{"evidence", `update evidence set quote = 'something else'`, `cart: broken: element [0-9a-f-]{36} differs from what the log gives`},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			file, talk := filepath.Join(dir, "m.db"), filepath.Join(dir, "chat.txt")
			words := "Ann: The system starts in an idle state.\nBen: When the user clicks Search, it goes from idle to loading.\n"
			if err := os.WriteFile(talk, []byte(words), 0o600); err != nil {
				t.Fatal(err)
			}
			if code, _, errs := run(t, "extract", "-q", "--db", file, "--doc", "cart", talk); code != 0 {
				t.Fatal(errs)
			}
			if code, out, errs := run(t, "verify", "--db", file, "cart"); code != 0 || errs != "" {
				t.Fatal(code, out, errs)
			}
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(x.statement); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			code, out, errs := run(t, "verify", "--db", file)
			if code != 1 || errs != "" || !regexp.MustCompile("^"+x.want).MatchString(out) {
				t.Errorf("exit %d: %s%s, want %s", code, out, errs, x.want)
			}
		})
	}
}
