package attachment

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
)

// database is a Shared in memory.
type database struct {
	mu    sync.Mutex
	files map[string]entry
	swept []int64                           // what was the most, each time
	fails error                             // whatever is asked
	read  func(w io.Writer, b []byte) error // nil: all of it
}

type entry struct {
	a    nod.Attachment
	body []byte
	age  time.Duration
}

func (d *database) PutFile(ctx context.Context, a nod.Attachment, r io.Reader) error {
	body, err := io.ReadAll(r)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fails != nil {
		return d.fails
	}
	d.files[a.ID] = entry{a: nod.Attachment{ID: a.ID, Name: a.Name, Size: a.Size}, body: body}
	return errors.Join(err, ctx.Err())
}

func (d *database) FetchFile(ctx context.Context, id string, w io.Writer) (nod.Attachment, time.Duration, error) {
	d.mu.Lock()
	e, ok := d.files[id]
	d.mu.Unlock()
	switch {
	case d.fails != nil:
		return nod.Attachment{}, 0, d.fails
	case ctx.Err() != nil:
		return nod.Attachment{}, 0, nod.Errorf(nod.Unavailable, "given up").Because(ctx.Err())
	case !ok:
		return nod.Attachment{}, 0, nod.Errorf(nod.NotFound, "none")
	case d.read != nil:
		return e.a, e.age, d.read(w, e.body)
	}
	_, err := w.Write(e.body)
	return e.a, e.age, err
}

func (d *database) SweepFiles(_ context.Context, older time.Duration, most int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if older != 7*24*time.Hour {
		return errors.New("a week is the longest")
	}
	d.swept = append(d.swept, most)
	return nil
}

// pair is two hubs with one database.
func pair(t *testing.T) (d *database, one, other FileStore) {
	d = &database{files: map[string]entry{}}
	shelf := func() FileStore {
		return FileStore{Dir: filepath.Join(t.TempDir(), "attachments"), Now: time.Now, Shared: d}
	}
	return d, shelf(), shelf()
}

