package voicepe

import (
	"context"
	"slices"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// retryTime is how long to wait before something that failed is tried again.
const retryTime = time.Second

// follow keeps the list in step with the log. began is called when it does.
func (s *Surface) follow(ctx context.Context, began func()) {
	s.watcher().Mirror(ctx, func(state *nod.State) {
		s.counted.Begin(state)
		began()
		s.pending.wake()
	}, func(e *nod.Event) {
		s.counted.Follow(e)
		switch e.Kind {
		case nod.RequestRaised, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
			s.pending.wake()
		case nod.AgentChanged:
			s.finished(ctx, e.Agent)
		}
	})
}

// refresh takes what is pending from the hub itself rather than from the events so
// far, because the number of requests is part of what is said.
func (s *Surface) refresh() {
	var list []*nod.Request
	s.Hub.Look(func(state *nod.State) { list = state.PendingOf("") })
	s.pending.set(slices.DeleteFunc(list, func(r *nod.Request) bool { return !fits(r) }))
}

// present publishes what is pending and what is settled, in order. It begins when the
// log is followed, so that no end of a task is missed.
func (s *Surface) present(ctx context.Context, following <-chan struct{}) {
	select {
	case <-ctx.Done():
		return
	case <-following:
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.pending.ready:
		}
		s.refresh()
		over, show := s.pending.turn()
		if over != nil {
			s.out.withdraw(ctx, over)
		}
		if show == nil {
			continue
		}
		// It may be answered as soon as it is published, before the broker confirms.
		s.pending.markSent(show)
		if err := s.out.say(ctx, s.words.describe(show)); err != nil {
			s.pending.unsent(show)
			s.tasks.spawn(func() { pause.For(ctx, retryTime); s.pending.wake() })
			continue
		}
		s.tasks.spawn(func() {
			if err := s.watcher().Shown(ctx, show.request.ID); err != nil && ctx.Err() == nil {
				s.Log.Debug("that a request was shown was not noted", "request", show.request.ID, "err", err)
			}
		})
	}
}

// fits reports whether a puck can ask a request at all. It cannot ask forms and
// questions without choices; they wait on a screen.
func fits(r *nod.Request) bool {
	switch r.Kind {
	case nod.KindApproval, nod.KindPlan:
		return true
	case nod.KindQuestion:
		return len(r.Questions) > 0 && !slices.ContainsFunc(r.Questions, func(q nod.Question) bool { return len(q.Choices) == 0 })
	}
	return false
}
