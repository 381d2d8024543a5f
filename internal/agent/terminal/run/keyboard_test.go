package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeInput is a program's input that remembers when it was written to.
type fakeInput struct {
	mu       sync.Mutex
	b        bytes.Buffer
	deadline time.Time
	slow     bool // reads half of it and hangs
}

func (p *fakeInput) SetWriteDeadline(t time.Time) error { p.deadline = t; return nil }

func (p *fakeInput) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.slow && !p.deadline.IsZero() {
		time.Sleep(time.Until(p.deadline))
		n, _ := p.b.Write(b[:len(b)/2])
		return n, os.ErrDeadlineExceeded
	}
	return p.b.Write(b)
}

func TestQuietIsWaitedFor(t *testing.T) {
	for _, c := range []struct {
		name   string
		person []string // one every 200 ms
		after  time.Duration
		err    error
	}{
		{name: "nobody types", after: 0},
		{name: "a word", person: []string{"a", "b", "c"}, after: 2*200*time.Millisecond + quietTime},
		{name: "a paste that takes its time", person: []string{"\x1b[200~a", "", "", "", "", "b\x1b[201~"}, after: 1000*time.Millisecond + quietTime},
		{name: "a paste that never ends", person: []string{"\x1b[200~a"}, after: pasteTimeout},
		{name: "on and on", person: []string{"a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a", "a"}, after: quietTimeout, err: Typing},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &fakeInput{}
				k := newKeyboard(p)
				begin := time.Now()
				typed := make(chan struct{})
				go func() {
					defer close(typed)
					for i, text := range c.person {
						if i > 0 {
							time.Sleep(200 * time.Millisecond)
						}
						if text != "" {
							_ = k.forward([]byte(text))
						}
					}
				}()
				synctest.Wait()
				_, err := k.inject(context.Background(), injection{text: "NOD", quiet: quietTime})
				took := time.Since(begin)
				<-typed
				if !errors.Is(err, c.err) || took != c.after {
					t.Errorf("after %s: %v, want after %s: %v", took, err, c.after, c.err)
				}
				if got := bytes.Contains(p.b.Bytes(), []byte("NOD")); got != (c.err == nil) {
					t.Errorf("%q", p.b.Bytes())
				}
			})
		})
	}
}

// The person's keys must not end up in a paste that broke off.
func TestABrokenPasteIsEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &fakeInput{slow: true}
		k := newKeyboard(p)
		text, _ := encodePaste("12345678")
		if _, err := k.inject(t.Context(), injection{text: text, closing: pasteEnd}); !errors.Is(err, Stuck) {
			t.Errorf("%v", err)
		}
		if err := k.forward([]byte("x")); err != nil {
			t.Error(err)
		}
		if want := text[:len(text)/2] + pasteEnd + "x"; p.b.String() != want {
			t.Errorf("%q, want %q", p.b.String(), want)
		}
	})
}

func TestWhatCountsAsTyping(t *testing.T) {
	for text, typed := range map[string]bool{
		"a": true, "ż": true, "\r": true, "\x03": true, "\x1b": true, "\x1b[A": true, "\x1bOA": true, "\x1bx": true, "\x1b[Z": true,
		"\x1b[200~x\x1b[201~": true, "\x1b[13;2u": true, "\x1b[3~": true, "\x1b[1;5C": true,
		"\x1b[<0;1;1M": false, "\x1b[<0;1;1m": false, "\x1b[M !!": false, "\x1b[I": false, "\x1b[O": false, "\x1b[24;80R": false,
		"\x1b[?62c": false, "\x1b[?1u": false, "\x1b]10;rgb:ff/ff/ff\x07": false, "\x1bP>|xterm\x1b\\": false, "\x1b[?2026;2$y": false,
		"\x1b[<0;1;1Ma": true, "\x1b[M !!a": true,
	} {
		p := newTypingDetector()
		if got := p.read([]byte(text)); got != typed {
			t.Errorf("%q: %v", text, got)
		}
	}
}
