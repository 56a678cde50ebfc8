package sqlstore_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// TestRedacted: whatever is meant as a DSN shows no password.
func TestRedacted(t *testing.T) {
	for dsn, want := range map[string]string{
		"talks.db":                               "talks.db",
		"/var/lib/speckl: the talks/@home.db":    "/var/lib/speckl: the talks/@home.db",
		"postgres://ann@db/talks":                "postgres://ann@db/talks",
		"postgres://db:5432/talks":               "postgres://db:5432/talks",
		"postgres://ann:s3cret@db:5432/talks":    "postgres://ann:xxxxx@db:5432/talks",
		"postgers://ann:s3cret@db/talks":         "postgers://ann:xxxxx@db/talks",
		"POSTGRES://ann:s3cret@db/talks":         "POSTGRES://ann:xxxxx@db/talks",
		"postgres://ann:s3c/ret@x:y@db/talks":    "postgres://ann:xxxxx@db/talks",
		"postgres://ann:s3%zzcret@db/talks":      "postgres://ann:xxxxx@db/talks",
		"postgres://ann:s3 cret@[::1/talks":      "postgres://ann:xxxxx@[::1/talks",
		"postgres://:s3cret@db/talks":            "postgres://:xxxxx@db/talks",
		"postgres://db/talks?password=s3cret&a=": "postgres://db/talks?password=xxxxx&a=",
		"postgres:///t?sslpassword=s3cret":       "postgres:///t?sslpassword=xxxxx",
		"host=db user=ann password=s3cret":       "host=db user=ann password=xxxxx",
		"host=db PASSWORD = s3cret user=ann":     "host=db PASSWORD = xxxxx user=ann",
	} {
		if got := sqlstore.Redacted(dsn); got != want {
			t.Errorf("%s is shown as %s, want %s", dsn, got, want)
		}
	}
}

// TestMistypedDSN: a URL of no kind that we know is not a file, and is told
// without its password; a server that is not there is not a missing file.
func TestMistypedDSN(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgers://ann:s3cret@db/talks":            `there is no kind of database "postgers": name a file, or a postgres:// URL`,
		"mysql://ann:s3cret@db/talks":               `there is no kind of database "mysql"`,
		"POSTGRES://ann:s3cret@127.0.0.1:1/talks":   "check the URL and the server",
		"Postgresql://ann:s3cret@127.0.0.1:1/talks": "check the URL and the server",
		"postgres:///talks?host=/nowhere":           "check the URL and the server",
		"none/ann:s3cret?password=s3cret/talks.db":  "there is no folder none/ann:s3cret",
	} {
		_, err := sqlstore.Open(t.Context(), dsn, sqlstore.Config{})
		if !errors.Is(err, store.ErrUnreachable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", dsn, err, want)
		}
		if errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, which is taken for a file that somebody named", dsn, err)
		}
		if strings.Contains(err.Error(), "password=s3cret") || strings.Contains(err.Error(), "ann:s3cret@") {
			t.Errorf("%s: the error shows the password: %v", dsn, err)
		}
	}
}
