package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/pgtest"
	"nod/internal/hub/store/storetest"
)

// A restart of a second does not fail what has not been sent yet.
func TestShortRestartIsBridged(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	s := openedWith(t, own.Database(t), limits{wait: 20 * time.Second, statement: 20 * time.Second})
	var c storetest.Chain
	grow(t, s, &c, 1)
	own.Stop(t, syscall.SIGINT)
	s.writer.Reset() // it knows by now that its connection is gone
	begun := make(chan struct{})
	var all errgroup.Group
	all.Go(func() error {
		close(begun)
		return s.Append(t.Context(), 1, c.Notes(t, 1))
	})
	all.Go(func() error { _, err := s.Read(t.Context(), 0, 1); return err })
	<-begun
	own.Start(t)
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}

// What was acknowledged is there after PostgreSQL was stopped and killed in
// the middle of it, and what was not acknowledged is whole or absent.
func TestPostgreSQLIsRestartedUnderLoad(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	address := own.Database(t)
	const writers, each = 3, 150
	acknowledged := make([][]string, writers)
	var all errgroup.Group
	half := make(chan struct{}, writers*each)
	for i := range writers {
		s := opened(t, address)
		all.Go(func() error {
			for n := range each {
				note := fmt.Sprintf("writer %d, event %d", i, n)
				if err := surely(t, s, note); err != nil {
					return err
				}
				acknowledged[i] = append(acknowledged[i], note)
				half <- struct{}{}
			}
			return nil
		})
	}
	for _, how := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGQUIT} {
		for range 60 {
			<-half
		}
		own.Stop(t, how)
		own.Start(t)
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, address)
	if _, _, err := s.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for after := nod.Seq(0); ; {
		es, err := s.Read(t.Context(), after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(es) == 0 {
			break
		}
		for _, e := range es {
			times[e.Note]++
			after = e.Seq
		}
	}
	for _, notes := range acknowledged {
		for _, note := range notes {
			if times[note] != 1 {
				t.Errorf("%s is there %d times", note, times[note])
			}
		}
	}
}

// surely appends one event as a hub does: after a Conflict a new one, after any
// other trouble the very same again, until it knows.
func surely(t *testing.T, s *Store, note string) error {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for {
		head, err := s.head(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue
		}
		seq := head.Seq
		c := storetest.Chain{Seq: seq, Hash: head.Hash}
		es := []nod.Event{c.Next(t, nod.Event{Kind: nod.TurnTaken, Note: note})}
		for unknown := false; ; unknown = true {
			err := s.Append(ctx, seq, es)
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil:
				return err
			case nod.CodeOf(err) == nod.Unavailable:
				continue
			case nod.CodeOf(err) != nod.Conflict:
				return err
			}
			if there, err := s.Read(ctx, seq, 1); unknown && err == nil && len(there) == 1 && there[0].Hash == es[0].Hash {
				return nil // the first try had succeeded, its answer was lost
			} else if err == nil {
				break
			}
		}
	}
}

func TestUnreachableDatabase(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	address := own.Database(t)
	s := openedWith(t, address, limits{wait: 100 * time.Millisecond})
	var c storetest.Chain
	first := c.Notes(t, 1)
	if err := s.Append(t.Context(), 0, first); err != nil {
		t.Fatal(err)
	}
	own.Stop(t, syscall.SIGINT)
	es := c.Notes(t, 1)
	wantTrouble(t, s.Append(t.Context(), 1, es), "PostgreSQL t1 at 127.0.0.1")
	_, err := s.Read(t.Context(), 0, 1)
	wantTrouble(t, err, "cannot be reached")
	_, err = open(t.Context(), address, schema(), limits{wait: time.Millisecond})
	wantTrouble(t, err, "cannot be reached")
	own.Start(t)
	if err := s.Append(t.Context(), 1, es); err != nil {
		t.Errorf("it does not come back: %v", err)
	}
	if got, err := s.Read(t.Context(), 0, 9); err != nil || len(got) != 2 {
		t.Errorf("%d events, %v", len(got), err)
	}
}

func TestReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	s := opened(t, address)
	name := s.config.Database
	server.Exec(t, name, "ALTER DATABASE "+name+" SET default_transaction_read_only = on; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"' AND pid <> pg_backend_pid()")
	var c storetest.Chain
	es := c.Notes(t, 1)
	_ = s.Append(t.Context(), 0, es) // finds that its connection is gone
	err := s.Append(t.Context(), 0, es)
	if wantTrouble(t, err, "read-only"); !errors.Is(err, hub.ErrNotWritten) {
		t.Errorf("nothing can be there, and yet it may be: %v", err)
	}
	if got, err := s.Read(t.Context(), 0, 1); err != nil || len(got) != 0 {
		t.Errorf("what can be read is not: %v, %v", got, err)
	}
	_, err = Open(t.Context(), address)
	wantTrouble(t, err, "read-only")
	server.Exec(t, "", "ALTER DATABASE "+name+" RESET default_transaction_read_only")
	if err := s.Append(t.Context(), 0, es); err != nil {
		t.Errorf("after the failover: %v", err)
	}
}

// Another session holds the lock on the head: a forgotten psql perhaps.
func TestSlowDatabase(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	s := openedWith(t, address, limits{statement: 300 * time.Millisecond})
	c, err := pgx.Connect(t.Context(), address+"&search_path=nod")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if _, err := c.Exec(t.Context(), `BEGIN; SELECT FROM head FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	var chain storetest.Chain
	es := chain.Notes(t, 1)
	err = s.Append(t.Context(), 0, es)
	wantTrouble(t, err, "took longer than 240ms") // the server's own limit: it is sure then
	if !errors.Is(err, hub.ErrNotWritten) {
		t.Errorf("the server refused it, and yet it may be there: %v", err)
	}
	if got, err := s.Read(t.Context(), 0, 1); err != nil || len(got) != 0 {
		t.Errorf("readers wait too: %v, %v", got, err)
	}
	if _, err := c.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), 0, es); err != nil {
		t.Errorf("it does not recover: %v", err)
	}
}

// On a network that swallows everything no caller waits for ever.
func TestSilentNetwork(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	w := newWire(t, address)
	s := openedWith(t, w.address, limits{statement: 3 * time.Second, connect: 3 * time.Second}) // a busy machine needs some of it to connect again
	var c storetest.Chain
	es := c.Notes(t, 1)
	w.hold()
	wantTrouble(t, s.Append(t.Context(), 0, es), "took longer than")
	w.release()
	// Nobody knew: the same again settles it.
	if err := s.Append(t.Context(), 0, es); err != nil && nod.CodeOf(err) != nod.Conflict {
		t.Errorf("it does not recover: %v", err)
	}
	if got, err := s.Read(t.Context(), 0, 9); err != nil || len(got) != 1 || got[0].Hash != es[0].Hash {
		t.Errorf("%d events, %v", len(got), err)
	}
}

func TestFullPoolDoesNotBlockTheWriter(t *testing.T) {
	t.Parallel()
	s := openedWith(t, server.Database(t), limits{connections: 2, wait: 50 * time.Millisecond})
	taken, release := make(chan struct{}), make(chan struct{})
	var all errgroup.Group
	for range 2 {
		all.Go(func() error {
			return s.readers.with(t.Context(), func(*pgx.Conn) error {
				taken <- struct{}{}
				<-release
				return nil
			})
		})
	}
	<-taken
	<-taken
	_, err := s.Read(t.Context(), 0, 1)
	wantTrouble(t, err, "all 2 connections")
	var c storetest.Chain
	if err := s.Append(t.Context(), 0, c.Notes(t, 1)); err != nil {
		t.Error(err)
	}
	close(release)
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	if es, err := s.Read(t.Context(), 0, 1); err != nil || len(es) != 1 {
		t.Error(err)
	}
}

func TestServerWithoutFreeConnections(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	s := opened(t, address)
	u, _ := url.Parse(address)
	guest := "guest_" + path.Base(u.Path)
	server.Exec(t, "", "CREATE ROLE "+guest+" LOGIN PASSWORD 'guest' CONNECTION LIMIT 0")
	u.User = url.UserPassword(guest, "guest")
	_, err := open(t.Context(), u.String(), schema(), limits{wait: time.Millisecond})
	wantTrouble(t, err, "no connection left")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = s.Read(t.Context(), 0, 1)
	wantTrouble(t, err, "shutting down")
}

func TestBadAddressesAreExplained(t *testing.T) {
	t.Parallel()
	good, _ := url.Parse(server.Database(t))
	change := func(f func(*url.URL)) string {
		u := *good
		f(&u)
		return u.String()
	}
	for name, c := range map[string]struct {
		address string
		code    nod.Code
		says    string
	}{
		"no address":        {"nod.db", nod.Invalid, "postgres://user@host"},
		"key and value":     {"host=127.0.0.1 password=hunter2", nod.Invalid, "postgres://user@host"},
		"an escape":         {"postgres://nod:hunter2%zz@127.0.0.1/nod", nod.Invalid, "%-escapes"},
		"a port":            {"postgres://nod:hunter2@127.0.0.1:x/nod", nod.Invalid, "cannot be understood"},
		"the pool":          {change(func(u *url.URL) { u.RawQuery += "&pool_max_conns=none" }), nod.Invalid, "pool_max_conns"},
		"the password":      {change(func(u *url.URL) { u.User = url.UserPassword("nod", "hunter2") }), nod.Unavailable, "does not let nod in"},
		"the database":      {change(func(u *url.URL) { u.Path = "/missing" }), nod.Unavailable, "does not exist yet"},
		"nobody is there":   {"postgres://nod:hunter2@127.0.0.1:1/nod?sslmode=disable", nod.Unavailable, "cannot be reached"},
		"the password file": {change(func(u *url.URL) { u.User = url.User("nod"); u.RawQuery += "&passfile=/missing" }), nod.Unavailable, "does not let nod in"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := open(t.Context(), c.address, schema(), limits{wait: time.Millisecond})
			if err == nil || nod.CodeOf(err) != c.code || !strings.Contains(nod.MessageOf(err), c.says) {
				t.Fatalf("%v; want %s and %q", err, c.code, c.says)
			}
			if strings.Contains(fmt.Sprintf("%v %+v", err, err), "hunter2") {
				t.Errorf("a password is in %v", err)
			}
		})
	}
}

func TestPasswordInAFile(t *testing.T) {
	t.Parallel()
	u, _ := url.Parse(server.Database(t))
	password, _ := u.User.Password()
	u.User = url.User("nod")
	u.RawQuery += "&passfile=" + url.QueryEscape(named(t, "*:*:*:nod:"+password+"\n"))
	s := opened(t, u.String())
	if strings.Contains(s.Place(), password) {
		t.Errorf("%s tells the password", s.Place())
	}
}

// Commits of the log wait for the disk even where the server's default is not to.
func TestCommitsWaitForTheDisk(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	u, _ := url.Parse(address)
	name := u.Path[1:]
	for set, want := range map[string]string{"off": "on", "local": "on", "remote_apply": "remote_apply"} {
		server.Exec(t, name, "ALTER DATABASE "+name+" SET synchronous_commit = "+set)
		s := opened(t, address)
		var got string
		err := s.writer.with(t.Context(), func(c *pgx.Conn) error {
			return c.QueryRow(t.Context(), "SHOW synchronous_commit").Scan(&got)
		})
		if err != nil || got != want {
			t.Errorf("%s became %s, %v; want %s", set, got, err, want)
		}
	}
}

func wantTrouble(t *testing.T, err error, says string) {
	t.Helper()
	if err == nil || nod.CodeOf(err) != nod.Unavailable || !strings.Contains(nod.MessageOf(err), says) {
		t.Errorf("%v; want unavailable and %q", err, says)
	}
}
