package hub

import (
	"context"
	"encoding/json"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Hubs that share a log broadcast to each other what is written at each. A broadcast
// may be lost, so every piece says where it belongs, and a hub that misses one asks
// for all of it. A hub never passes on what it received.
const (
	draftEvery  = 250 * time.Millisecond // how often a hub sends
	draftResend = time.Second            // how often it asks for a draft from its beginning, and sends one
	draftLife   = 30 * time.Second       // how long one from elsewhere is shown when nothing more comes
	draftCut    = 3000                   // bytes of text in one piece: a broadcast holds more, encoded
)

// exchanged is what was exchanged with other hubs about one draft.
type exchanged struct {
	remote   bool      // its newest words came from another hub, which sends it
	sent     int       // bytes that others know
	resend   bool      // another hub asked for it from its beginning
	resentAt time.Time // when it was last sent from there
	activeAt time.Time // when something of it was last sent or received; zero: it is due
}

// outbox is what there is to send besides the drafts; the lock of the drafts is held.
// None of it has more entries than there are agents.
type outbox struct {
	ended   map[nod.AgentID]draftNews
	gaps    map[nod.AgentID]struct{}  // drafts of which something was missed
	askedAt map[nod.AgentID]time.Time // when such a draft was last asked for
}

// draftNews is one thing that a hub sends: a piece of a draft, its end, or a wish for
// all of it. The text is bytes, because JSON would change what is not quite UTF-8, and
// with it all places that follow.
type draftNews struct {
	Agent   nod.AgentID   `json:"a"`
	Message nod.MessageID `json:"m,omitempty"`
	At      int           `json:"n,omitempty"`
	Text    []byte        `json:"t,omitempty"`
	Over    bool          `json:"over,omitempty"`
	Again   bool          `json:"again,omitempty"`
}

// draftBroadcast is what one hub sends at once.
type draftBroadcast struct {
	By   string            `json:"by"` // so that a hub knows its own
	News []json.RawMessage `json:"news"`
}

// draftExchange sends the drafts of this hub to others and takes in theirs.
type draftExchange struct {
	drafts    *drafts
	via       Broadcaster
	by        string
	elsewhere func(nod.AgentID) bool // whether an agent lives at another hub
}

func newDraftExchange(d *drafts, via Broadcaster, by string, elsewhere func(nod.AgentID) bool) *draftExchange {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.outbox = &outbox{ended: map[nod.AgentID]draftNews{}, gaps: map[nod.AgentID]struct{}{}, askedAt: map[nod.AgentID]time.Time{}}
	return &draftExchange{drafts: d, via: via, by: by, elsewhere: elsewhere}
}

// elsewhere reports whether an agent lives at another hub. One that lives here is
// written by its driver here, and by no other.
func (h *Hub) elsewhere(id nod.AgentID) (elsewhere bool) {
	h.Look(func(s *nod.State) {
		a := s.Agents[id]
		elsewhere = a != nil && a.Alive() && !h.Here(a)
	})
	return elsewhere
}

// send broadcasts what is written here until ctx ends.
func (x *draftExchange) send(ctx context.Context) {
	for ctx.Err() == nil {
		news, wait, changed := x.drafts.unsent(time.Now())
		if len(news) > 0 {
			for _, word := range x.pack(news) {
				own, cancel := context.WithTimeout(ctx, fresh)
				err := x.via.Broadcast(own, word)
				cancel()
				if err != nil {
					break // the rest would leave a gap
				}
			}
			pause.For(ctx, draftEvery)
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// pack puts news into as few broadcasts as they fit.
func (x *draftExchange) pack(news []draftNews) (words [][]byte) {
	b, free := draftBroadcast{By: x.by}, 0
	flush := func() {
		if word, err := json.Marshal(b); err == nil && len(b.News) > 0 {
			words = append(words, word)
		}
		b.News, free = nil, LongestBroadcast-len(x.by)*6-len(`{"by":"","news":[]}`)
	}
	flush()
	for _, n := range news {
		one, err := json.Marshal(n)
		if err == nil && len(one) >= free {
			flush()
		}
		if err == nil && len(one) < free { // no agent has a name that does not fit
			b.News, free = append(b.News, one), free-len(one)-1
		}
	}
	flush()
	return words
}

// receive takes in what is written at other hubs until ctx ends.
func (x *draftExchange) receive(ctx context.Context) {
	for word := range x.via.Broadcasts(ctx) {
		var b draftBroadcast
		if json.Unmarshal(word, &b) != nil || b.By == x.by {
			continue
		}
		for _, one := range b.News {
			var n draftNews
			if json.Unmarshal(one, &n) == nil {
				x.drafts.receive(n, x.elsewhere(n.Agent))
			}
		}
	}
}

// receive takes in one thing that another hub sent.
func (d *drafts) receive(n draftNews, elsewhere bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.of[n.Agent]
	switch {
	case n.Again:
		if f != nil && !f.over && !f.remote {
			f.resend = true
			d.notify()
		}
	case !elsewhere || n.At < 0 || len(n.Message) > nod.LongestMessageID:
	case !n.Over:
		d.receivePiece(n)
	case f != nil && !f.over && f.message == n.Message:
		d.end(n.Agent, f)
	}
}

// receivePiece takes in a piece from elsewhere; the lock is held.
func (d *drafts) receivePiece(n draftNews) {
	f := d.find(n.Agent)
	defer d.sweep(n.Agent, f)
	defer d.notify()
	if !f.take(nod.Draft{Agent: n.Agent, Message: n.Message, At: n.At, Text: string(n.Text)}) {
		d.outbox.gaps[n.Agent] = struct{}{}
		return
	}
	delete(d.outbox.gaps, n.Agent)
	end := n.At + len(n.Text)
	f.sent = min(max(f.sent, end), len(f.text))
	if f.remote = f.remote || end >= len(f.text); f.remote {
		f.activeAt = time.Now()
	}
}

// writtenHere notes that words came here: this hub sends the draft from now on, and
// at once when it did not before. The lock is held.
func (f *draft) writtenHere() {
	if f.remote {
		f.remote, f.activeAt = false, time.Time{}
	}
}

// sendEnd lets other hubs know that a draft is over, if they know of it; the lock is
// held.
func (d *drafts) sendEnd(id nod.AgentID, f *draft) {
	if d.outbox != nil && (f.sent > 0 || !f.activeAt.IsZero()) {
		d.outbox.ended[id] = draftNews{Agent: id, Message: f.message, Over: true}
	}
}

// unsent is what to send now, or how long to wait for it if nothing changes before.
// A draft from elsewhere of which nothing more came for long is over.
func (d *drafts) unsent(now time.Time) (news []draftNews, wait time.Duration, changed <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	wait = draftLife
	due := func(since time.Time, life time.Duration) bool {
		left := life - now.Sub(since)
		if left > 0 {
			wait = min(wait, left)
		}
		return left <= 0
	}
	news = d.outbox.take(now, due)
	for id, f := range d.of {
		switch {
		case f.over:
			continue
		case f.remote:
			if due(f.activeAt, draftLife) {
				d.end(id, f)
			}
			continue
		case f.resend && due(f.resentAt, draftResend):
			f.sent, f.resend, f.resentAt = 0, false, now
		case f.sent == len(f.text) && !due(f.activeAt, draftLife/2):
			continue
		}
		for at := f.sent; ; {
			end := cut(f.text, at)
			news = append(news, draftNews{Agent: id, Message: f.message, At: at, Text: f.text[at:end:end]})
			if at = end; at == len(f.text) {
				break
			}
		}
		f.sent, f.activeAt = len(f.text), now
	}
	return news, wait, d.anyChange()
}

// take empties the outbox of what is due: ends, and wishes for drafts with a gap, each
// not more often than draftResend.
func (o *outbox) take(now time.Time, due func(time.Time, time.Duration) bool) (news []draftNews) {
	for id, over := range o.ended {
		news = append(news, over)
		delete(o.ended, id)
	}
	for id := range o.gaps {
		if due(o.askedAt[id], draftResend) {
			news = append(news, draftNews{Agent: id, Again: true})
			o.askedAt[id] = now
			delete(o.gaps, id)
		}
	}
	for id, at := range o.askedAt {
		if now.Sub(at) >= draftResend {
			delete(o.askedAt, id)
		}
	}
	return news
}

// cut is where a piece ends that begins at a place: not within a letter, because it is
// shown as it comes.
func cut(text []byte, at int) int {
	end := min(at+draftCut, len(text))
	if end == len(text) {
		return end
	}
	for back := range 4 {
		if text[end-back]&0xC0 != 0x80 {
			return end - back
		}
	}
	return end
}
