package talk

import (
	"context"
	"strings"
	"sync"

	"nod"
	"nod/internal/hub"
)

// heard is what was told of answers that are not finished: whoever answers a
// request in the middle of one hears the rest, and not its beginning again.
type heard struct {
	mu sync.Mutex
	of map[nod.MessageID]part
}

// part is what was told, and how much of it before the draft that was read last.
type part struct {
	told string
	base int
}

// mostHeard bounds it; beyond that somebody hears something twice.
const mostHeard = 256

func (h *heard) take(m nod.MessageID) part {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.of[m]
	delete(h.of, m)
	return p
}

func (h *heard) keep(m nod.MessageID, p part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other := range h.of {
		if len(h.of) < mostHeard {
			break
		}
		delete(h.of, other)
	}
	h.of[m] = p
}

// telling gives a caller the pieces of one answer.
type telling struct {
	heard *heard
	m     nod.MessageID
	piece func(string)
	told  strings.Builder
	base  int  // how much was told before the draft that is being read
	sure  bool // that it is the one that was read before
}

func (a *Asker) telling(m nod.MessageID, piece func(string)) *telling {
	t := &telling{heard: &a.heard, m: m, piece: piece}
	if piece != nil {
		before := a.heard.take(m)
		t.told.WriteString(before.told)
		t.base = before.base
	}
	return t
}

// drafts is what is written from now on; nil for a caller who wants no pieces.
func (t *telling) drafts(ctx context.Context, desk hub.Desk, agent nod.AgentID) <-chan nod.Draft {
	if t.piece == nil {
		return nil
	}
	out := make(chan nod.Draft)
	go func() {
		for d, err := range desk.Drafts(ctx, agent) {
			if err != nil {
				return
			}
			select {
			case out <- d:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (t *telling) tell(d nod.Draft) {
	if d.Message != t.m {
		return
	}
	if d.Over {
		t.base = t.told.Len()
		return
	}
	if !t.sure && !strings.HasPrefix(d.Text, t.told.String()[t.base:]) {
		t.base = t.told.Len() // what was heard before was of another draft
	}
	t.sure = true
	if at := t.base + d.At; at+len(d.Text) > t.told.Len() {
		t.say(d.Text[max(0, min(len(d.Text), t.told.Len()-at)):])
	}
}

func (t *telling) say(text string) {
	if text != "" {
		t.told.WriteString(text)
		t.piece(text)
	}
}

// end tells what is missing: the log is the truth, drafts are a courtesy.
func (t *telling) end(o *Outcome) {
	switch {
	case t.piece == nil:
	case o.Request != nil || o.Late:
		t.heard.keep(t.m, part{t.told.String(), t.base})
	case o.Text != "":
		t.say(o.Text[overlap(t.told.String(), o.Text):])
	}
}

// overlap is how much of the beginning of text is the end of told. An answer
// with steps in it is drafted with the words between them, and its end is what
// was said after the last.
func overlap(told, text string) int {
	told = told[max(0, len(told)-len(text)):]
	border := make([]int, len(text)+1) // of each beginning of text: how long an end of it is also its beginning
	for i, k := 1, 0; i < len(text); i++ {
		for k > 0 && text[i] != text[k] {
			k = border[k]
		}
		if text[i] == text[k] {
			k++
		}
		border[i+1] = k
	}
	k := 0
	for i := range len(told) {
		for k > 0 && (k == len(text) || told[i] != text[k]) {
			k = border[k]
		}
		if told[i] == text[k] {
			k++
		}
	}
	return k
}
