package wyoming

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/converse"
	"nod/internal/hub"
)

const (
	announceTime = time.Minute      // an announcement is spoken to its end
	keepTime     = 30 * time.Minute // after that nobody remembers having asked
	mostKept     = 200              // clients
)

// later waits for the end of a turn whose asker was told that it takes longer, and
// lets them hear it.
func (c *call) later(o converse.Outcome) {
	c.s.tasks.Go(func() { c.hearOut(c.s.life, o) })
}

func (c *call) hearOut(ctx context.Context, o converse.Outcome) {
	o, err := c.s.Asker.Wait(ctx, c.desk, o.Agent.ID, o.Message, nil)
	if ctx.Err() != nil {
		return // the answer is in the chat
	}
	if err != nil {
		c.s.Log.Warn("an answer that took long is lost for who asked", "err", err)
		return
	}
	c.deliver(ctx, c.tell(o))
}

// elsewhere waits for somebody to answer on a screen what was read out here: who
// asked should hear what came of it.
func (c *call) elsewhere(id nod.RequestID, o converse.Outcome) {
	c.s.tasks.Go(func() {
		select {
		case <-c.s.link.Settled(id):
		case <-c.s.life.Done():
			return
		}
		r, err := c.s.link.Request(c.s.life, id)
		if err == nil && r.Decision != nil && r.Decision.Via != via {
			c.hearOut(c.s.life, o)
		}
	})
}

// deliver says something on the satellite, or keeps it until somebody speaks there
// again. A question needs no keeping: whoever speaks next hears it.
func (c *call) deliver(ctx context.Context, r reply) {
	if c.s.Announce != nil && c.satellite != "" {
		hurry, stop := context.WithTimeout(ctx, announceTime)
		err := c.s.Announce(hurry, c.satellite, r.text)
		stop()
		if err == nil {
			if r.asks != nil {
				c.noteTold(ctx, r)
			}
			return
		}
		c.s.Log.Warn("an answer could not be announced: it is told when somebody speaks there again", "satellite", c.satellite, "err", err)
	}
	if r.asks == nil {
		c.s.kept.put(c.client, r.text, c.s.Now())
	}
}

// noteTold: a yes is for what was told and for nothing else.
func (c *call) noteTold(ctx context.Context, r reply) {
	c.s.told.add(r.asks.ID, c.s.Hub)
	if err := c.desk.Shown(ctx, r.asks.ID); err != nil {
		c.s.Log.Warn("what was asked back is not noted", "request", r.asks.ID, "err", err)
	}
	if r.came.Agent != nil && r.came.Message != "" {
		c.elsewhere(r.asks.ID, r.came)
	}
}

// kept is answers that nobody has heard yet, the newest for each client.
type kept struct {
	mu sync.Mutex
	of map[string]unheard
}

type unheard struct {
	text string
	at   time.Time
}

func (k *kept) put(client, text string, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[string]unheard{}
	}
	for other, u := range k.of {
		if now.Sub(u.at) > keepTime {
			delete(k.of, other)
		}
	}
	if len(k.of) < mostKept {
		k.of[client] = unheard{text, now}
	}
}

func (k *kept) take(client string, now time.Time) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	u := k.of[client]
	delete(k.of, client)
	if now.Sub(u.at) > keepTime {
		return ""
	}
	return u.text
}

// told is what was read out at this door: a yes hangs on it. It is not kept over a
// restart: nothing that is asked survives one.
type told struct {
	mu sync.Mutex
	of map[nod.RequestID]struct{}
}

// enoughTold is when it is looked for what is settled by now.
const enoughTold = 256

func (t *told) add(id nod.RequestID, h *hub.Hub) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[nod.RequestID]struct{}{}
	}
	if len(t.of) >= enoughTold {
		h.Look(func(s *nod.State) {
			for old := range t.of {
				if r := s.Requests[old]; r == nil || r.Settled() {
					delete(t.of, old)
				}
			}
		})
	}
	t.of[id] = struct{}{}
}

func (t *told) has(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	return ok
}

// drop forgets one, and reports whether it was there.
func (t *told) drop(id nod.RequestID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.of[id]
	delete(t.of, id)
	return ok
}
