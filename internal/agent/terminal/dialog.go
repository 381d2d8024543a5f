package terminal

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/screen"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// Terminal is the tool of a request that was read from a screen.
const Terminal = "Terminal"

// How long the terminal waits for somebody before its screen is read: a hook that
// tells of the same dialog is there long before.
const (
	dialogTime = time.Second
	dialogLook = time.Second     // how often a dialog is compared with what people are asked
	backOff    = 5 * time.Second // after one that nobody can be asked about
	hookTime   = 3 * time.Second // for a decision to close the dialog it was about
	dialogLife = 24*time.Hour - time.Minute
)

// shownDialog is a dialog that people are asked about.
type shownDialog struct {
	id     nod.RequestID
	dialog *screen.Dialog
	looked time.Time
	given  bool // the answer was pressed
}

// watch looks for dialogs that no hook tells of, asks people, and answers them.
func (w *worker) watch(ctx context.Context, a nod.Agent) {
	status, ok := wire.ReadStatus(a.Process.Status)
	if !ok || status.Session != string(w.id) {
		return
	}
	if status.State != wire.StatusWaiting {
		w.waiting = time.Time{}
		w.over(ctx, nod.WasAnswered)
		return
	}
	if w.asked != nil {
		w.attend(ctx, &a)
		return
	}
	now := w.now()
	switch {
	case w.others():
		w.waiting = time.Time{}
	case w.waiting.IsZero():
		w.waiting = now
	case now.Sub(w.waiting) >= dialogTime:
		w.waiting = now.Add(backOff)
		w.raise(ctx, &a)
	}
}

// others reports whether a hook has asked for this agent, or is just bringing the
// answer.
func (w *worker) others() (open bool) {
	now := w.now()
	w.link.State(func(s *nod.State) {
		for _, r := range s.Requests { // not OpenOf: it counts, and the state is not ours to change
			switch {
			case r.Agent.ID != w.id || r.Tool == Terminal && r.Settled():
			case r.Status == nod.Pending, r.Status == nod.Decided && now.Sub(r.Decision.At) < hookTime:
				open = true
			}
		}
	})
	return open
}

// raise asks people what the terminal asks.
func (w *worker) raise(ctx context.Context, a *nod.Agent) {
	s, err := w.look(ctx, a)
	if err != nil || s.Dialog == nil {
		return
	}
	r, ok := request(s.Dialog, w.now())
	if !ok {
		return // its person is told that it needs them at the terminal
	}
	r.Agent = a.Ref()
	if _, err := w.linkOf(a).Ask(ctx, r); err != nil {
		w.log.Warn("a dialog was not recorded", "agent", w.id, "err", err)
		return
	}
	w.asked = &shownDialog{id: r.ID, dialog: s.Dialog, looked: w.now()}
}

// request is a dialog as a question with its labels as choices. ok is false when
// there is nothing to choose, or when it has boxes that could not all be read.
func request(d *screen.Dialog, now time.Time) (r nod.Request, ok bool) {
	q, least := question(d), 2
	if q.Multi {
		least = 1
	}
	if d.MultiSelect && !q.Multi || len(q.Choices) < least || !distinct(q.Choices) {
		return r, false
	}
	expires := now.Add(dialogLife)
	return nod.Request{
		ID: newID(), Kind: nod.KindQuestion, Tool: Terminal, Title: nod.Fold(nod.OneLine("In its terminal: "+d.Title), titleLength),
		Display: d.Title + "\n\n" + d.Body, Questions: []nod.Question{q}, OneTap: !q.Multi && !entrance(d),
		Dialog: nod.DialogBeside, ExpiresAt: &expires, Risk: risk(d),
	}, true
}

