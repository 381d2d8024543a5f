package voicepe

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"nod"
)

// showing is what a person is asked: a request, or one of its questions.
type showing struct {
	request  *nod.Request
	question int  // which of its questions
	sure     bool // it was allowed once, and takes a second yes
	answers  nod.Answers
	sent     bool // it was published
	answered bool // on this surface
	index    int  // in the task of its agent
	total    int
	ongoing  bool // total is only what is known so far
}

// key is its name on the wire. Every question of a request has its own name, so that
// an answer that arrives twice does not answer two of them.
func (w *showing) key() string {
	switch {
	case w.sure:
		return string(w.request.ID) + sureMark
	case w.question > 0:
		return string(w.request.ID) + "." + strconv.Itoa(w.question+1)
	}
	return string(w.request.ID)
}

// sureMark ends the name of a request that takes a second yes.
const sureMark = ".sure"

// requestOf is the request that a name on the wire is about.
func requestOf(key string) nod.RequestID { return nod.RequestID(strings.TrimSuffix(key, sureMark)) }

// pendingList holds the pending requests, of which one at a time is shown to the
// person, the oldest first.
type pendingList struct {
	mu      sync.Mutex
	up      bool
	waiting []*nod.Request
	givenUp map[nod.RequestID]bool // the puck does not wait for these any more
	shown   map[string]*showing    // what may be answered, by its name on the wire
	current *showing
	series  nod.AgentID // whose approvals come one after the other
	count   func(agent nod.AgentID, pending int) (index, total int, ongoing bool)
	ready   chan struct{}
}

func (b *pendingList) init() {
	b.givenUp, b.shown, b.ready = map[nod.RequestID]bool{}, map[string]*showing{}, make(chan struct{}, 1)
}

func (b *pendingList) wake() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// connected notes the state of the connection. What was shown before it was lost
// may not have arrived.
func (b *pendingList) connected(up bool) {
	b.mu.Lock()
	b.up = up
	if b.current != nil {
		b.current.sent = false
	}
	b.mu.Unlock()
	b.wake()
}

// set takes over what is pending.
func (b *pendingList) set(list []*nod.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting = list
	for id := range b.givenUp {
		if !slices.ContainsFunc(list, func(r *nod.Request) bool { return r.ID == id }) {
			delete(b.givenUp, id)
		}
	}
}

// giveUp takes a request from the puck. It stays pending for other surfaces.
func (b *pendingList) giveUp(id nod.RequestID) {
	b.mu.Lock()
	b.givenUp[id] = true
	b.mu.Unlock()
	b.wake()
}

// find returns what was shown under a name.
func (b *pendingList) find(key string) *showing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown[key]
}

// answer marks something as answered on this surface, before the hub is asked,
// because the event may arrive first.
func (b *pendingList) answer(w *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.answered = true
	delete(b.shown, w.key())
}

// undo reverts answer, because the hub refused it.
func (b *pendingList) undo(w *showing) {
	b.mu.Lock()
	w.answered = false
	b.shown[w.key()] = w
	b.mu.Unlock()
	b.wake()
}

// next shows the next question of the same request.
func (b *pendingList) next(w *showing) {
	b.mu.Lock()
	if b.current == nil || b.current.request.ID == w.request.ID {
		b.current = &showing{request: w.request, question: w.question + 1, answers: w.answers}
	}
	b.mu.Unlock()
	b.wake()
}

// again asks once more whether something may be done.
func (b *pendingList) again(w *showing) {
	b.mu.Lock()
	w.answered = true
	delete(b.shown, w.key())
	b.current = &showing{request: w.request, sure: true, index: w.index, total: w.total, ongoing: w.ongoing}
	b.mu.Unlock()
	b.wake()
}

// turn returns what has to be published now: what needs no answer any more, and what
// is shown next.
func (b *pendingList) turn() (over, show *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	waits := func(id nod.RequestID) bool {
		return !b.givenUp[id] && slices.ContainsFunc(b.waiting, func(r *nod.Request) bool { return r.ID == id })
	}
	if c := b.current; c != nil && !waits(c.request.ID) {
		if c.sent && !c.answered && !b.givenUp[c.request.ID] {
			over = c
		}
		b.current = nil
	}
	for key, w := range b.shown { // what is settled needs no answer
		if !slices.ContainsFunc(b.waiting, func(r *nod.Request) bool { return r.ID == w.request.ID }) {
			delete(b.shown, key)
		}
	}
	if b.current == nil || b.current.answered {
		b.choose(waits)
	}
	if c := b.current; c != nil && !c.sent && !c.answered && b.up {
		show = c
	}
	return over, show
}

// choose takes the oldest request, and several of one agent in a row: a person
// should not jump between tasks.
func (b *pendingList) choose(waits func(nod.RequestID) bool) {
	answered := b.current
	b.current = nil
	var first *nod.Request
	left := 0
	for _, r := range b.waiting {
		if !waits(r.ID) || answered != nil && r.ID == answered.request.ID {
			continue
		}
		if first == nil || r.Agent.ID == b.series && first.Agent.ID != b.series {
			first = r
		}
	}
	if first == nil {
		b.series = ""
		if answered != nil {
			b.current = answered // until the log says that it is settled
		}
		return
	}
	b.series = first.Agent.ID
	for _, r := range b.waiting {
		if r.Agent.ID == b.series && r.Kind == nod.KindApproval && waits(r.ID) && (answered == nil || r.ID != answered.request.ID) {
			left++
		}
	}
	b.current = &showing{request: first}
	if first.Kind != nod.KindApproval {
		return
	}
	if index, total, ongoing := b.count(b.series, left); total > 1 {
		b.current.index, b.current.total, b.current.ongoing = index, total, ongoing
	}
}

// markSent notes that something was published.
func (b *pendingList) markSent(w *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.sent = true
	b.shown[w.key()] = w
}

// unsent notes that something could not be published.
func (b *pendingList) unsent(w *showing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.sent = false
}

// shownNow is what a person was asked last and has not answered; nil: nothing.
func (b *pendingList) shownNow() *showing {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.current; c != nil && c.sent && !c.answered {
		return c
	}
	return nil
}
