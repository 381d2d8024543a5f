package wyoming

import (
	"context"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/pause"
	"nod/internal/talk"
)

const (
	announceTime = time.Minute      // for one announcement, spoken to its end
	keepTime     = 30 * time.Minute // after that an answer is of no use to the person
	mostKept     = 200              // clients
)

// later waits for an answer that takes longer than the person waits, and then delivers
// it.
func (c *call) later(o talk.Outcome) {
	c.s.tasks.Go(func() { c.hearOut(c.s.life, o) })
}

func (c *call) hearOut(ctx context.Context, o talk.Outcome) {
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

// elsewhere waits in case the request is answered on another surface: the person who
// asked should still hear what came of it.
func (c *call) elsewhere(r reply) {
	if r.came.Agent == nil || r.came.Message == "" {
		return
	}
	id, o := r.asks.ID, r.came
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

// deliver says something on the satellite, or keeps it until a person speaks there
// again. A question need not be kept: it is read out again anyway.
func (c *call) deliver(ctx context.Context, r reply) {
	if r.asks != nil {
		c.elsewhere(r)
	}
	if c.s.Announce != nil && c.satellite != "" {
		err := c.announce(ctx, r)
		if err == nil {
			return
		}
		c.s.Log.Warn("an answer could not be announced: it is told when somebody speaks there again", "satellite", c.satellite, "err", err)
	}
	if r.asks == nil {
		c.s.kept.put(c.client, r.text, c.s.Now())
	}
}

// announce says it now. A question that is settled before the satellite is free is not
// asked any more: the satellite itself may be asking it.
func (c *call) announce(ctx context.Context, r reply) error {
	hurry, stop := context.WithTimeout(ctx, announceTime)
	defer stop()
	if r.asks == nil {
		return c.s.Announce(hurry, c.satellite, r.text)
	}
	settled := c.s.link.Settled(r.asks.ID)
	c.s.tasks.Go(func() {
		select {
		case <-settled:
			stop()
		case <-hurry.Done():
		}
	})
	err := c.s.Announce(hurry, c.satellite, r.text)
	select {
	case <-settled:
		return nil
	default:
	}
	if err == nil {
		c.noteTold(ctx, r.asks.ID)
	}
	return err
}

// noteTold remembers what was read out: a yes counts for nothing else.
func (c *call) noteTold(ctx context.Context, id nod.RequestID) {
	c.s.told.Add(id, c.s.Hub)
	if err := c.desk.Shown(ctx, id); err != nil {
		c.s.Log.Warn("what was asked back is not noted", "request", id, "err", err)
	}
}

// Home Assistant sends its states over another connection, a moment later or earlier.
const (
	lookPause = 20 * time.Millisecond
	looks     = 25
)

// locate finds out which satellite waits for this answer.
func (s *Surface) locate(ctx context.Context) <-chan string {
	found := make(chan string, 1)
	s.tasks.Go(func() {
		for range looks {
			if id := s.Answering(); id != "" {
				found <- short(id)
				return
			}
			if !pause.For(ctx, lookPause) {
				return
			}
		}
	})
	return found
}

// kept are answers that have not been said yet, the newest of each client.
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
