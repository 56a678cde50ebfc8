//go:build linux

package torture

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/speckl/speckl/internal/pgtest"
	"github.com/speckl/speckl/internal/sqlstore"
	"github.com/speckl/speckl/store"
)

// smallDisk mounts a file system of so much room. Where that is not allowed
// the test is skipped; sqlstore's own tests fill a database in another way.
func smallDisk(tb testing.TB, size string) string {
	tb.Helper()
	dir := openFolder(tb)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0777"); err != nil {
		tb.Skipf("skipped: a small disk cannot be mounted: %v", err)
	}
	tb.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			tb.Error(err)
		}
	})
	return dir
}

// fill takes what room is left on a disk, and returns how to give it back.
func fill(tb testing.TB, dir string) (free func()) {
	tb.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			tb.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(f.Name()); err != nil {
			tb.Error(err)
		}
	}
}

// TestFullDisk: SQLite's disk is full, for a while.
func TestFullDisk(t *testing.T) {
	dir := smallDisk(t, "16m")
	dsn := filepath.Join(dir, "speckl.db")
	s := openScene(t, dsn)
	before := head(t, dsn)
	on(t, s.store)
	free := fill(t, dir)
	for range 3 {
		s.fails(store.ErrFull)
	}
	s.same()
	if after := head(t, dsn); after != before {
		t.Errorf("the head is %v, was %v", after, before)
	}
	_, err := sqlstore.Open(t.Context(), filepath.Join(dir, "new.db"), sqlstore.Config{})
	s.where = "new.db"
	s.named(err, store.ErrFull)
	free()
	on(t, s.store)
	s.ends()
	look(t, filepath.Join(dir, "new.db"), func(*library) {})
}

// TestFullServerDisk: that of PostgreSQL's tables is full, for a while.
func TestFullServerDisk(t *testing.T) {
	dsn := pgtest.URL(t)
	dir := smallDisk(t, "32m")
	u, err := url.Parse(asSuperuser(t, dsn))
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	server, err := user.Lookup("postgres")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	uid, err1 := strconv.Atoi(server.Uid)
	gid, err2 := strconv.Atoi(server.Gid)
	if err := errors.Join(err1, err2, os.Chown(dir, uid, gid)); err != nil {
		t.Fatal(err)
	}
	raw(t, u.String(), "create tablespace small location '"+dir+"'", "alter database "+name+" set tablespace small")
	t.Cleanup(func() { raw(t, u.String(), "drop database "+name+" with (force)", "drop tablespace small") })

	s := openScene(t, dsn)
	free := fill(t, dir)
	for n := 0; n < 30 && s.at < len(conversation)-3; n++ { // pages have some room left
		if err := s.post(); err != nil {
			s.named(err, store.ErrFull)
			break
		}
	}
	if s.at >= len(conversation)-3 {
		t.Fatal("the disk was never full")
	}
	s.fails(store.ErrFull)
	s.same()
	free()
	s.ends()
}

// nobody's account may read what is his, and little else.
const nobody = 65534

// asNobody makes a worker run as nobody, from a copy of this program that he
// may read.
func asNobody(tb testing.TB, dir string) func(*exec.Cmd) {
	tb.Helper()
	if os.Getuid() != 0 {
		tb.Skip("skipped: only root can become nobody")
	}
	path := filepath.Join(dir, "torture.test")
	from, err := os.Open(os.Args[0])
	if err != nil {
		tb.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		tb.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close(), os.Chmod(path, 0o755)); err != nil {
		tb.Fatal(err)
	}
	return func(c *exec.Cmd) {
		c.Path = path
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// TestReadOnlyCopy: a backup can be read where nothing can be written.
func TestReadOnlyCopy(t *testing.T) {
	become := asNobody(t, openFolder(t))
	dir := openFolder(t)
	s := openScene(t, filepath.Join(t.TempDir(), "speckl.db"))
	dsn := filepath.Join(dir, "copy.db")
	if err := errors.Join(s.store.Backup(t.Context(), dsn), os.Chmod(dsn, 0o444)); err != nil {
		t.Fatal(err)
	}
	launch(t, job{Do: "look", DSN: dsn}, become).finish()
	w := launch(t, job{Do: "post", DSN: dsn}, become)
	w.end()
	if !strings.HasPrefix(w.fail, "readonly ") {
		t.Errorf("posting ends with %q", w.fail)
	}
	tells(t, w.fail, "copy.db")
}

// openFolder is a folder that everybody may look into.
func openFolder(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "torture.")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// TestPermissions: somebody works on a file, or in a folder, that is not
// his.
func TestPermissions(t *testing.T) {
	bin := openFolder(t)
	become := asNobody(t, bin)
	for _, c := range []struct {
		name         string
		file, folder os.FileMode // 0: no file
		want         string      // what posting and reading end with, "" for well
		reading      string
	}{
		{"all his", 0o666, 0o777, "", ""},
		{"read-only file", 0o444, 0o777, "readonly", ""},
		{"read-only folder", 0o666, 0o755, "readonly", "readonly"},
		{"read-only file and folder", 0o444, 0o755, "readonly", "readonly"},
		{"no file in a read-only folder", 0, 0o755, "unreachable", "unreachable"},
		{"unreadable file", 0o600, 0o777, "unreachable", "unreachable"},
		{"unreadable folder", 0o666, 0o700, "unreachable", "unreachable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := openFolder(t)
			dsn := filepath.Join(dir, "speckl.db")
			if c.file != 0 {
				s, err := sqlstore.Open(t.Context(), dsn, sqlstore.Config{})
				if err != nil {
					t.Fatal(err)
				}
				err = reading["post"](context.Background(), on(t, s).Client, turns()[:12], func(string) {})
				if err := errors.Join(err, s.Close(), os.Chmod(dsn, c.file)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(dir, c.folder); err != nil {
				t.Fatal(err)
			}
			for _, x := range []struct{ do, want string }{{"look", c.reading}, {"post", c.want}} {
				do, want := x.do, x.want
				w := launch(t, job{Do: do, DSN: dsn}, become)
				w.end()
				if word, message, _ := strings.Cut(w.fail, " "); word != want || w.done != (want == "") {
					t.Errorf("%s ends with %q, want %q", do, w.fail, want)
				} else if want != "" {
					tells(t, message, "speckl.db")
				}
			}
			if c.file != 0 && c.want != "" {
				look(t, dsn, func(l *library) { l.image().same(t, "afterwards", undisturbed(t, "post", turns()[:12])) })
			}
		})
	}
}
