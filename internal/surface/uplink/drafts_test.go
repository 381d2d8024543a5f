package uplink_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/surface/uplink"
)

// reads follows what an agent writes, as a person at the hub elsewhere sees it, until it
// has read a text or its end.
func (p *pair) reads(id nod.AgentID) (until func(text string), over func()) {
	ctx, cancel := context.WithTimeout(p.Context(), 20*time.Second)
	p.Cleanup(cancel)
	pieces := make(chan nod.Draft)
	go func() {
		defer close(pieces)
		for d, err := range p.far.Desk(person("anna")).Drafts(ctx, id) {
			if err == nil {
				select {
				case pieces <- d:
				case <-ctx.Done():
				}
			}
		}
	}()
	var got strings.Builder
	until = func(text string) {
		p.Helper()
		for got.String() != text {
			d, ok := <-pieces
			if !ok || d.Over || !strings.HasPrefix(text, got.String()) {
				p.Fatalf("it reads %q (%+v), not %q", got.String(), d, text)
			}
			if d.At == 0 {
				got.Reset()
			}
			got.WriteString(d.Text)
		}
	}
	over = func() {
		p.Helper()
		if d, ok := <-pieces; !ok || !d.Over {
			p.Fatalf("%+v and not the end", d)
		}
		got.Reset()
	}
	return until, over
}

func TestDraftsAreSeenElsewhere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.until(p.far, "the agent", known("agent-1"))
	until, over := p.reads("agent-1")
	near := p.Hub.Link("test")
	near.Draft("agent-1", "message-1", "Once ")
	until("Once ")
	text := "Once "
	for range 1000 { // as fast as it can
		near.Draft("agent-1", "message-1", "and ")
		text += "and "
	}
	until(text)
	near.DraftOver("agent-1")
	over()

	// The connection breaks in the middle: the draft continues without a gap.
	near.Draft("agent-1", "message-2", "Upon ")
	until("Upon ")
	p.partition(true)
	near.Draft("agent-1", "message-2", "a ")
	p.partition(false)
	near.Draft("agent-1", "message-2", "time")
	until("Upon a time")
}

// taker is a hub elsewhere that accepts everything; drafts handles drafts.
type taker struct {
	dead
	drafts func(wire.Drafts) ([]nod.AgentID, error)
}

func (f *taker) Hello(context.Context, wire.Hello) (wire.Welcome, error) {
	return wire.Welcome{}, nil
}
func (f *taker) Tell(_ context.Context, facts wire.Facts) (nod.Seq, error) {
	return facts.Upto, nil
}
func (f *taker) Orders(ctx context.Context, _ nod.Seq, _ func(nod.Event) error) error {
	<-ctx.Done()
	return context.Cause(ctx)
}
func (f *taker) Offer(context.Context, wire.Offer) error { return nil }
func (f *taker) Draft(_ context.Context, d wire.Drafts) ([]nod.AgentID, error) {
	return f.drafts(d)
}

// visit links a hub with a taker, in fake time.
func visit(t *testing.T, answer func(wire.Drafts) ([]nod.AgentID, error)) hub.Link {
	near := hubtest.New(t, hubtest.Options{Settle: synctest.Wait})
	far := &taker{drafts: answer}
	near.Run(uplink.New(uplink.Config{Hub: "there"}, deps(near.Hub, t.TempDir()), uplink.Needs{Far: far, Newer: far}).Run)
	return near.Link
}

// A hub of the previous release has no endpoint for drafts: it is tried once.
func TestOldHubGetsNoDrafts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		near := visit(t, func(wire.Drafts) ([]nod.AgentID, error) {
			told++
			return nil, nod.Errorf(nod.NotFound, "there is nothing at /v1/link/drafts")
		})
		for range 100 {
			near.Draft("agent-1", "message-1", "and ")
			time.Sleep(time.Second)
		}
		if synctest.Wait(); told != 1 {
			t.Errorf("it was told %d times", told)
		}
	})
}

// told is what a taker got since the last call.
type told struct {
	mu   sync.Mutex
	list []nod.Draft
	lose bool
}

func (r *told) take(d wire.Drafts) ([]nod.AgentID, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lose {
		return nil, nod.Errorf(nod.Unavailable, "away")
	}
	r.list = append(r.list, d.Drafts...)
	return nil, nil
}

func (r *told) after(d time.Duration, lose bool) []nod.Draft {
	time.Sleep(d)
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list, r.lose = nil, lose
	return list
}

// Drafts are sent four times a second at most, the latest wins, and heartbeats are sent.
func TestDraftsAreThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r told
		near := visit(t, r.take)
		for range 1000 {
			near.Draft("agent-1", "message-1", "x")
			time.Sleep(time.Millisecond)
		}
		list, got := r.after(time.Second, false), ""
		for _, d := range list {
			if d.At != len(got) {
				t.Fatalf("a piece at %d after %d bytes", d.At, len(got))
			}
			got += d.Text
		}
		if len(got) != 1000 || len(list) > 5 {
			t.Errorf("%d bytes in %d pieces", len(got), len(list))
		}
		if list := r.after(wire.DraftLife, true); len(list) == 0 || list[0].At != 1000 || list[0].Text != "" {
			t.Errorf("a silence is told as %+v", list)
		}
		near.Draft("agent-1", "message-1", "lost")
		r.after(time.Second, false)
		near.DraftOver("agent-1")
		if list := r.after(time.Second, false); len(list) != 1 || !list[0].Over {
			t.Errorf("the end is told as %+v", list)
		}
	})
}

// An answer whose beginning the hub elsewhere does not know is sent again, but not for
// ever.
func TestDraftIsResentFromItsBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []nod.Draft
		near := visit(t, func(d wire.Drafts) ([]nod.AgentID, error) {
			told = append(told, d.Drafts...)
			return []nod.AgentID{"agent-1"}, nil
		})
		for range 100 {
			near.Draft("agent-1", "message-1", "x")
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if len(told) < 2 || len(told) > 10 || told[1].At != 0 || !strings.HasPrefix(told[1].Text, told[0].Text) {
			t.Errorf("told %+v", told)
		}
	})
}
