package talk

import (
	"context"
	"strings"
	"sync"

	"nod"
	"nod/internal/hub"
)

// sentParts is what was already sent of unfinished answers: a caller who answers a
// request in the middle of one gets the rest, and not its beginning again.
type sentParts struct {
	mu sync.Mutex
	of map[nod.MessageID]part
}

// part is the text that was sent, and its length before the current draft.
type part struct {
	text string
	base int
}

// mostSentParts is the limit; beyond it a caller may get a text twice.
const mostSentParts = 256

func (h *sentParts) take(m nod.MessageID) part {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.of[m]
	delete(h.of, m)
	return p
}

func (h *sentParts) keep(m nod.MessageID, p part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other := range h.of {
		if len(h.of) < mostSentParts {
			break
		}
		delete(h.of, other)
	}
	h.of[m] = p
}

// pieceWriter sends a caller the pieces of one answer.
type pieceWriter struct {
	parts *sentParts
	m     nod.MessageID
	piece func(string)
	sent  strings.Builder
	base  int  // how much was sent before the current draft
	sure  bool // the current draft continues what was sent
}

func (a *Asker) pieceWriter(m nod.MessageID, piece func(string)) *pieceWriter {
	t := &pieceWriter{parts: &a.sent, m: m, piece: piece}
	if piece != nil {
		before := a.sent.take(m)
		t.sent.WriteString(before.text)
		t.base = before.base
	}
	return t
}

// drafts are the drafts from now on; nil for a caller who wants no pieces.
func (t *pieceWriter) drafts(ctx context.Context, desk hub.Desk, agent nod.AgentID) <-chan nod.Draft {
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

func (t *pieceWriter) draft(d nod.Draft) {
	if d.Message != t.m {
		return
	}
	if d.Over {
		t.base = t.sent.Len()
		return
	}
	if !t.sure && !strings.HasPrefix(d.Text, t.sent.String()[t.base:]) {
		t.base = t.sent.Len() // what was sent before belongs to another draft
	}
	t.sure = true
	if at := t.base + d.At; at+len(d.Text) > t.sent.Len() {
		t.write(d.Text[max(0, min(len(d.Text), t.sent.Len()-at)):])
	}
}

func (t *pieceWriter) write(text string) {
	if text != "" {
		t.sent.WriteString(text)
		t.piece(text)
	}
}

// finish sends the rest of the answer from the log; drafts may have been incomplete.
func (t *pieceWriter) finish(o *Outcome) {
	switch {
	case t.piece == nil:
	case o.Request != nil || o.Late:
		t.parts.keep(t.m, part{t.sent.String(), t.base})
	case o.Text != "":
		t.write(o.Text[overlap(t.sent.String(), o.Text):])
	}
}

// overlap is the length of the longest prefix of text that sent ends with. The drafts
// of an answer with several steps include the text between the steps; the logged
// answer is only what follows the last one.
func overlap(sent, text string) int {
	sent = sent[max(0, len(sent)-len(text)):]
	border := make([]int, len(text)+1) // Knuth-Morris-Pratt: for each prefix, its longest proper border
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
	for i := range len(sent) {
		for k > 0 && (k == len(text) || sent[i] != text[k]) {
			k = border[k]
		}
		if sent[i] == text[k] {
			k++
		}
	}
	return k
}
