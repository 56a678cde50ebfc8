// Package pgtest runs a PostgreSQL server for tests: one for each test
// binary, on a free port, with a database of its own for each test. Where
// PostgreSQL is missing tests are skipped with a line that says so; under
// CI=1 they fail.
package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// User is the role that tests connect as: it owns its databases and is no
// superuser, so that row-level security holds for it.
const User = "speckl"

// A Server is a running PostgreSQL.
type Server struct {
	bin, dir string
	port     int
	account  *syscall.Credential // nil: the one that the test runs as
	count    atomic.Int64
}

// Durable makes Start's server write to disk as it would in earnest (fsync),
// which tests that kill it need and others do without.
type Durable bool

// shared is the server of this process.
var shared = sync.OnceValues(func() (*Server, error) { return start(false) })

// Main runs a binary's tests and stops its server; call it in TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if started.Load() {
		if s, err := shared(); err == nil {
			s.stop()
		}
	}
	os.Exit(code)
}

// started tells whether anybody has asked for the shared server.
var started atomic.Bool

// URL makes a database and returns its URL, for [User].
func URL(tb testing.TB) string {
	tb.Helper()
	started.Store(true)
	s, err := shared()
	if err != nil {
		missing(tb, err)
	}
	return s.URL(tb)
}

// Start runs a server of the test's own, which is stopped when it ends.
func Start(tb testing.TB, durable Durable) *Server {
	tb.Helper()
	s, err := start(durable)
	if err != nil {
		missing(tb, err)
	}
	tb.Cleanup(s.stop)
	return s
}

// errMissing: there is no PostgreSQL on this machine.
var errMissing = errors.New("PostgreSQL is not installed (apt-get install postgresql)")

func missing(tb testing.TB, err error) {
	tb.Helper()
	if ci := os.Getenv("CI"); errors.Is(err, errMissing) && ci != "1" && ci != "true" {
		tb.Skipf("skipped: %v", err)
	}
	tb.Fatal(err)
}

// start makes a cluster in a temporary folder and runs it.
func start(durable Durable) (_ *Server, err error) {
	s := &Server{}
	if s.bin, err = binaries(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "pgtest."); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(s.dir)
		}
	}()
	if os.Getuid() == 0 { // the server refuses to run as root
		if err := s.become("postgres"); err != nil {
			return nil, err
		}
	}
	if err := s.run("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return nil, err
	}
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	if err := s.Run(durable); err != nil {
		return nil, err
	}
	if err := s.psql("postgres", "create role "+User+" login"); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// Run starts the server, again after [Server.Kill]. It returns an error if it
// does not come up.
func (s *Server) Run(durable Durable) error {
	options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -p %d -k %s -c max_connections=200", s.port, s.dir)
	if !durable {
		options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
	}
	return s.run("pg_ctl", "-D", s.data(), "-w", "-l", filepath.Join(s.dir, "log"), "-o", options, "start")
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() error {
	return s.run("pg_ctl", "-D", s.data(), "-m", "immediate", "-w", "stop")
}

func (s *Server) stop() {
	_ = s.Kill()
	_ = os.RemoveAll(s.dir)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// URL makes a database on the server and returns its URL, for [User].
func (s *Server) URL(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("t%d", s.count.Add(1))
	if err := s.psql("postgres", "create database "+name+" owner "+User); err != nil {
		tb.Fatal(err)
	}
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", User, s.port, name)
}

// Super is the URL as a superuser, for whom row-level security does not hold.
func (s *Server) Super(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.port, database)
}

func (s *Server) psql(database, statement string) error {
	return s.run("psql", "-h", "127.0.0.1", "-p", strconv.Itoa(s.port), "-U", "postgres", "-d", database, "-q", "-c", statement)
}

// run runs one of PostgreSQL's programs. Its output goes to a file: a server
// that starts would keep a pipe open for ever.
func (s *Server) run(program string, args ...string) error {
	out, err := os.CreateTemp("", "pgtest-out.")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.Command(filepath.Join(s.bin, program), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = "/", out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account, Setpgid: true}
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("run %s: %w: %s", program, err, bytes.TrimSpace(said))
	}
	return nil
}

// become makes the server's folder and processes those of an account.
func (s *Server) become(name string) error {
	u, err := user.Lookup(name)
	if err != nil {
		return fmt.Errorf("%w: %w", errMissing, err)
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	s.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(s.dir, int(uid), int(gid))
}

// binaries is the folder of the newest PostgreSQL: Debian keeps them off the
// path.
func binaries() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", errMissing
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