// question is what a dialog asks. Where rows can be ticked they alone are the
// choices, and words of one's own are not taken: what is typed there cannot be told
// from a label afterwards.
func question(d *screen.Dialog) nod.Question {
	q := nod.Question{Text: asksFor(d), Multi: d.Checkable()}
	for _, row := range d.Rows {
		switch {
		case q.Multi && (!row.Checkbox || row.FreeText):
		case row.FreeText:
			q.FreeText = true
		default:
			q.Choices = append(q.Choices, nod.Choice{Label: nod.OneLine(row.Label), Description: nod.OneLine(row.Detail)})
		}
	}
	if len(d.Rows) == 0 {
		for _, k := range d.Keys {
			q.Choices = append(q.Choices, nod.Choice{Label: nod.OneLine(k.Action), Description: k.Name})
		}
	}
	return q
}

// asksFor is the sentence that the choices answer. At the entrance the last words
// above them are a link to read on.
func asksFor(d *screen.Dialog) string {
	text := d.Prompt
	switch d.Kind {
	case screen.Trust:
		where, _, _ := strings.Cut(d.Body, "\n")
		text = d.Title + " " + where
	case screen.Server:
		text = d.Title
	}
	if text = nod.OneLine(text); text == "" {
		text = nod.OneLine(d.Title)
	}
	return text
}

// entrance is a dialog that stands before a session: what it lets in is not known
// to anybody yet, so it is read before it is answered.
func entrance(d *screen.Dialog) bool { return d.Kind == screen.Trust || d.Kind == screen.Server }

const titleLength = 160

// risk: what a hook asks about is judged; this was not, and a hook that is gone
// must not make anything easier to allow.
func risk(d *screen.Dialog) *nod.Risk {
	switch d.Kind {
	case screen.Question, screen.Other:
		return nil
	case screen.Trust, screen.Server:
		return &nod.Risk{Level: "unknown", Reason: "what this folder or server does is not known before it is let in"}
	}
	return &nod.Risk{Level: "destructive", Reason: "only the terminal asks: nod cannot judge what it would allow"}
}

// distinct: of two rows with one label nobody could choose.
func distinct(choices []nod.Choice) bool {
	seen := map[string]bool{}
	for _, c := range choices {
		if c.Label == "" || seen[c.Label] {
			return false
		}
		seen[c.Label] = true
	}
	return true
}

func newID() nod.RequestID {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return nod.RequestID(hex.EncodeToString(b[:]))
}

// attend compares the dialog with what people are asked, and answers it when they
// have.
func (w *worker) attend(ctx context.Context, a *nod.Agent) {
	r := w.request(w.asked.id)
	switch {
	case r == nil || r.Status == nod.Withdrawn || r.Status == nod.Expired:
		w.asked, w.waiting = nil, time.Time{}
	case r.Status == nod.Decided && w.asked.given:
		w.asked, w.waiting = nil, w.now() // it is still there, or the next one is
	case r.Status == nod.Decided:
		w.asked.given = true
		w.answer(ctx, a, r)
	case w.now().Sub(w.asked.looked) > dialogLook:
		w.asked.looked = w.now()
		if s, err := w.look(ctx, a); err == nil && s.Dialog != nil && !w.asked.dialog.Same(s.Dialog) {
			w.over(ctx, "") // another one has come in its place
		}
	}
}

func (w *worker) request(id nod.RequestID) (found *nod.Request) {
	w.link.State(func(s *nod.State) { found = s.Requests[id] })
	return found
}

// over: the dialog was closed in the terminal.
func (w *worker) over(ctx context.Context, outcome string) {
	if w.asked == nil {
		return
	}
	w.report(ctx, hub.Withdraw(w.asked.id, nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: outcome}))
	w.asked, w.waiting = nil, time.Time{}
}

// forgetDialogs withdraws what a hub before this one has asked: if the dialog is
// still open it is asked again, as it is now.
func (d *Driver) forgetDialogs(ctx context.Context) {
	var facts []hub.Fact
	d.link.State(func(s *nod.State) {
		for id, r := range s.Requests {
			if r.Tool == Terminal && r.Status == nod.Pending && r.Agent.Kind == kind && d.link.Held(r) {
				facts = append(facts, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost}))
			}
		}
	})
	if len(facts) > 0 {
		d.report(ctx, facts...)
	}
}
