package hub_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// counting is a connection to the store that counts what one hub broadcasts.
type counting struct {
	conn
	sent, bytes atomic.Int32
	lose        atomic.Int32 // so many broadcasts are lost
	odd         atomic.Int32 // pieces that begin or end within a letter
}

func (v *counting) Broadcast(ctx context.Context, word []byte) error {
	v.sent.Add(1)
	v.bytes.Add(int32(len(word)))
	var told struct {
		News []struct {
			Text []byte `json:"t"`
		}
	}
	if err := json.Unmarshal(word, &told); err != nil {
		return err
	}
	for _, piece := range told.News {
		if !utf8.Valid(piece.Text) {
			v.odd.Add(1)
		}
	}
	if v.lose.Add(-1) >= 0 {
		return nil
	}
	return v.Shared.Broadcast(ctx, word)
}

// cluster is some hubs on one log: "talk" lives with the first, "far" on a laptop that is
// linked to any of them.
type cluster struct {
	*testing.T
	store *hubtest.Shared
	hubs  []*hub.Hub
	conns []*counting
}

func newCluster(t *testing.T, n int) *cluster {
	t.Helper()
	h := &cluster{T: t, store: hubtest.NewShared()}
	for range n {
		h.join()
	}
	h.agent("talk", "hub0")
	h.agent("far", hub.Linked+"laptop")
	return h
}

// join opens one more hub.
func (h *cluster) join() {
	h.Helper()
	v := &counting{conn: conn{Shared: h.store}}
	name := fmt.Sprint("hub", len(h.hubs))
	h.hubs, h.conns = append(h.hubs, open(h.T, v, hub.Options{Name: name, Host: name})), append(h.conns, v)
}

func (h *cluster) agent(id nod.AgentID, lives string) {
	h.Helper()
	if err := h.link(0).Report(h.Context(), hub.Agent(id, func(a *nod.Agent, now time.Time) { a.Hub = lives; a.Enter(nod.AgentWorking, now) })); err != nil {
		h.Fatal(err)
	}
	synctest.Wait()
}

func (h *cluster) link(i int) hub.Link { return h.hubs[i].Link("test") }

// reader reads at a hub, as a surface does.
type reader struct {
	mu   sync.Mutex
	text string // of the answer it is at
	over int
}

func (h *cluster) read(i int, id nod.AgentID) *reader {
	r := &reader{}
	go func() {
		for p := range h.hubs[i].Desk(anna).Drafts(h.Context(), id) {
			r.mu.Lock()
			switch {
			case p.Over:
				r.text, r.over = "", r.over+1
			case p.At != len(r.text):
				h.Errorf("hub %d: a piece at %d follows %d bytes", i, p.At, len(r.text))
			default:
				r.text += p.Text
			}
			r.mu.Unlock()
		}
	}()
	synctest.Wait()
	return r
}

// want checks what a reader has, and how often it heard of an end.
func (r *reader) want(t *testing.T, text string, over int) {
	t.Helper()
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.text != text || r.over != over {
		t.Errorf("read %d bytes %.60q and %d ends, want %d bytes %.60q and %d", len(r.text), r.text, r.over, len(text), text, over)
	}
}

// shows checks what a new reader reads at a hub.
func (h *cluster) shows(i int, id nod.AgentID, text string) {
	h.Helper()
	synctest.Wait()
	ctx, cancel := context.WithCancel(h.Context())
	got, done := "", make(chan struct{})
	go func() {
		defer close(done)
		for p := range h.hubs[i].Desk(anna).Drafts(ctx, id) {
			got += p.Text
		}
	}()
	synctest.Wait()
	cancel()
	if <-done; got != text {
		h.Errorf("hub %d shows %d bytes %.60q, want %d bytes %.60q", i, len(got), got, len(text), text)
	}
}

func (h *cluster) broadcasts(want ...int32) {
	h.Helper()
	synctest.Wait()
	for i, v := range h.conns {
		if n := v.sent.Load(); n != want[i] {
			h.Errorf("hub %d broadcast %d times, want %d", i, n, want[i])
		}
	}
}

type m = map[string]any

// receive is a broadcast of a hub that is not in the cluster.
func (h *cluster) receive(items ...any) {
	h.Helper()
	word, err := json.Marshal(m{"by": "a hub", "news": items})
	if err != nil {
		h.Fatal(err)
	}
	if err := h.store.Broadcast(h.Context(), word); err != nil {
		h.Fatal(err)
	}
	synctest.Wait()
}

func later(d time.Duration) { time.Sleep(d); synctest.Wait() }

const soon = 250 * time.Millisecond

func bubble(t *testing.T, hubs int, f func(t *testing.T, h *cluster)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, newCluster(t, hubs)) })
}
