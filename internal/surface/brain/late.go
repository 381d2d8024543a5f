package brain

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
)

const (
	keepTime = 30 * time.Minute // after that an answer is of no use to the person
	mostLate = 200              // answers that nobody has heard
)

// place is where a question is asked. Whoever asks there next hears what came late.
type place struct{ room, user, client string }

func (p place) is(other place) bool {
	same := strings.EqualFold(p.room, other.room) && strings.EqualFold(p.user, other.user)
	return same && (p.room != "" || p.user != "" || p.client == other.client)
}

// late is a question whose answer its caller did not wait for.
type late struct {
	place
	agent   nod.AgentID
	message nod.MessageID
	at      time.Time
}

// lateAnswers remembers which answers nobody has heard. The answers are in the log.
type lateAnswers struct {
	mu   sync.Mutex
	list []late
}

// add remembers a question; the oldest are forgotten.
func (l *lateAnswers) add(one late) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(old late) bool { return old.message == one.message || one.at.Sub(old.at) > keepTime })
	l.list = append(l.list, one)
	l.list = l.list[max(0, len(l.list)-mostLate):]
}

// take removes the questions that fit.
func (l *lateAnswers) take(fits func(late) bool) (taken []late) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(one late) bool {
		if fits(one) {
			taken = append(taken, one)
			return true
		}
		return false
	})
	return taken
}

// keepLate remembers the question if its caller does not hear the answer: it took too
// long, or the caller has hung up.
func (c *call) keepLate(ctx context.Context) {
	if c.came.Agent != nil && c.came.Message != "" && (c.came.Late || ctx.Err() != nil) {
		c.s.late.add(late{c.from, c.came.Agent.ID, c.came.Message, c.s.Now()})
	}
}

// before are the answers to earlier questions asked here that came since, in words.
func (c *call) before(ctx context.Context) (texts []string) {
	for _, one := range c.s.late.take(func(one late) bool {
		return one.message != c.came.Message && (one.is(c.from) || c.talk != nil && one.agent == c.talk.ID)
	}) {
		o, err := c.s.asker.Ended(ctx, c.desk, one.agent, one.message)
		switch {
		case err == nil && o == nil: // not yet
			c.s.late.add(one)
		case err != nil || c.s.Now().Sub(one.at) > keepTime:
		case o.Trouble != "":
			texts = append(texts, c.say.Say(words.WyomingBefore, talk.TroubleText(c.say, *o, c.s.Now())))
		default:
			texts = append(texts, c.say.Say(words.WyomingBefore, strings.Join(c.ear.Shortly(o.Text), " ")))
		}
	}
	return texts
}

// tell puts late answers before an answer.
func (a *answer) tell(before []string) {
	if len(before) > 0 {
		a.Text = strings.Join(append(before, a.Text), " ")
	}
}

// stops reports whether the words tell the assistant to stop what it does. To a request
// that was read out they are a no.
func (c *call) stops(asked *nod.Request, text string) bool {
	return c.talk != nil && (asked == nil || !c.s.told.Has(asked.ID)) && ear.Stops(text) && c.s.asker.AtWork(c.talk.ID)
}

// stop interrupts the conversation.
func (c *call) stop(ctx context.Context) (*answer, error) {
	id := c.talk.ID
	c.s.late.take(func(one late) bool { return one.agent == id }) // nobody wants to hear it any more
	stopped, err := c.s.asker.Stop(ctx, c.desk, id)
	if err != nil {
		return nil, err
	}
	a := c.plain(c.say.Say(words.BrainHalted))
	if !stopped {
		a = c.plain(c.say.Say(words.BrainHalting))
	}
	a.Cancelled = &stopped
	return a, nil
}
