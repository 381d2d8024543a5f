package claude

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/sys/pause"
)

// waitingHooks are the hooks that wait for a decision. One follower of the log sends
// decisions to all of them, and one ticker heartbeats.
type waitingHooks struct {
	driver *Driver

	mu    sync.Mutex
	calls map[nod.RequestID]int            // calls for a request, including those that are just being raised
	hooks map[nod.RequestID][]*waitingHook // more than one for a moment, when a hook comes back
	ended bool                             // connections without a handler were broken
}

// waitingHook is one of them.
type waitingHook struct {
	id       nod.RequestID
	response response
	finished chan struct{} // closed after the last line

	mu   sync.Mutex // over the response
	over bool       // the last line was sent, or the hook is gone
}

func newWaitingHooks(d *Driver) *waitingHooks {
	return &waitingHooks{driver: d, calls: map[nod.RequestID]int{}, hooks: map[nod.RequestID][]*waitingHook{}}
}

// enter counts a call for a request; leave ends it.
func (w *waitingHooks) enter(id nod.RequestID) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[id]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.calls[id]--; w.calls[id] == 0 {
			delete(w.calls, id)
		}
	}
}

// lost gives a hook time to come back for its request.
func (w *waitingHooks) lost(id nod.RequestID, local bool) {
	patience := w.driver.timing.remote
	if local {
		patience = w.driver.timing.local
	}
	w.driver.Lost(id, patience, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.calls[id] > 0
	})
}

// add lets a hook wait for the decision about a request. stop takes it out again.
func (w *waitingHooks) add(r *nod.Request, out response) (h *waitingHook, stop func()) {
	_, unwatch := w.driver.Watch(r)
	leave := w.enter(r.ID)
	h = &waitingHook{id: r.ID, response: out, finished: make(chan struct{})}
	w.mu.Lock()
	w.hooks[r.ID] = append(w.hooks[r.ID], h)
	ended := w.ended
	w.mu.Unlock()
	if ended { // between its first line and here
		h.disconnect()
	}
	w.deliverSettled(r.ID) // it may have been settled before it was added
	return h, func() {
		w.mu.Lock()
		rest := slices.DeleteFunc(slices.Clone(w.hooks[h.id]), func(o *waitingHook) bool { return o == h })
		if w.hooks[h.id] = rest; len(rest) == 0 {
			delete(w.hooks, h.id)
		}
		w.mu.Unlock()
		unwatch()
		leave()
	}
}

// run sends decisions and heartbeats until ctx ends. Then it breaks every detached
// connection, so that the hooks look for the next hub.
func (w *waitingHooks) run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { w.follow(ctx) })
	all.Go(func() { w.sendHeartbeats(ctx) })
	all.Wait()
	w.mu.Lock()
	w.ended = true
	w.mu.Unlock()
	for _, h := range w.all() {
		h.disconnect()
	}
}

// disconnect breaks a connection that has no handler any more.
func (h *waitingHook) disconnect() {
	if conn, ok := h.response.(detached); ok {
		h.end()
		_ = conn.Close()
	}
}

// followAgain is how soon the log is followed again after it could not be read.
const followAgain = time.Second

func (w *waitingHooks) follow(ctx context.Context) {
	for again := true; again; again = pause.For(ctx, followAgain) {
		var after nod.Seq
		w.driver.link.State(func(s *nod.State) { after = s.Seq })
		for _, h := range w.all() { // the log does not repeat what was settled before
			w.deliverSettled(h.id)
		}
		for e, err := range w.driver.link.Follow(ctx, after) {
			if err != nil {
				w.driver.Log.Error("waiting hooks get no answers for a moment", "err", err)
				break
			}
			switch e.Kind {
			case nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
				w.deliver(e.RequestID)
			}
		}
	}
}

// deliverSettled sends hooks their last line if their request is settled.
func (w *waitingHooks) deliverSettled(id nod.RequestID) {
	select {
	case <-w.driver.link.Settled(id):
		w.deliver(id)
	default:
	}
}

// deliver sends the hooks of a settled request their last line.
func (w *waitingHooks) deliver(id nod.RequestID) {
	w.mu.Lock()
	waiting := w.hooks[id]
	w.mu.Unlock()
	if len(waiting) == 0 {
		return
	}
	output := w.driver.Outcome(context.Background(), id)
	if len(output) > 0 {
		output = append(output, '\n')
	}
	for _, h := range waiting {
		go h.finish(output) // a hook that does not read must not block the others
	}
}

func (w *waitingHooks) sendHeartbeats(ctx context.Context) {
	for pause.For(ctx, wire.HeartbeatSeconds*time.Second) {
		for _, h := range w.all() {
			h.heartbeat()
		}
	}
}

func (w *waitingHooks) all() []*waitingHook {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*waitingHook
	for _, hooks := range w.hooks {
		list = append(list, hooks...)
	}
	return list
}

// finish sends the last line, once; without one the response just ends. A failure shows
// when the connection ends.
func (h *waitingHook) finish(output []byte) {
	if h.end() {
		_ = h.response.finish(output)
		close(h.finished)
	}
}

// end marks the wait as over, and reports whether it was not before.
func (h *waitingHook) end() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := !h.over
	h.over = true
	return first
}

// heartbeat sends an empty line, unless the last line was sent.
func (h *waitingHook) heartbeat() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.over {
		_ = h.response.send([]byte("\n"))
	}
}

// untilGone reads until the hook closes the connection or, with protocol 1, sends its mark.
func (h *waitingHook) untilGone(conn net.Conn) (mark byte) {
	defer conn.Close()
	var b [1]byte
	for {
		_, err := conn.Read(b[:])
		if !errors.Is(err, os.ErrDeadlineExceeded) || !h.unlimited(conn) {
			return b[0]
		}
	}
}

// unlimited removes a read deadline that is not ours: the server sets one for the rest of
// a body when the handler returns. It reports false after the last line, when the
// deadline is ours.
func (h *waitingHook) unlimited(conn net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.over && conn.SetReadDeadline(time.Time{}) == nil
}
