package httpd

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// wire is the client of a stream, which a test can inspect and break.
type wire struct {
	http.ResponseWriter
	mu       sync.Mutex
	sent     bytes.Buffer
	deadline time.Time
	broken   error
	stuck    chan struct{} // not nil: writes hang until it closes or the deadline passes
}

func newWire() *wire { return &wire{ResponseWriter: httptest.NewRecorder()} }

func (w *wire) SetWriteDeadline(t time.Time) error { w.deadline = t; return nil }

// change modifies the wire while the stream uses it.
func (w *wire) change(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f()
}

func (w *wire) Flush() {}

func (w *wire) Write(b []byte) (int, error) {
	if w.stuck != nil {
		select {
		case <-w.stuck:
		case <-time.After(time.Until(w.deadline)):
			return 0, context.DeadlineExceeded
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		return 0, w.broken
	}
	return w.sent.Write(b)
}

func (w *wire) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent.String()
}

// pass advances the time of a synctest bubble.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func begin(t *testing.T, w *wire) (*Stream, context.Context) {
	s, ctx := NewStream(w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
	t.Cleanup(s.Close)
	return s, ctx
}

func TestHeartbeatDoesNotMoveTheCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		s, _ := begin(t, w)
		pass(14 * time.Second)
		_ = s.Send(7, []byte(`{}`)) // an event: no heartbeat for another 15 s
		pass(14 * time.Second)
		if got := w.String(); strings.Contains(got, "still here") {
			t.Errorf("it beats although there was news: %q", got)
		}
		pass(2 * time.Second)
		pass(30 * time.Second)
		want := "retry: 2000\n\nid: 7\ndata: {}\n\n" + strings.Repeat(": still here\n\n", 3)
		if got := w.String(); got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		s.Close()
		pass(time.Minute)
		if w.String() != want {
			t.Error("it beats after the end")
		}
		if !w.deadline.IsZero() {
			t.Error("the connection cannot be used again")
		}
		if s.Send(8, nil) == nil {
			t.Error("a closed stream takes events")
		}
	})
}

func TestADeadClientIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		s, ctx := begin(t, w)
		w.stuck = make(chan struct{})
		start := time.Now()
		if err := s.Send(1, []byte("{}")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Send: %v", err)
		}
		if held := time.Since(start); held != writeTimeout {
			t.Errorf("it held us for %v", held)
		}
		if ctx.Err() == nil {
			t.Error("the stream goes on")
		}
	})
}

func TestHeartbeatDetectsADeadClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		_, ctx := begin(t, w)
		w.change(func() { w.broken = errors.New("connection reset") })
		pass(heartbeat)
		if ctx.Err() == nil {
			t.Error("nobody noticed")
		}
	})
}

func TestSlowClientMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWire()
		s, _ := begin(t, w)
		w.stuck = make(chan struct{})
		time.AfterFunc(writeTimeout-time.Second, func() { close(w.stuck) })
		for i := range 3 {
			if err := s.Send(1, []byte("{}")); err != nil {
				t.Errorf("event %d: %v", i, err)
			}
		}
		if got := strings.Count(w.String(), "data: {}"); got != 3 {
			t.Errorf("%d events arrived", got)
		}
	})
}

func TestEventFieldsAreEscaped(t *testing.T) {
	for data, want := range map[string]string{
		"a":                   "data: a\n",
		"a\nid: 9":            "data: a\ndata: id: 9\n",
		"a\r\nid: 9":          "data: a\ndata: \ndata: id: 9\n",
		"a\rid: 9\n\nevent: ": "data: a\ndata: id: 9\ndata: \ndata: event: \n",
		"":                    "data: \n",
	} {
		w := newWire()
		s, _ := begin(t, w)
		_ = s.SendControl("x\nid: 5", []byte(data))
		if got := strings.TrimPrefix(w.String(), "retry: 2000\n\n"); got != "event: x id: 5\n"+want+"\n" {
			t.Errorf("%q became %q", data, got)
		}
	}
}
