package icon

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
)

func cacheIn(t testing.TB, dir string, o Options) *Cache {
	t.Helper()
	if o.Drawer == nil {
		o.Drawer = NewDrawer()
	}
	c, err := OpenCache(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wish draws a picture of its own for each number.
func wish(t testing.TB, c *Cache, n int) (string, bool) {
	t.Helper()
	name, cached, err := c.Icon(Spec{Label: fmt.Sprint(n)})
	if err != nil {
		t.Fatal(err)
	}
	return name, cached
}

func TestWhatIsNamedIsThere(t *testing.T) {
	dir := t.TempDir()
	c := cacheIn(t, dir, Options{})
	spec := Spec{Emoji: "✅", Label: "Yes"}
	name, cached, err := c.Icon(spec)
	if err != nil || cached {
		t.Fatalf("%s, %v, %v", name, cached, err)
	}
	body, err := c.Read(name)
	if err != nil || !bytes.Equal(body, RGB565(c.Drawer.Draw(spec))) {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	if _, cached, _ := cacheIn(t, dir, Options{}).Icon(spec); !cached {
		t.Error("after a restart it is drawn anew")
	}
	for _, damage := range []func(string) error{os.Remove, func(f string) error { return os.Truncate(f, 7) }} {
		if err := damage(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if again, err := c.Read(name); err != nil || !bytes.Equal(again, body) {
			t.Errorf("damaged, it is %d bytes, %v", len(again), err)
		}
	}
	if name, cached, err := c.Icon(Spec{Label: " \u200b"}); name != "" || !cached || err != nil {
		t.Errorf("nothing is called %q, %v", name, err)
	}
}

func TestOnlyPicturesCanBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret.rgb"), make([]byte, Bytes), 0o600); err != nil {
		t.Fatal(err)
	}
	c := cacheIn(t, filepath.Join(dir, "icons"), Options{})
	for _, name := range []string{"", "../secret.rgb", "secret.rgb", "k0000000000000000.rgb", "..", "/etc/passwd", "yes.rgb/", "YES.RGB", strings.Repeat("a", 30) + ".rgb", "yes.rgb\x00"} {
		if _, err := c.Read(name); nod.CodeOf(err) != nod.NotFound {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name := range standard() {
		if body, err := c.Read(name); err != nil || len(body) != Bytes || len(name) > MostName {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
	}
	if body, err := c.Read(ThinkingOldName); err != nil || !bytes.HasPrefix(body, []byte("GIF89a")) {
		t.Errorf("thinking: %v", err)
	}
}

func TestTheLeastUsedGoFirstAndAWarningComesBefore(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	var warnings []Fill
	o := Options{Limit: 1, Warn: func(f Fill) { warnings = append(warnings, f) }, Now: func() time.Time { return now }}
	c := cacheIn(t, dir, o) // the limit is lifted to what keys need at least
	most := int(leastLimit / Bytes)
	for n := range most {
		wish(t, c, n)
		now = now.Add(time.Minute)
	}
	if len(warnings) != 1 || warnings[0].Used*100 < warnings[0].Limit*90 || warnings[0].Used >= warnings[0].Limit {
		t.Fatalf("it warns of %+v", warnings)
	}
	now = now.Add(2 * time.Hour)
	first, cached := wish(t, c, 0) // used again: the next oldest goes
	if !cached {
		t.Fatal("the first is gone too soon")
	}
	wish(t, c, most)
	if fill := c.Fill(); fill.Pictures != most || fill.Used != leastLimit {
		t.Errorf("it holds %+v", fill)
	}
	if _, err := c.Read(first); err != nil {
		t.Error("what was just used is gone")
	}
	if _, err := c.Read(c.Drawer.Name(Spec{Label: "1"})); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("the oldest is still there: %v", err)
	}
	files, _ := os.ReadDir(dir)
	if len(files) != most {
		t.Errorf("there are %d files", len(files))
	}
	// The order survives a restart; half a file and strangers' files count for nothing.
	for name, size := range map[string]int{halfWritten + "1": 5, "k00000000000000aa.rgb": 5, "notes.txt": 5} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c = cacheIn(t, dir, o)
	wish(t, c, most+1)
	if _, cached := wish(t, c, 0); !cached || c.Fill().Pictures != most {
		t.Errorf("after a restart the order is lost: %+v", c.Fill())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != most+1 {
		t.Errorf("%d files, one of them not ours", len(left))
	}
}

func TestAKeyWithoutAPictureShowsItsText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "icons")
	var log bytes.Buffer
	shelf := LoggedCache{cacheIn(t, dir, Options{}), slog.New(slog.NewTextHandler(&log, nil))}
	name := shelf.Name("Yes", "✅", "#00FF00")
	if body, ok := shelf.Bytes(name); !ok || len(body) != Bytes {
		t.Errorf("%q has %d bytes", name, len(body))
	}
	if other := shelf.Name("Yes", "✅", "no colour"); other == name || other == "" {
		t.Errorf("without a colour it is %q", other)
	}
	if _, ok := shelf.Bytes("none.rgb"); ok || log.Len() > 0 {
		t.Errorf("there is a picture of nothing, or it complains: %s", &log)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if name := shelf.Name("No", "❌", ""); name != "" || !strings.Contains(log.String(), "text in place of its picture") {
		t.Errorf("without a disk it is called %q, and the log says %q", name, &log)
	}
}

func TestManyAskAtOnce(t *testing.T) {
	c := cacheIn(t, t.TempDir(), Options{Limit: leastLimit})
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for n := range 20 {
				name, _ := wish(t, c, (n+g)%20)
				if body, err := c.Read(name); err != nil || len(body) != Bytes {
					t.Errorf("%s: %d bytes, %v", name, len(body), err)
				}
			}
		})
	}
	all.Wait()
	if fill := c.Fill(); fill.Pictures != 20 || fill.Used != 20*Bytes {
		t.Errorf("it holds %+v", fill)
	}
}

func BenchmarkCached(b *testing.B) {
	c := cacheIn(b, b.TempDir(), Options{})
	spec := Spec{Emoji: "✅", Label: "Yes"}
	for b.Loop() {
		if _, _, err := c.Icon(spec); err != nil {
			b.Fatal(err)
		}
	}
}
