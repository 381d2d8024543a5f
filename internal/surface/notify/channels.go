package notify

import (
	"maps"
	"slices"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/notify"
)

// lookAgain bounds a wait for the end of quiet hours: the clock may be set, and the
// machine may sleep.
const lookAgain = time.Minute

// channels plans what each channel should show, from the requests that wait and the
// news, and knows what each of them shows.
type channels struct {
	list    []*target
	ladder  notify.Ladder
	pending *hub.PendingList

	mu   sync.Mutex
	news map[nod.AgentID]notify.News
}

// find is the channel of a name, or nil.
func (c *channels) find(name string) *target { return find(c.list, name) }

// find is the channel of a name, or nil.
func find(list []*target, name string) *target {
	i := slices.IndexFunc(list, func(t *target) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return list[i]
}

// wake makes every channel compare again.
func (c *channels) wake() {
	for _, t := range c.list {
		t.wake()
	}
}

// forget drops what is known of requests and agents.
func (c *channels) forget() {
	c.pending.Forget()
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.news)
}

// tell adds the news of an agent, in place of older news.
func (c *channels) tell(news notify.News) {
	c.mu.Lock()
	c.news[news.Agent.ID] = news
	c.mu.Unlock()
	c.wake()
}

// next is what to do now on a channel. Without anything, wait is when to look
// again; 0 means when woken.
func (c *channels) next(t *target, now time.Time) (todo job, wait time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	waiting, known := c.pending.Now()
	if !known {
		return job{}, 0, false
	}
	if rest := t.pulse.Before.Sub(now); rest > 0 {
		return job{}, rest, false
	}
	plan, wait := c.plan(t, waiting, now)
	until, awake := t.person.Awake(now)
	if !awake {
		wait = sooner(wait, min(until.Sub(now), lookAgain))
	}
	if j, later, ok := t.toShow(plan, awake, now); ok {
		return j, 0, true
	} else if later > 0 {
		wait = sooner(wait, later)
	}
	j, ok := t.toSettle(plan)
	return j, wait, ok
}

// plan is what should be on the channel. The lock is held.
func (c *channels) plan(t *target, waiting []*nod.Request, now time.Time) (plan []notify.Item, wait time.Duration) {
	var reached []*nod.Request
	for _, r := range waiting {
		var life time.Duration
		if r.ExpiresAt != nil {
			life = r.ExpiresAt.Sub(r.AskedAt)
		}
		to, next := c.ladder.Reached(now.Sub(r.AskedAt), life, func(name string) bool { return c.usable(t, name, now) })
		if slices.Contains(to, t.Name) || t.has(r.ID) {
			reached = append(reached, r)
			continue
		}
		wait = sooner(wait, next)
	}
	_, together := t.shown[notify.AllKey]
	if c.firstOf(t.person) != t {
		return notify.Plan(reached, nil, nil, together), wait
	}
	var news []notify.News
	for id, n := range c.news {
		switch {
		case !n.Fresh(now):
			delete(c.news, id)
		case t.person.News:
			if n.Kind == notify.Limited && n.Until != nil && n.Until.After(now) {
				wait = sooner(wait, n.Until.Sub(now))
			}
			news = append(news, n.AsOf(now))
		}
	}
	slices.SortFunc(news, func(a, b notify.News) int { return a.At.Compare(b.At) })
	return notify.Plan(reached, news, c.troubles(t), together), wait
}

// usable reports whether a rung counts: its person is awake and its channel works. For
// its own plan a channel always works.
func (c *channels) usable(t *target, channel string, now time.Time) bool {
	other := c.find(channel)
	_, awake := other.person.Awake(now)
	return awake && (other == t || !other.pulse.Dead())
}

// firstOf is the channel on which a person gets what needs no answer: the first one that
// works.
func (c *channels) firstOf(p *notify.Person) *target {
	var first *target
	for _, t := range c.list {
		if t.person != p {
			continue
		}
		if !t.pulse.Dead() {
			return t
		}
		if first == nil {
			first = t
		}
	}
	return first
}

// troubles are the other channels that do not work.
func (c *channels) troubles(t *target) []string {
	var list []string
	for _, other := range c.list {
		if other != t && other.pulse.Dead() {
			list = append(list, other.Name)
		}
	}
	return list
}

// delivered records that something arrived on a channel, and what changed by it. It
// reports whether the channel did not work before.
func (c *channels) delivered(t *target, change func()) (recovered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	recovered = t.pulse.Dead()
	t.pulse.Well()
	change()
	return recovered
}

// failed records that something did not arrive. What is refused is not tried again;
// everything else is, later. It reports whether the channel stopped working by it.
func (c *channels) failed(t *target, todo job, f *notify.Failure, now time.Time) (died bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	dead := t.pulse.Dead()
	t.pulse.Failed(f, now)
	if f.Outcome == notify.Refused {
		if todo.item != nil {
			t.refused[todo.key] = todo.item.Version
		} else {
			delete(t.shown, todo.key)
		}
	}
	return !dead && t.pulse.Dead()
}

// shown is what each channel shows, by the channel's name.
func (c *channels) shown() map[string]map[string]shown {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]map[string]shown{}
	for _, t := range c.list {
		if len(t.shown) > 0 {
			all[t.Name] = maps.Clone(t.shown)
		}
	}
	return all
}

// restore replaces what each channel shows: another hub may have taken back what this
// one showed earlier.
func (c *channels) restore(all map[string]map[string]shown) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.list {
		clear(t.shown)
		maps.Copy(t.shown, all[t.Name])
	}
}
