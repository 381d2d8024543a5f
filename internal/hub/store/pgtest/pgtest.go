// Package pgtest starts a throw-away PostgreSQL for tests: a real server, with
// data that can be lost, on a socket and on a loopback port of its own.
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is one PostgreSQL.
type Server struct {
	dir      string
	bin      string
	port     int
	password string
	settings []string

	mu   sync.Mutex
	run  *process // nil: stopped
	made int      // databases
}

// process is a server that runs, and what it says.
type process struct {
	cmd   *exec.Cmd
	said  bytes.Buffer
	ended chan struct{}
}

// Main runs the tests of a package with one server for all of them, which
// starts when the first test wants it. TestMain calls it with the tests' Run.
func Main(run func() int, shared **Server) int {
	*shared = &Server{}
	defer (*shared).remove()
	return run()
}

// Start starts a server that ends with the test. Settings are lines of
// postgresql.conf, "fsync = on" for one: by default nothing waits for the disk.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s := &Server{settings: settings}
	t.Cleanup(s.remove)
	s.need(t)
	return s
}

// Database makes an empty database, and returns its address over TCP, with a
// password in it.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.need(t)
	s.mu.Lock()
	s.made++
	name := "t" + strconv.Itoa(s.made)
	s.mu.Unlock()
	s.Exec(t, "", "CREATE DATABASE "+name)
	return s.Address(name)
}

// Address is how a database is reached over TCP.
func (s *Server) Address(database string) string {
	return fmt.Sprintf("postgres://nod:%s@127.0.0.1:%d/%s?sslmode=disable", s.password, s.port, database)
}

// Port is where it listens on 127.0.0.1.
func (s *Server) Port() int { return s.port }

// Exec runs SQL as the superuser; the empty name is the maintenance database.
func (s *Server) Exec(t testing.TB, database, sql string) {
	t.Helper()
	if database == "" {
		database = "postgres"
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	c, err := pgx.Connect(ctx, s.Address(database))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	if _, err := c.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// need makes the cluster and starts it, once.
func (s *Server) need(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return
	}
	bin := find()
	if bin == "" {
		lacking(t, "PostgreSQL is not installed")
	}
	if err := s.create(bin); err != nil {
		t.Fatal(err)
	}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// find is where the programs of PostgreSQL are: Debian keeps them out of PATH.
func find() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(dirs) == 0 {
		return ""
	}
	slices.Sort(dirs)
	return filepath.Dir(dirs[len(dirs)-1])
}

// lacking skips on a laptop and fails in CI, where a silent skip would look like a pass.
func lacking(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("NOD_E2E_REQUIRE") == "1" {
		t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
	}
	t.Skip(reason)
}

func (s *Server) create(bin string) (err error) {
	if s.dir, err = os.MkdirTemp("", "nod-pg-"); err != nil {
		return err
	}
	s.bin, s.password = bin, rand.Text()
	if s.port, err = freePort(); err != nil {
		return err
	}
	secret := filepath.Join(s.dir, "password")
	if err := os.WriteFile(secret, []byte(s.password), 0o600); err != nil {
		return err
	}
	if err := own(s.dir, secret); err != nil {
		return err
	}
	data := filepath.Join(s.dir, "data")
	cmd := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "nod", "--pwfile", secret, "-A", "scram-sha-256", "-E", "UTF8", "--locale=C", "--no-sync")
	cmd.Dir, cmd.Env = s.dir, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
	unprivileged(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	lines := append([]string{
		"listen_addresses = '127.0.0.1'", fmt.Sprintf("port = %d", s.port), fmt.Sprintf("unix_socket_directories = '%s'", s.dir),
		"fsync = off", "max_connections = 60", "shared_buffers = 32MB", "autovacuum = off",
	}, s.settings...)
	f, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	return errors.Join(err, f.Close())
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Start starts it again after Stop.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
}

// Stop ends it: SIGINT tells everybody, SIGQUIT is as good as a crash.
func (s *Server) Stop(t testing.TB, how syscall.Signal) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil {
		return
	}
	if err := s.stop(how); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) start() error {
	p := &process{ended: make(chan struct{})}
	p.cmd = exec.Command(filepath.Join(s.bin, "postgres"), "-D", filepath.Join(s.dir, "data"))
	p.cmd.Dir, p.cmd.Env = s.dir, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	unprivileged(p.cmd)
	if err := begin(p.cmd, p.ended); err != nil {
		return err
	}
	s.run = p
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	for {
		c, err := pgx.Connect(ctx, s.Address("postgres"))
		if err == nil {
			return c.Close(ctx)
		}
		select {
		case <-p.ended:
			return fmt.Errorf("postgres ended: %s", p.said.String())
		case <-ctx.Done():
			return fmt.Errorf("postgres does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) stop(how syscall.Signal) error {
	p := s.run
	s.run = nil
	if err := p.cmd.Process.Signal(how); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.ended:
		return nil
	case <-time.After(20 * time.Second):
		return errors.Join(errors.New("postgres does not end"), p.cmd.Process.Kill())
	}
}

// remove ends the server, and leaves nothing behind.
func (s *Server) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run != nil {
		_ = s.stop(syscall.SIGQUIT)
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}
