package talk

import (
	"context"
	"slices"
	"sync"
	"time"
)

// flight is one question in progress, shared by all callers that wait for its answer.
// It continues when they disconnect.
type flight struct {
	of      historyHash
	mu      sync.Mutex
	text    []byte
	changed chan struct{} // closed at the next change
	landed  bool
	reply   Reply
	err     error
	at      time.Time // when it landed

	waiting int // guarded by flights.mu
}

func (f *flight) add(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.text = append(f.text, text...)
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *flight) land(r Reply, err error, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reply, f.err, f.landed, f.at = r, err, true, now
	close(f.changed)
	f.changed = make(chan struct{})
}

// follow passes the pieces to one caller, from the beginning. took: the caller was
// still there at the end.
func (f *flight) follow(ctx context.Context, piece func(string)) (reply Reply, took bool, err error) {
	for at := 0; ; {
		f.mu.Lock()
		more, landed, changed := string(f.text[at:]), f.landed, f.changed
		f.mu.Unlock()
		if at += len(more); more != "" && piece != nil {
			piece(more)
		}
		if landed && ctx.Err() == nil {
			return f.reply, true, f.err
		}
		if more != "" {
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Reply{}, false, context.Cause(ctx)
		}
	}
}

// flights are the questions in progress.
type flights struct {
	mu sync.Mutex
	of map[historyHash][]*flight
}

// retryTime is how long an answer whose caller disconnected is kept for a repetition
// of the question.
const retryTime = 2 * time.Minute

// join finds the flight of a question whose caller has disconnected; first: there is
// none, and the caller has to begin it. Two callers who ask the same and both wait get
// two flights.
func (s *flights) join(m historyHash, now time.Time) (f *flight, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[historyHash][]*flight{}
	}
	for key, list := range s.of {
		s.set(key, slices.DeleteFunc(list, func(f *flight) bool { return f.stale(now) }))
	}
	for _, f := range s.of[m] {
		if f.waiting == 0 {
			f.waiting++
			return f, false
		}
	}
	f = &flight{of: m, changed: make(chan struct{}), waiting: 1}
	s.of[m] = append(s.of[m], f)
	return f, true
}

// leave ends a join. An answer that was taken is not kept: asked again, the question
// is a new one.
func (s *flights) leave(f *flight, took bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiting--; took {
		s.set(f.of, slices.DeleteFunc(s.of[f.of], func(other *flight) bool { return other == f }))
	}
}

func (s *flights) set(m historyHash, list []*flight) {
	if len(list) == 0 {
		delete(s.of, m)
		return
	}
	s.of[m] = list
}

func (f *flight) stale(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.landed && f.waiting == 0 && now.Sub(f.at) > retryTime
}
