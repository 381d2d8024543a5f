package hub

import (
	"context"
	"iter"
	"sync"

	"nod"
)

// longestDraft bounds what is kept of an answer while it is written. A person does not
// read more than this before it is finished, and then the log has all of it.
const longestDraft = 1 << 20

// drafts are the answers that are being written now. They are no facts: they are
// kept in memory, and a reader that comes late gets all that is there so far.
type drafts struct {
	mu  sync.Mutex
	of  map[nod.AgentID]*draft
	any chan struct{} // closed at the next change of any of them; nil: no reader waits

	outbox *outbox // for other hubs; nil: there are none
}

type draft struct {
	number    int // counts the drafts of an agent
	message   nod.MessageID
	text      []byte
	full      bool // more does not fit: what follows would have a hole before it
	over      bool
	changed   chan struct{} // closed at the next change
	readers   int
	exchanged // with other hubs
}

// find is the draft of an agent; the lock is held.
func (d *drafts) find(id nod.AgentID) *draft {
	found, ok := d.of[id]
	if !ok {
		found = &draft{over: true, changed: make(chan struct{})}
		d.of[id] = found
	}
	return found
}

func (f *draft) notify() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Draft adds words to the answer that an agent is writing; those for another
// message begin a new one.
func (l Link) Draft(id nod.AgentID, message nod.MessageID, more string) {
	d := &l.hub.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.find(id)
	if f.over || f.message != message {
		f.begin(message)
	}
	f.add([]byte(more))
	f.writtenHere()
	d.notify()
}

// anyChange is closed at the next change of any draft; the lock is held.
func (d *drafts) anyChange() <-chan struct{} {
	if d.any == nil {
		d.any = make(chan struct{})
	}
	return d.any
}

// notify wakes the readers of all drafts; the lock is held.
func (d *drafts) notify() {
	if d.any != nil {
		close(d.any)
		d.any = nil
	}
}

// DraftOver ends what an agent was writing: the log has the answer, or there
// will be none.
func (l Link) DraftOver(id nod.AgentID) {
	d := &l.hub.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.of[id]; ok && !f.over {
		d.sendEnd(id, f)
		d.end(id, f)
	}
}

// DraftSilent ends what an agent was writing through this hub and has not gone on
// with, unless it went on through another hub.
func (l Link) DraftSilent(id nod.AgentID) {
	d := &l.hub.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok := d.of[id]; ok && !f.over && !f.remote {
		d.sendEnd(id, f)
		d.end(id, f)
	}
}

// end ends a draft; the lock is held.
func (d *drafts) end(id nod.AgentID, f *draft) {
	f.over, f.text = true, nil
	f.notify()
	d.notify()
	d.sweep(id, f)
}

// sweep forgets a draft that is over and has no readers.
func (d *drafts) sweep(id nod.AgentID, f *draft) {
	if f.over && f.readers == 0 {
		delete(d.of, id)
	}
}

// Drafts yields what an agent is writing, piece by piece, from the beginning of
// the answer it is at, and then of every answer it begins, until ctx ends.
func (d Desk) Drafts(ctx context.Context, id nod.AgentID) iter.Seq2[nod.Draft, error] {
	return func(yield func(nod.Draft, error) bool) {
		if err := d.require(ctx, nod.View, "read what agent "+string(id)+" writes"); err != nil {
			yield(nod.Draft{}, err)
			return
		}
		f := d.hub.drafts.enter(id)
		defer d.hub.drafts.leave(id, f)
		at := position{over: true}
		for {
			piece, news, changed := d.hub.drafts.next(id, f, &at)
			if news {
				if !yield(piece, nil) {
					return
				}
				continue
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			case <-d.hub.writer.done:
				return
			}
		}
	}
}

// position is how far a reader has read.
type position struct {
	number  int
	offset  int
	message nod.MessageID
	over    bool // it knows that the draft is over
}

// next is what a reader has not read yet, if there is anything.
func (d *drafts) next(id nod.AgentID, f *draft, p *position) (piece nod.Draft, news bool, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.number != p.number && !p.over { // it was over, and the next has begun already
		p.over = true
		return nod.Draft{Agent: id, Message: p.message, At: p.offset, Over: true}, true, nil
	}
	if !f.over && f.number != p.number {
		*p = position{number: f.number, message: f.message}
	}
	switch {
	case f.number == p.number && p.offset < len(f.text):
		piece = nod.Draft{Agent: id, Message: f.message, At: p.offset, Text: string(f.text[p.offset:])}
		p.offset = len(f.text)
		return piece, true, nil
	case f.over && !p.over:
		p.over = true
		return nod.Draft{Agent: id, Message: p.message, At: p.offset, Over: true}, true, nil
	}
	return nod.Draft{}, false, f.changed
}

func (d *drafts) enter(id nod.AgentID) *draft {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.find(id)
	f.readers++
	return f
}

func (d *drafts) leave(id nod.AgentID, f *draft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f.readers--
	d.sweep(id, f)
}
