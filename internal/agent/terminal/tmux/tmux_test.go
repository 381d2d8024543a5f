package tmux

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// open starts a server of its own with one pane that writes what it is given
// into a file, byte by byte, as a program with bracketed paste would get it.
func open(t *testing.T) (p *Pane, got func() string, socket string) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	dir, err := os.MkdirTemp("", "nod-tmux-") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "got")
	socket = filepath.Join(dir, "s")
	client := New()
	t.Cleanup(func() { _, _ = client.run(context.Background(), socket, "", "kill-server") })
	script := `stty raw -echo; printf '\033[?2004hready'; cat > ` + file
	if _, err := client.run(t.Context(), socket, "", "new-session", "-d", "-x", "80", "-y", "20", "--", "/bin/sh", "-c", script); err != nil {
		t.Fatal(err)
	}
	if p, err = client.Pane(socket, "%0"); err != nil {
		t.Fatal(err)
	}
	got = func() string {
		b, _ := os.ReadFile(file)
		return string(b)
	}
	until(t, "the program to be ready", func() bool {
		v, err := p.Capture(t.Context())
		return err == nil && strings.Contains(v.Screen, "ready")
	})
	return p, got, socket
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestEveryTextArrivesAsItIs(t *testing.T) {
	p, got, _ := open(t)
	want := ""
	for _, text := range []string{
		"plain", "-x leading dash", "trailing;", `ends \;`, `"quotes" 'and' $(more) #{pane_id}`, "zażółć 👩‍👩‍👧 語", "two\nlines",
		strings.Repeat("0123456789abcdef", 1280), // 20 kB
	} {
		if err := p.Paste(t.Context(), text); err != nil {
			t.Fatalf("%.20q: %v", text, err)
		}
		want += "\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~"
		until(t, text[:min(len(text), 20)], func() bool { return len(got()) >= len(want) })
		if got() != want {
			t.Fatalf("got %.80q", strings.TrimPrefix(got(), want[:len(want)-len(text)-12]))
		}
	}
}

func TestTypedKeysArrive(t *testing.T) {
	p, got, _ := open(t)
	long := strings.Repeat("łą", 700)
	for _, text := range []string{"-l; x;", long} {
		if err := p.Type(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.SendKeys(t.Context(), "Enter", "Escape"); err != nil {
		t.Fatal(err)
	}
	want := "-l; x;" + long + "\r\x1b"
	until(t, "the keys", func() bool { return len(got()) >= len(want) })
	if got() != want {
		t.Errorf("got %.80q", got())
	}
}

func TestControlCharactersAreRefused(t *testing.T) {
	p, got, _ := open(t)
	for _, text := range []string{"a\x1b[201~b", "\x03", "a\rb", "\u0085", "\x00"} {
		if p.Paste(t.Context(), text) == nil || p.Type(t.Context(), text) == nil {
			t.Errorf("%q was taken", text)
		}
	}
	if got() != "" {
		t.Errorf("got %q", got())
	}
}

func TestCopyModeIsSeenAndLeft(t *testing.T) {
	p, got, _ := open(t)
	if _, err := p.run(t.Context(), "", "copy-mode", "-t", "%0"); err != nil {
		t.Fatal(err)
	}
	if v, err := p.Capture(t.Context()); err != nil || !v.CopyMode {
		t.Fatalf("%+v %v", v, err)
	}
	if err := p.LeaveCopyMode(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := p.Capture(t.Context()); err != nil || v.CopyMode {
		t.Fatalf("%+v %v", v, err)
	}
	if err := p.SendKeys(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	until(t, "the key", func() bool { return got() == "x" })
}

func TestAPaneThatIsGoneIsSaidToBe(t *testing.T) {
	p, _, socket := open(t)
	other, err := p.tmux.Pane(socket, "%99")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Capture(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("a pane that never was: %v", err)
	}
	if err := other.SendKeys(t.Context(), "x"); !errors.Is(err, ErrGone) {
		t.Errorf("a key for it: %v", err)
	}
	if _, err := p.run(t.Context(), "", "kill-server"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Capture(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("a server that is gone: %v", err)
	}
	for _, c := range [][2]string{{socket, "0"}, {socket, "%"}, {socket, "%1x"}, {socket, "main:0"}, {"relative", "%1"}, {"", "%1"}} {
		if _, err := p.tmux.Pane(c[0], c[1]); err == nil {
			t.Errorf("%q was taken for a pane", c)
		}
	}
}

func TestOneCallerAtATime(t *testing.T) {
	client := New()
	a, err := client.Pane("/x/s", "%1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := client.Pane("/x/../x/s", "%1")
	if err != nil || a != b {
		t.Fatalf("the same pane twice: %p %p %v", a, b, err)
	}
	unlock, err := a.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Lock(ctx); err == nil {
		t.Error("two hold one pane")
	}
	unlock()
	if unlock, err = b.Lock(t.Context()); err != nil {
		t.Error(err)
	}
	unlock()
}
