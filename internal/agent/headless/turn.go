package headless

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/hub"
)

// turn is one message on its way to an answer.
type turn struct {
	m       nod.Message
	uuid    string // of the message that the program has now
	heard   bool   // the program has confirmed it
	text    answer
	stream  flow
	markers int // how often the model asked by a marker

	halt     *trouble  // why it was told to stop
	kill     time.Time // with halt: the program is ended then
	left     time.Duration
	since    time.Time  // the clock runs since; zero: it is paused, because a person is asked
	resets   *time.Time // when a limit that the program met ends
	why      string     // the error that the program named
	retrying bool       // it is shown that the program tries again
	tokens   int
	window   int
}

// due is when something must be done about the turn; zero: never.
func (t *turn) due() time.Time {
	switch {
	case t.halt != nil:
		return t.kill
	case t.since.IsZero():
		return time.Time{}
	}
	return t.since.Add(t.left)
}

// pause stops the clock: people may take their time.
func (t *turn) pause(now time.Time) {
	if !t.since.IsZero() {
		t.left, t.since = t.left-now.Sub(t.since), time.Time{}
	}
}

// resume lets the clock run.
func (t *turn) resume(now time.Time) {
	if t.since.IsZero() {
		t.since = now
	}
}

// longestAnswer bounds what the log keeps of an answer.
const longestAnswer = 1 << 20

func (t *turn) replied(text string) nod.Turn {
	turn := nod.Turn{Agent: t.m.Agent, Role: nod.TurnAgent, Text: text, To: t.m.ID}
	if len(text) > longestAnswer {
		turn.Text = strings.ToValidUTF8(text[:longestAnswer], "")
		turn.Cut = len(text) - len(turn.Text)
	}
	return turn
}

func (t *turn) noted(why nod.Trouble, text string) nod.Turn {
	return nod.Turn{Agent: t.m.Agent, Role: nod.TurnSystem, Text: text, To: t.m.ID, Trouble: why}
}

// deliver gives the program a message. That it is typed is on disk before, so it is
// never sent twice, whatever happens.
func (w *worker) deliver(ctx context.Context, a *nod.Agent, m *nod.Message) {
	if !w.fetchFiles(ctx, m) {
		return
	}
	select {
	case <-w.prog.Gone(): // it died while it was idle: nothing was lost
		w.died(ctx)
		w.nudge()
		return
	default:
	}
	if !w.pool.work(w.prog) {
		w.drop(ctx) // it was asked to go; there will be another
		w.nudge()
		return
	}
	if err := w.link.Report(ctx, hub.TypedIn(m.ID)); err != nil || w.status(m.ID) != nod.Typed {
		w.pool.rest(w.prog)
		if err != nil {
			w.Log.Warn("a message waits, because nothing can be recorded", "agent", w.id, "err", err)
			w.retry = w.Now().Add(w.timing.retry)
		}
		return // or its sender took it back
	}
	now := w.Now()
	w.turn = &turn{m: *m, uuid: newUUID(), left: w.Turn, since: now}
	further := append(w.notes, hintFor(m.Hint))
	if w.fresh {
		further = append([]string{hintFor(a.Talk.Hints)}, further...)
	}
	w.notes, w.fresh = nil, false
	w.say(ctx, w.turn.uuid, compose(m), further...)
}

// fileTime is how long a message waits for a file that is unavailable.
const fileTime = time.Minute

// fetchFiles makes sure that the files of a message are on this machine: they may have
// been sent to another hub. Without them the message fails, with the reason.
func (w *worker) fetchFiles(ctx context.Context, m *nod.Message) bool {
	if w.Files == nil {
		return true
	}
	var here []nod.Attachment
	for _, f := range m.Files {
		found, err := w.Files(ctx, f)
		switch {
		case ctx.Err() != nil:
			return false
		case nod.CodeOf(err) == nod.Unavailable && w.Now().Sub(m.At) < fileTime:
			w.Log.Warn("a message waits for its file", "agent", w.id, "message", m.ID, "err", err)
			w.retry = w.Now().Add(w.timing.retry)
			return false
		case err != nil:
			w.insist(ctx, hub.UnheardFor(m.ID, nod.MessageOf(err), nod.TroubleError))
			return false
		}
		here = append(here, found)
	}
	m.Files = here
	return true
}

// compose is the text of a message, and the paths of its files.
func compose(m *nod.Message) string {
	text := strings.TrimSpace(m.Text)
	for _, f := range m.Files {
		text = strings.TrimSpace(text + "\n\nAttached file: " + f.Path)
	}
	return text
}

// hintFor marks text that the person did not say.
func hintFor(hint string) string {
	if strings.TrimSpace(hint) == "" {
		return ""
	}
	return "(Not said by the person: " + strings.TrimSpace(hint) + ")"
}

// confirmedByProgram records that the program has the message.
func (w *worker) confirmedByProgram(ctx context.Context) {
	t, session := w.turn, w.prog.id
	t.heard = true
	heard := hub.Heard(t.m.ID)
	said := hub.Said(nod.Turn{Agent: w.id, Role: nod.TurnPerson, Text: t.m.Text, To: t.m.ID})
	works := talk(w.id, func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentWorking, now)
		a.Prompt = nod.Fold(nod.OneLine(t.m.Text), asking.TitleLength)
		a.Talk.Until, a.Talk.Session, a.Talk.Warm = nil, session, true
	})
	w.note(ctx, func(s *nod.State, now time.Time) []nod.Event {
		if m := s.Messages[t.m.ID]; m == nil || !m.Underway() {
			return nil // its sender took it back: it is being stopped
		}
		return append(append(heard(s, now), said(s, now)...), works(s, now)...)
	})
	w.proveConfirmed(ctx, t.m.ID)
}
