package torture

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/speckl/speckl"
	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/sir"
	"github.com/speckl/speckl/store"
)

// jobVariable holds the job of a test binary that is a worker.
const jobVariable = "SPECKL_TORTURE_JOB"

// job is what a worker does.
type job struct {
	// Do names an entry of doing.
	Do string
	// DSN is the database.
	DSN string
	// Turns are indexes into the conversation, in the order in which they are
	// posted; nil is all of them.
	Turns []int
	// Session is one that is posted instead of the conversation; 0 for none.
	Session int
	// Again posts each turn a second time.
	Again bool
	// Wait waits for the parent's word, once the database is open or, where
	// it is to be migrated, before.
	Wait bool
	// Busy is the store's; 0 its default.
	Busy time.Duration
}

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		os.Exit(work(text))
	}
	pgtest.Main(m)
}

// reporter writes the worker's lines: "ready", "ack TURN", "done WORDS",
// "error SENTINEL MESSAGE". A line is one write.
type reporter struct{ out io.Writer }

func (r reporter) line(words ...any) {
	if _, err := fmt.Fprintln(r.out, words...); err != nil {
		os.Exit(3) // nobody listens
	}
}

// work does a job and returns the exit code.
func work(text string) int {
	r := reporter{os.NewFile(3, "lines")}
	var j job
	err := json.Unmarshal([]byte(text), &j)
	if err == nil {
		err = doing[j.Do](context.Background(), &j, r)
	}
	if err != nil {
		r.line("error", sentinelOf(err), strings.ReplaceAll(err.Error(), "\n", "⏎"))
		return 1
	}
	r.line("done")
	return 0
}

// doing are the jobs.
var doing = map[string]func(context.Context, *job, reporter) error{
	"post":    read,
	"acts":    read,
	"ingest":  read,
	"batches": read,
	"migrate": migrate,
	"look":    lookAt,
	"hold":    hold,
}

// ready tells the parent, and waits for its word.
func (j *job) ready(r reporter) error {
	r.line("ready")
	if !j.Wait {
		return nil
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// turns are those of the job.
func (j *job) turns() []sir.Turn {
	all := turns()
	if j.Session > 0 {
		return session(j.Session)
	}
	if j.Turns == nil {
		return all
	}
	out := make([]sir.Turn, len(j.Turns))
	for i, n := range j.Turns {
		out[i] = all[n]
	}
	return out
}

// read opens the database and reads the turns into the document.
func read(ctx context.Context, j *job, r reporter) error {
	if !j.Wait {
		r.line("ready") // before there is a schema
	}
	s, err := sqlstore.Open(ctx, j.DSN, sqlstore.Config{Busy: j.Busy})
	if err != nil {
		return err
	}
	c, err := speckl.Open(speckl.Config{Store: s})
	if err != nil {
		return err
	}
	if j.Wait {
		if err := j.ready(r); err != nil {
			return err
		}
	}
	list := j.turns()
	if j.Again {
		list = slices.Repeat(list, 2)
		slices.SortStableFunc(list, func(a, b sir.Turn) int { return cmp.Compare(a.Seq, b.Seq) })
	}
	return errors.Join(reading[j.Do](ctx, c, list, func(id string) { r.line("ack", id) }), s.Close())
}

// migrate makes the schema.
func migrate(ctx context.Context, j *job, r reporter) error {
	if err := j.ready(r); err != nil {
		return err
	}
	from, to, err := sqlstore.Migrate(ctx, j.DSN, sqlstore.Config{Busy: j.Busy})
	if err == nil {
		r.line("migrated", from, to)
	}
	return err
}

// lookAt reads the document.
func lookAt(ctx context.Context, j *job, _ reporter) error {
	s, err := sqlstore.Open(ctx, j.DSN, sqlstore.Config{Busy: j.Busy})
	if err != nil {
		return err
	}
	c, err := speckl.Open(speckl.Config{Store: s})
	if err == nil {
		_, err = c.Verify(ctx, docName)
	}
	return errors.Join(err, s.Close())
}

// hold locks the database, or the document where rows can be locked, as a
// program does that knows nothing of ours.
func hold(ctx context.Context, j *job, r reporter) error {
	driver, lock := "sqlite", "begin exclusive"
	if strings.HasPrefix(j.DSN, "postgres:") {
		driver, lock = "pgx", "begin; select from documents for update"
	}
	db, err := sql.Open(driver, j.DSN)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, lock); err != nil {
		return err
	}
	if err := j.ready(r); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "rollback")
	return errors.Join(err, db.Close())
}

// sentinels are the errors that a user may be told.
var sentinels = map[string]error{
	"busy": store.ErrBusy, "full": store.ErrFull, "readonly": store.ErrReadOnly, "corrupt": store.ErrCorrupt,
	"newer": store.ErrNewer, "unreachable": store.ErrUnreachable, "notfound": store.ErrNotFound, "exists": store.ErrExists,
	"broken": store.ErrBroken, "stale": store.ErrStale, "done": store.ErrDone, "order": store.ErrOrder, "turn": store.ErrTurn,
}

func sentinelOf(err error) string {
	for name, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			return name
		}
	}
	return "unnamed"
}

// worker is a running process with a job.
type worker struct {
	tb     testing.TB
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	word   io.Closer // its standard input
	stderr bytes.Buffer

	acks []string
	fail string // its "error" line, without that word
	done bool
	said []string // all lines
}

// launch starts a worker. become changes how, where that is not nil.
func launch(tb testing.TB, j job, become func(*exec.Cmd)) *worker {
	tb.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		tb.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		tb.Fatal(err)
	}
	w := &worker{tb: tb, cmd: exec.Command(os.Args[0], "-test.run=^$"), lines: bufio.NewScanner(read)}
	w.cmd.Env = append(os.Environ(), jobVariable+"="+string(text))
	w.cmd.ExtraFiles, w.cmd.Stderr = []*os.File{write}, &w.stderr
	if w.word, err = w.cmd.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	if become != nil {
		become(w.cmd)
	}
	err = w.cmd.Start()
	_ = write.Close()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = w.word.Close()
		_ = w.cmd.Process.Kill()
		_ = w.cmd.Wait()
		_ = read.Close()
	})
	return w
}

// next reads a line; false once the worker has ended.
func (w *worker) next() bool {
	if !w.lines.Scan() {
		return false
	}
	line := w.lines.Text()
	w.said = append(w.said, line)
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "ack":
		w.acks = append(w.acks, rest)
	case "error":
		w.fail = rest
	case "done":
		w.done = true
	}
	return true
}

// until reads lines until one begins with the words.
func (w *worker) until(words string) {
	w.tb.Helper()
	for w.next() {
		if strings.HasPrefix(w.said[len(w.said)-1], words) {
			return
		}
	}
	w.tb.Fatalf("the worker ended before it said %q: %v\n%s", words, w.said, w.stderr.String())
}

// kill ends the worker at once and reads what it had said before.
func (w *worker) kill() {
	w.tb.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		w.tb.Fatal(err)
	}
	for w.next() {
	}
	_ = w.cmd.Wait()
}

// finish waits until the worker has ended by itself, as it should.
func (w *worker) finish() *worker {
	w.tb.Helper()
	w.end()
	if !w.done || w.fail != "" {
		w.tb.Fatalf("a worker has failed: %s\n%s", w.fail, w.stderr.String())
	}
	return w
}

// end waits until the worker has ended, in whatever way.
func (w *worker) end() {
	for w.next() {
	}
	_ = w.cmd.Wait()
}
