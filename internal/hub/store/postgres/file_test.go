package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/hub/store/pgtest"
)

// noise is a file that cannot be made smaller, the same for the same seed.
func noise(seed uint64, size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(seed)}).Read(b)
	return b
}

func putFile(t testing.TB, f *Files, id string, content []byte) {
	t.Helper()
	if err := f.PutFile(t.Context(), nod.Attachment{ID: id, Name: id + ".bin", Size: int64(len(content))}, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
}

func fetched(t testing.TB, f *Files, id string) ([]byte, error) {
	t.Helper()
	var b bytes.Buffer
	_, _, err := f.FetchFile(t.Context(), id, &b)
	return b.Bytes(), err
}

// scalar is what the database itself says.
func scalar[T any](t testing.TB, address, text string, args ...any) (got T) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address+"&search_path=nod")
	if err == nil {
		defer c.Close(context.Background())
		err = c.QueryRow(t.Context(), text, args...).Scan(&got)
	}
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestFileOfOneHubIsReadAtAnother(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	one, other := opened(t, address).Files(), opened(t, address).Files()
	for i, size := range []int{0, 1, pieceSize - 1, pieceSize, pieceSize + 1, 3*pieceSize + 5} {
		content := noise(uint64(i), size)
		sent := nod.Attachment{ID: fmt.Sprint("f", i), Name: "zażółć_図\xff.png", Path: "/at/one/hub", Size: int64(size)}
		if err := one.PutFile(t.Context(), sent, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		a, age, err := other.FetchFile(t.Context(), sent.ID, &got)
		sent.Path = ""
		if err != nil || a != sent || !bytes.Equal(got.Bytes(), content) {
			t.Errorf("%d bytes became %d: %+v, %v", size, got.Len(), a, err)
		}
		if age < 0 || age > time.Minute {
			t.Errorf("it is %s old", age)
		}
	}
	if n := scalar[int](t, address, `SELECT max(length(body)) FROM file_pieces`); n != pieceSize {
		t.Errorf("a piece has %d bytes", n)
	}
	if _, err := fetched(t, other, "nothing"); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("what nobody sent: %v", err)
	}
}

// tapped runs something before each of its bytes from a place on is read.
type tapped struct {
	io.Reader
	after int
	then  func() error
}

func (r *tapped) Read(b []byte) (int, error) {
	if r.after <= 0 {
		if err := r.then(); err != nil {
			return 0, err
		}
	}
	n, err := r.Reader.Read(b[:min(len(b), max(r.after, 1))])
	r.after -= n
	return n, err
}

func TestInterruptedPutLeavesNothing(t *testing.T) {
	t.Parallel()
	const size, half = 4 * pieceSize, 2 * pieceSize
	for name, c := range map[string]struct {
		then func(end context.CancelFunc, kill func()) error
		size int64
	}{
		"the disk fails":          {func(context.CancelFunc, func()) error { return errors.New("bad sector") }, size},
		"whoever sends goes":      {func(end context.CancelFunc, _ func()) error { end(); return nil }, size},
		"the connection is ended": {func(_ context.CancelFunc, kill func()) error { kill(); return nil }, size},
		"it is longer":            {func(context.CancelFunc, func()) error { return nil }, size - 1},
		"it is shorter":           {func(context.CancelFunc, func()) error { return io.EOF }, size},
	} {
		t.Run(name, func(t *testing.T) {
			address := server.Database(t)
			one, other := opened(t, address).Files(), opened(t, address).Files()
			kill := func() {
				scalar[bool](t, address, `SELECT bool_and(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`)
			}
			ctx, end := context.WithCancel(t.Context())
			defer end()
			done := false
			r := &tapped{Reader: bytes.NewReader(noise(1, size)), after: half, then: func() error {
				if done {
					return nil
				}
				done = true
				if _, err := fetched(t, other, "f"); nod.CodeOf(err) != nod.NotFound {
					t.Errorf("half of it is seen: %v", err)
				}
				return c.then(end, kill)
			}}
			if err := one.PutFile(ctx, nod.Attachment{ID: "f", Name: "f", Size: c.size}, r); err == nil {
				t.Error("it was taken")
			}
			if !done {
				t.Error("nothing was interrupted")
			}
			if n := scalar[int](t, address, `SELECT (SELECT count(*) FROM files) + (SELECT count(*) FROM file_pieces)`); n != 0 {
				t.Errorf("%d rows are left", n)
			}
			content := noise(2, size)
			putFile(t, one, "f", content)
			if got, err := fetched(t, other, "f"); err != nil || !bytes.Equal(got, content) {
				t.Errorf("the next one: %d bytes, %v", len(got), err)
			}
		})
	}
}