func sent(t *testing.T, s FileStore, name, text string) nod.Attachment {
	t.Helper()
	a, err := s.Keep(t.Context(), name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// empty fails where something is left of what did not come to be.
func empty(t *testing.T, s FileStore) {
	t.Helper()
	if left, _ := os.ReadDir(s.Dir); len(left) != 0 {
		t.Errorf("%d left, %s among them", len(left), left[0].Name())
	}
}

func TestFileOfOneHubIsFoundAtAnother(t *testing.T) {
	d, one, other := pair(t)
	a := sent(t, one, "a photo.jpg", "content")
	found, err := other.Find(t.Context(), a.ID)
	if text, _ := os.ReadFile(found.Path); err != nil || string(text) != "content" || found.Path != filepath.Join(other.Dir, a.ID, "a_photo.jpg") {
		t.Fatalf("%+v is %q, %v", found, text, err)
	}
	if found.ID != a.ID || found.Name != a.Name || found.Size != a.Size {
		t.Errorf("%+v became %+v", a, found)
	}
	d.fails = errors.New("away") // a local file needs no other hub
	if again, err := other.Here(t.Context(), a); err != nil || again != found {
		t.Errorf("%+v, %v", again, err)
	}
	if entries, _ := os.ReadDir(other.Dir); len(entries) != 1 {
		t.Errorf("%d lie there", len(entries))
	}
	if len(d.swept) != 1 || d.swept[0] != 480<<20 {
		t.Errorf("it was swept for %d", d.swept)
	}
}

// A file that is not shared is not kept either: its sender gets an error, and no one
// finds it later.
func TestFileThatCannotBeShared(t *testing.T) {
	d, one, _ := pair(t)
	d.fails = errors.New("the disk of the database is full")
	_, err := one.Keep(t.Context(), "a", strings.NewReader("x"))
	if nod.CodeOf(err) != nod.Unavailable || !strings.Contains(nod.MessageOf(err), "send it again") || strings.Contains(nod.MessageOf(err), "disk of the database") || !errors.Is(err, d.fails) {
		t.Errorf("it failed with %v", err)
	}
	empty(t, one)
}

func TestFileThatCannotBeFetched(t *testing.T) {
	away := nod.Errorf(nod.Unavailable, "the database is away")
	half := func(then error) func(io.Writer, []byte) error {
		return func(w io.Writer, b []byte) error {
			_, err := w.Write(b[:len(b)/2])
			return errors.Join(err, then)
		}
	}
	for name, c := range map[string]struct {
		change func(*database, string)
		code   nod.Code
		says   string
	}{
		"it is gone":    {func(d *database, id string) { delete(d.files, id) }, nod.Gone, "not kept any more"},
		"away":          {func(d *database, _ string) { d.fails = away }, nod.Unavailable, "the database is away"},
		"it breaks off": {func(d *database, _ string) { d.read = half(away) }, nod.Unavailable, "the database is away"},
		"it is shorter": {func(d *database, _ string) { d.read = half(nil) }, nod.Unavailable, "only 3 of 7 bytes"},
		"no room here":  {func(d *database, _ string) { d.read = half(errors.New("no space")) }, nod.Unavailable, "disk full"},
		"it is too long": {func(d *database, _ string) {
			d.read = func(w io.Writer, _ []byte) error { _, err := io.Copy(w, zeros{}); return err }
		}, nod.Unavailable, "larger than 20 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			d, one, other := pair(t)
			a := sent(t, one, "a.txt", "content")
			c.change(d, a.ID)
			_, err := other.Here(t.Context(), a)
			if text := nod.MessageOf(err); nod.CodeOf(err) != c.code || !strings.Contains(text, c.says) || !strings.Contains(text, "a.txt") || !strings.Contains(text, "Send it again") {
				t.Errorf("it failed with %v", err)
			}
			empty(t, other)
		})
	}
	_, _, other := pair(t)
	if _, err := other.Find(t.Context(), "nobodysentthis"); nod.CodeOf(err) != nod.NotFound || !strings.Contains(nod.MessageOf(err), "older than a week; send it again") {
		t.Errorf("a file that nobody sent: %v", err)
	}
}

// A waiting caller may give up.
func TestFindIsCancelled(t *testing.T) {
	_, one, other := pair(t)
	a := sent(t, one, "a", "x")
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := other.Find(ctx, a.ID); !errors.Is(err, context.Canceled) {
		t.Errorf("it was fetched: %v", err)
	}
	if _, err := one.Keep(ctx, "b", strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("it was shared: %v", err)
	}
	if _, err := other.Find(t.Context(), a.ID); err != nil {
		t.Error(err)
	}
}

// Two want a file at the same moment: both have all of it.
func TestConcurrentFinds(t *testing.T) {
	d, one, other := pair(t)
	long := strings.Repeat("x", 1<<20)
	a := sent(t, one, "a", long)
	var begun, done sync.WaitGroup
	begun.Add(2)
	d.read = func(w io.Writer, b []byte) error {
		_, err := w.Write(b[:len(b)/2])
		begun.Done()
		begun.Wait() // both are in the middle of it
		_, more := w.Write(b[len(b)/2:])
		return errors.Join(err, more)
	}
	for range 2 {
		done.Go(func() {
			found, err := other.Find(t.Context(), a.ID)
			if err != nil {
				t.Error(err)
				return
			}
			if text, err := os.ReadFile(found.Path); err != nil || string(text) != long {
				t.Errorf("%d bytes at %s, %v", len(text), found.Path, err)
			}
		})
	}
	done.Wait()
	if entries, _ := os.ReadDir(other.Dir); len(entries) != 1 {
		t.Errorf("%d lie there", len(entries))
	}
}

// A copy is as old as the file, and a name from elsewhere leads nowhere.
func TestCopyIsAsOldAsTheFile(t *testing.T) {
	d, one, other := pair(t)
	a := sent(t, one, "a", "x")
	e := d.files[a.ID]
	e.age, e.a.Name = 6*24*time.Hour, "../../evil"
	d.files[a.ID] = e
	found, err := other.Find(t.Context(), a.ID)
	if err != nil || found.Path != filepath.Join(other.Dir, a.ID, "evil") {
		t.Fatalf("%+v, %v", found, err)
	}
	other.Now = func() time.Time { return time.Now().Add(25 * time.Hour) }
	next := sent(t, one, "b", "y")
	if _, err := other.Find(t.Context(), next.ID); err != nil { // which sweeps here too
		t.Fatal(err)
	}
	if _, err := os.Stat(found.Path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there after a week: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(other.Dir, next.ID, "b")); err != nil || !bytes.Equal(text, []byte("y")) {
		t.Errorf("%q, %v", text, err)
	}
}
