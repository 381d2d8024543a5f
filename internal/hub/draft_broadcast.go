package hub

import (
	"context"
	"encoding/json"
	"time"

	"nod"
	"nod/internal/sys/pause"
)

// Hubs that share a log tell each other what is written at each, by cries: they may
// be lost, so every piece says where it belongs, and a hub that misses one asks for
// all of it. What was heard is never told on.
const (
	draftEvery = 250 * time.Millisecond // how often a hub tells
	draftAgain = time.Second            // how often it asks for an answer from its beginning, and tells it
	draftLife  = 30 * time.Second       // how long one from elsewhere is shown without a word about it
	draftCut   = 3000                   // bytes of text in one piece: a word holds more, as letters
)

// known is what other hubs know of a draft.
type known struct {
	theirs bool      // the last words of it came from another hub, which tells of it
	told   int       // bytes that others know
	again  bool      // somebody asked for it from its beginning
	redone time.Time // when it was last told from there
	spoken time.Time // when something was last told, or heard, of it
}

// between is what hubs have to tell each other besides the drafts; the lock of the
// drafts is held. None of it has more entries than there are agents.
type between struct {
	ended map[nod.AgentID]item
	holes map[nod.AgentID]struct{}  // of which something was missed
	asked map[nod.AgentID]time.Time // when that was last asked for
}

// item is one thing that a hub tells: a piece of a draft, its end, or a wish for all
// of it. The text is bytes, because JSON would change what is not quite UTF-8, and
// with it all places that follow.
type item struct {
	Agent   nod.AgentID   `json:"a"`
	Message nod.MessageID `json:"m,omitempty"`
	At      int           `json:"n,omitempty"`
	Text    []byte        `json:"t,omitempty"`
	Over    bool          `json:"over,omitempty"`
	Again   bool          `json:"again,omitempty"`
}

func newBetween(s Store) *between {
	if _, ok := s.(Broadcaster); !ok {
		return nil
	}
	return &between{ended: map[nod.AgentID]item{}, holes: map[nod.AgentID]struct{}{}, asked: map[nod.AgentID]time.Time{}}
}

// ours: words came here, so this hub tells of it from now on, and at once when it did
// not before.
func (f *draft) ours() {
	if f.theirs {
		f.theirs, f.spoken = false, time.Time{}
	}
}

// tellEnd remembers to tell that a draft is over, if others have heard of it.
func (d *drafts) tellEnd(id nod.AgentID, f *draft) {
	if d.between != nil && (f.told > 0 || !f.spoken.IsZero()) {
		d.between.ended[id] = item{Agent: id, Message: f.message, Over: true}
	}
}

// tellWriting tells other hubs what is written here, until ctx ends.
func (h *Hub) tellWriting(ctx context.Context, crier Broadcaster) {
	for ctx.Err() == nil {
		news, wait, changed := h.drafts.untold(time.Now())
		if len(news) > 0 {
			for _, word := range h.words(news) {
				own, cancel := context.WithTimeout(ctx, fresh)
				err := crier.Broadcast(own, word)
				cancel()
				if err != nil {
					break // the rest would leave a hole
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

// untold is what others are to hear now, or how long to wait for it if nothing
// changes before. What nobody elsewhere tells of any more is over.
func (d *drafts) untold(now time.Time) (news []item, wait time.Duration, changed <-chan struct{}) {
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
	for id, over := range d.between.ended {
		news = append(news, over)
		delete(d.between.ended, id)
	}
	for id := range d.between.holes {
		if due(d.between.asked[id], draftAgain) {
			news = append(news, item{Agent: id, Again: true})
			d.between.asked[id] = now
			delete(d.between.holes, id)
		}
	}
	for id, at := range d.between.asked {
		if now.Sub(at) >= draftAgain {
			delete(d.between.asked, id)
		}
	}
	for id, f := range d.of {
		switch {
		case f.over:
			continue
		case f.theirs:
			if due(f.spoken, draftLife) {
				d.end(id, f)
			}
			continue
		case f.again && due(f.redone, draftAgain):
			f.told, f.again, f.redone = 0, false, now
		case f.told == len(f.text) && !due(f.spoken, draftLife/2):
			continue
		}
		for at := f.told; ; {
			end := cut(f.text, at)
			news = append(news, item{Agent: id, Message: f.message, At: at, Text: f.text[at:end:end]})
			if at = end; at == len(f.text) {
				break
			}
		}
		f.told, f.spoken = len(f.text), now
	}
	if d.any == nil {
		d.any = make(chan struct{})
	}
	return news, wait, d.any
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

// cry is what one hub tells at once.
type cry struct {
	By   string            `json:"by"` // so that a hub knows its own
	News []json.RawMessage `json:"news"`
}

// words puts what is to be told into as few cries as it fits.
func (h *Hub) words(news []item) (words [][]byte) {
	c, free := cry{By: h.holder}, 0
	flush := func() {
		if word, err := json.Marshal(c); err == nil && len(c.News) > 0 {
			words = append(words, word)
		}
		c.News, free = nil, LongestBroadcast-len(h.holder)*6-len(`{"by":"","news":[]}`)
	}
	flush()
	for _, n := range news {
		one, err := json.Marshal(n)
		if err == nil && len(one) >= free {
			flush()
		}
		if err == nil && len(one) < free { // no agent has a name that does not fit
			c.News, free = append(c.News, one), free-len(one)-1
		}
	}
	flush()
	return words
}

// hearWriting takes in what is written at other hubs, until ctx ends.
func (h *Hub) hearWriting(ctx context.Context, crier Broadcaster) {
	for word := range crier.Broadcasts(ctx) {
		var c cry
		if json.Unmarshal(word, &c) != nil || c.By == h.holder {
			continue
		}
		for _, one := range c.News {
			var n item
			if json.Unmarshal(one, &n) == nil {
				h.heard(n)
			}
		}
	}
}

// heard takes in one thing that another hub told. An agent that lives here is written
// by its driver here, and by nobody else.
func (h *Hub) heard(n item) {
	elsewhere := false
	h.Look(func(s *nod.State) {
		a := s.Agents[n.Agent]
		elsewhere = a != nil && a.Alive() && !h.Here(a)
	})
	d := &h.drafts
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.of[n.Agent]
	switch {
	case n.Again:
		if f != nil && !f.over && !f.theirs {
			f.again = true
			d.tell()
		}
	case !elsewhere || n.At < 0 || len(n.Message) > nod.LongestMessageID:
	case !n.Over:
		d.hear(n)
	case f != nil && !f.over && f.message == n.Message:
		d.end(n.Agent, f)
	}
}

// hear takes in a piece from elsewhere; the lock is held.
func (d *drafts) hear(n item) {
	f := d.find(n.Agent)
	defer d.sweep(n.Agent, f)
	defer d.tell()
	if !f.take(nod.Draft{Agent: n.Agent, Message: n.Message, At: n.At, Text: string(n.Text)}) {
		d.between.holes[n.Agent] = struct{}{}
		return
	}
	delete(d.between.holes, n.Agent)
	end := n.At + len(n.Text)
	f.told = min(max(f.told, end), len(f.text))
	if f.theirs = f.theirs || end >= len(f.text); f.theirs {
		f.spoken = time.Now()
	}
}