func TestSweepRemovesOldAndExcessFiles(t *testing.T) {
	t.Parallel()
	address := server.Database(t)
	one, other := opened(t, address).Files(), opened(t, address).Files()
	const size = pieceSize + 100
	for i := range 5 {
		putFile(t, one, fmt.Sprint("f", i), noise(uint64(i), size))
		scalar[string](t, address, `UPDATE files SET kept = clock_timestamp() - $2 * interval '1 hour' WHERE id = $1 RETURNING id`, fmt.Sprint("f", i), 5-i)
	}
	left := func(want string) {
		t.Helper()
		if got := scalar[string](t, address, `SELECT coalesce(string_agg(id, ' ' ORDER BY id), '') FROM files`); got != want {
			t.Errorf("%q are left, want %q", got, want)
		}
		if n := scalar[int](t, address, `SELECT count(DISTINCT file) FROM file_pieces`); n != len(strings.Fields(want)) {
			t.Errorf("pieces of %d files are left", n)
		}
	}
	sweep := func(f *Files, older time.Duration, most int64) {
		t.Helper()
		if err := f.SweepFiles(t.Context(), older, most); err != nil {
			t.Fatal(err)
		}
	}
	sweep(one, 6*time.Hour, 5*size)
	left("f0 f1 f2 f3 f4")
	sweep(other, 4*time.Hour+time.Minute, 5*size)
	left("f1 f2 f3 f4")
	sweep(one, 6*time.Hour, 3*size-1)
	left("f3 f4")
	var all errgroup.Group // two at once do not wait for each other, nor for long
	for _, f := range []*Files{one, other} {
		all.Go(func() error { return f.SweepFiles(t.Context(), 6*time.Hour, 0) })
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	left("")
}

// A file that goes away while it is read is gone, and never shorter than it was.
func TestFileIsSweptWhileItIsRead(t *testing.T) {
	t.Parallel()
	files := fresh(t).Files()
	putFile(t, files, "f", noise(1, 3*pieceSize))
	w := writer(func(b []byte) (int, error) { return len(b), files.SweepFiles(t.Context(), 0, 0) })
	if _, _, err := files.FetchFile(t.Context(), "f", w); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("%v", err)
	}
	full := errors.New("no space left")
	putFile(t, files, "g", noise(1, 3*pieceSize))
	if _, _, err := files.FetchFile(t.Context(), "g", writer(func([]byte) (int, error) { return 0, full })); err != full {
		t.Errorf("the disk here said %v", err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// People who send files at once leave connections to those who read.
func TestFilesLeaveConnectionsToOthers(t *testing.T) {
	t.Parallel()
	s := openedWith(t, server.Database(t), limits{connections: 2, wait: 5 * time.Second})
	files := s.Files()
	begun, hold := make(chan struct{}, 8), make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var all errgroup.Group
	for i := range 4 {
		all.Go(func() error {
			r := &tapped{Reader: strings.NewReader("x"), then: func() error { begun <- struct{}{}; <-hold; return nil }}
			err := files.PutFile(ctx, nod.Attachment{ID: fmt.Sprint("f", i), Name: "f", Size: 1}, r)
			if nod.CodeOf(err) == nod.Unavailable && ctx.Err() != nil {
				return nil // it waited for its turn
			}
			return fmt.Errorf("file %d: %w", i, err)
		})
	}
	<-begun
	if err := s.Keep(t.Context(), "notify", nil); err != nil {
		t.Error(err)
	}
	if _, err := fetched(t, files, "nothing"); nod.CodeOf(err) != nod.NotFound {
		t.Error(err)
	}
	end()
	close(hold)
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
}

func TestFilesWhileTheDatabaseIsAway(t *testing.T) {
	t.Parallel()
	own := pgtest.Start(t)
	files := openedWith(t, own.Database(t), limits{wait: 100 * time.Millisecond}).Files()
	own.Stop(t, syscall.SIGINT)
	for name, do := range map[string]func() error{
		"put": func() error {
			return files.PutFile(t.Context(), nod.Attachment{ID: "f", Size: 1}, strings.NewReader("x"))
		},
		"fetch": func() error { _, err := fetched(t, files, "f"); return err },
		"sweep": func() error { return files.SweepFiles(t.Context(), time.Hour, 0) },
	} {
		t.Run(name, func(t *testing.T) { wantTrouble(t, do(), "cannot be reached") })
	}
}
