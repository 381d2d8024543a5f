package uplink

import (
	"context"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub"
	"nod/internal/sys/pause"
)

const (
	draftPatience = 5 * time.Second
	draftBytes    = 512 << 10 // in one request, if no single answer is longer
	mostAgain     = 3         // how often one answer is sent from its beginning
)

// sendDrafts sends what agents here are writing, until ctx ends. It needs no queue: the
// next piece has everything new. A hub of the previous release has no endpoint for it and
// gets nothing.
func (l *link) sendDrafts(ctx context.Context) error {
	writing, err := l.Hub.Desk(l.viewer()).Writing(ctx)
	if err != nil {
		return err
	}
	defer writing.Close()
	s := draftSender{link: l, writing: writing, again: map[nod.AgentID]int{}}
	for ctx.Err() == nil {
		pieces, err := s.next(ctx)
		if err != nil {
			return err
		}
		if !s.tell(ctx, pieces) {
			<-ctx.Done()
		}
		pause.For(ctx, wire.DraftEvery)
	}
	return context.Cause(ctx)
}

// draftSender sends drafts during one connection.
type draftSender struct {
	*link
	writing *hub.Writing
	again   map[nod.AgentID]int // how often the current answer was sent from its beginning
}

// next is what is new, or a heartbeat for what has nothing new.
func (s *draftSender) next(ctx context.Context) ([]nod.Draft, error) {
	for {
		wait, cancel := context.WithTimeout(ctx, wire.DraftLife/2)
		pieces, err := s.writing.Next(wait)
		quiet := wait.Err() != nil && ctx.Err() == nil
		cancel()
		if err != nil && quiet {
			pieces, err = s.writing.Open(), nil
		}
		if err != nil || len(pieces) > 0 {
			return pieces, err
		}
	}
}

// tell sends pieces in batches. It reports false if the hub elsewhere has no endpoint for
// them.
func (s *draftSender) tell(ctx context.Context, pieces []nod.Draft) bool {
	var batch []nod.Draft
	size := 0
	for i, p := range pieces {
		if s.again[p.Agent] <= mostAgain || p.Over {
			batch, size = append(batch, p), size+len(p.Text)
		}
		if p.Over {
			delete(s.again, p.Agent)
		}
		if len(batch) == 0 || size < draftBytes && i < len(pieces)-1 {
			continue
		}
		if !s.send(ctx, batch) {
			return false
		}
		batch, size = nil, 0
	}
	return true
}

func (s *draftSender) send(ctx context.Context, batch []nod.Draft) (known bool) {
	ctx, cancel := context.WithTimeout(ctx, draftPatience)
	defer cancel()
	again, err := s.Newer.Draft(ctx, wire.Drafts{Drafts: batch})
	for _, id := range again {
		s.again[id]++
		s.writing.Again(id)
	}
	return err == nil || nod.CodeOf(err) != nod.NotFound
}
