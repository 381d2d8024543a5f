package hub

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"nod"
)

// Writing is what all agents of a hub are writing, for a caller that passes it on. It
// holds how far that was read, so a slow reader reads more at once, and misses
// nothing but what is over by then.
type Writing struct {
	hub *Hub
	at  map[nod.AgentID]*reading
}

type reading struct {
	draft *draft
	at    position
}

// Writing begins to read; Close must be called.
func (d Desk) Writing(ctx context.Context) (*Writing, error) {
	if err := d.require(ctx, nod.View, "read what agents write"); err != nil {
		return nil, err
	}
	return &Writing{hub: d.hub, at: map[nod.AgentID]*reading{}}, nil
}

// Next waits until there is something to read, and is one piece for each agent.
func (w *Writing) Next(ctx context.Context) ([]nod.Draft, error) {
	for {
		pieces, changed := w.read()
		if len(pieces) > 0 {
			return pieces, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-w.hub.writer.done:
			return nil, shuttingDown()
		}
	}
}

func (w *Writing) read() ([]nod.Draft, <-chan struct{}) {
	d := &w.hub.drafts
	d.mu.Lock()
	for id, f := range d.of {
		if w.at[id] == nil && !f.over {
			f.readers++ // it must not be forgotten before its end was read
			w.at[id] = &reading{draft: f, at: position{over: true}}
		}
	}
	changed := d.anyChange()
	d.mu.Unlock()
	var pieces []nod.Draft
	for id, r := range w.at {
		piece, news, _ := d.next(id, r.draft, &r.at)
		if news {
			pieces = append(pieces, piece)
		}
		if r.at.over && d.finished(r) { // perhaps it was over before anything of it was read
			delete(w.at, id)
			d.leave(id, r.draft)
		}
	}
	slices.SortFunc(pieces, func(a, b nod.Draft) int { return cmp.Compare(a.Agent, b.Agent) })
	return pieces, changed
}

// finished reports whether all of a draft was read and it is over.
func (d *drafts) finished(r *reading) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return r.draft.over
}

// Open lists the answers that are being written, as far as they were read.
func (w *Writing) Open() []nod.Draft {
	var list []nod.Draft
	for id, r := range w.at {
		if !r.at.over {
			list = append(list, nod.Draft{Agent: id, Message: r.at.message, At: r.at.offset})
		}
	}
	return list
}

// Again reads what an agent is writing from its beginning.
func (w *Writing) Again(id nod.AgentID) {
	if r := w.at[id]; r != nil && !r.at.over {
		r.at.offset = 0
	}
}

// Close ends the reading.
func (w *Writing) Close() {
	for id, r := range w.at {
		w.hub.drafts.leave(id, r.draft)
	}
	clear(w.at)
}

// DraftFrom takes in a piece of what an agent is writing on another machine. Pieces
// may overlap or come again; one that would leave a gap is not taken, and the
// sender has to start again from the beginning.
func (l Link) DraftFrom(piece nod.Draft) (taken bool) {
	d := &l.hub.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.find(piece.Agent)
	defer d.sweep(piece.Agent, f)
	defer d.notify()
	if taken = f.take(piece); taken {
		f.writtenHere()
	}
	return taken
}

// take is the same for one draft; the lock is held.
func (f *draft) take(piece nod.Draft) (taken bool) {
	fresh := f.over || f.message != piece.Message
	if !fresh && piece.At <= len(f.text) {
		if more, ok := bytes.CutPrefix([]byte(piece.Text), f.text[piece.At:]); ok {
			return f.add(more)
		}
		if bytes.HasPrefix(f.text[piece.At:], []byte(piece.Text)) {
			return true // it is known already
		}
	}
	if piece.At != 0 {
		return false
	}
	f.begin(piece.Message)
	return f.add([]byte(piece.Text))
}

// begin begins a new answer; the lock is held.
func (f *draft) begin(message nod.MessageID) {
	f.number, f.message, f.text, f.full, f.over = f.number+1, message, nil, false, false
	f.exchanged = exchanged{}
}

// add adds words and wakes readers; the lock is held. What does not fit any more
// counts as taken.
func (f *draft) add(more []byte) bool {
	if f.full = f.full || len(f.text)+len(more) > longestDraft; !f.full {
		f.text = append(f.text, more...)
	}
	f.notify()
	return true
}
