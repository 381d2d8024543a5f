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
	uuid    string // of the words that the program has now
	heard   bool   // the program has confirmed them
	text    answer
	stream  flow
	markers int // how often the model asked for a yes in words

	halt     *trouble  // it was told to stop, and this is why
	kill     time.Time // with halt: the program is ended then
	left     time.Duration
	since    time.Time  // the clock runs since; zero: it stands, because people are asked
	resets   *time.Time // of a limit that the program met
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

// stand stops the clock: people may take their time.
func (t *turn) stand(now time.Time) {
	if !t.since.IsZero() {
		t.left, t.since = t.left-now.Sub(t.since), time.Time{}
	}
}

// goOn lets the clock run.
func (t *turn) goOn(now time.Time) {
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

// feed gives the program a message. That it is typed is on disk before: whatever
// happens then, it is never typed again.
func (w *worker) feed(ctx context.Context, a *nod.Agent, m *nod.Message) {
	if !w.bring(ctx, m) {
		return
	}
	select {
	case <-w.prog.Gone(): // it died while nobody looked: nothing was lost
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
		return // or somebody took it back
	}
	now := w.Now()
	w.turn = &turn{m: *m, uuid: newUUID(), left: w.Turn, since: now}
	further := append(w.untold, hintFor(m.Hint))
	if w.fresh {
		further = append([]string{hintFor(a.Talk.Hints)}, further...)
	}
	w.untold, w.fresh = nil, false
	w.say(ctx, compose(m), further...)
}

// fileTime is how long words wait for a file that cannot be had just now.
const fileTime = time.Minute

// bring makes sure that the files of a message lie on this machine: they may have
// been sent to another hub. Without them nothing is said, and whoever sent them hears
// why.
func (w *worker) bring(ctx context.Context, m *nod.Message) bool {
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

// say writes words to the program. One that does not take them is ended, which is
// then told like any other end.
func (w *worker) say(ctx context.Context, words string, further ...string) {
	patience, cancel := context.WithTimeout(ctx, w.timing.write)
	defer cancel()
	if err := w.prog.Say(patience, w.turn.uuid, words, further...); err != nil && ctx.Err() == nil {
		w.Log.Warn("Claude Code did not take what was said to it", "agent", w.id, "err", err)
		prog := w.prog
		w.all.Go(func() { prog.Stop(w.timing.grace) })
	}
}

// compose is what is said: the words, and where the files are that go with them.
func compose(m *nod.Message) string {
	text := strings.TrimSpace(m.Text)
	for _, f := range m.Files {
		text = strings.TrimSpace(text + "\n\nAttached file: " + f.Path)
	}
	return text
}

// hintFor marks words that the person did not say.
func hintFor(hint string) string {
	if strings.TrimSpace(hint) == "" {
		return ""
	}
	return "(Not said by the person: " + strings.TrimSpace(hint) + ")"
}

func (w *worker) status(id nod.MessageID) (status nod.MessageStatus) {
	w.link.State(func(s *nod.State) {
		if m := s.Messages[id]; m != nil {
			status = m.Status
		}
	})
	return status
}

// begin: the program has the words.
func (w *worker) begin(ctx context.Context) {
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
			return nil // somebody took it back: it is being stopped
		}
		return append(append(heard(s, now), said(s, now)...), works(s, now)...)
	})
	w.proveConfirmed(ctx, t.m.ID)
}

// obey follows orders to stop: from people, from words that interrupt, and from
// the clock.
func (w *worker) obey(ctx context.Context, a *nod.Agent, letters []nod.Message) {
	t := w.turn
	if t == nil {
		return
	}
	now := w.Now()
	if t.halt != nil {
		if !now.Before(t.kill) {
			t.kill = now.Add(longest)
			prog := w.prog
			w.all.Go(func() { prog.Stop(w.timing.grace) })
		}
		return
	}
	next := pick(letters)
	switch {
	case a.Stopping != nil:
		w.stop(ctx, stoppedBy(a.Stopping.By))
	case w.status(t.m.ID) == nod.Failed:
		w.stop(ctx, stoppedBy(""))
	case next != nil && next.WhenBusy == nod.Interrupt:
		w.stop(ctx, stoppedBy(next.By))
	case !t.due().IsZero() && !now.Before(t.due()):
		w.stop(ctx, tookLong(w.Turn))
	}
}

// stop ends the turn that runs. The program says when it has.
func (w *worker) stop(ctx context.Context, why trouble) {
	t := w.turn
	t.halt, t.kill = &why, w.Now().Add(w.timing.grace)
	if t.markers > 0 && w.confirm != nil { // the program waits for nothing: only a person was asked
		w.confirm = nil
		w.finishWith(ctx, why)
		return
	}
	done, prog := make(chan struct{}), w.prog
	w.interrupted = done
	w.all.Go(func() {
		defer close(done)
		patience, cancel := context.WithTimeout(ctx, w.timing.grace)
		defer cancel()
		if err := prog.Interrupt(patience); err != nil && ctx.Err() == nil {
			w.Log.Warn("Claude Code did not take an order to stop", "agent", w.id, "err", err)
		}
	})
}

// died: the program has ended.
func (w *worker) died(ctx context.Context) {
	prog := w.prog
	<-prog.Gone()
	last, exit := prog.Last()
	w.pool.out(prog)
	w.Log.Info("a program of a conversation has ended", "agent", w.id, "exit", exit, "stderr", last)
	w.prog = nil
	if w.turn != nil {
		why := crashed(exit)
		if w.turn.halt != nil {
			why = *w.turn.halt
		}
		w.finishWith(ctx, why)
	}
	w.abandon(ctx)
	w.lose(ctx)
}

// finishWith ends the turn without an answer.
func (w *worker) finishWith(ctx context.Context, why trouble) {
	t := w.turn
	noted, unheard := hub.Said(t.noted(why.word, why.text)), hub.UnheardFor(t.m.ID, why.text, why.word)
	w.finish(ctx, func(s *nod.State, now time.Time) []nod.Event {
		switch m := s.Messages[t.m.ID]; {
		case m != nil && m.Underway():
			return unheard(s, now)
		case m != nil && m.Status == nod.Failed:
			return nil
		}
		return noted(s, now)
	}, func(a *nod.Agent, now time.Time) {
		a.Enter(why.state(), now)
		if why.state() == nod.AgentLimited {
			a.Until = why.until
		}
		if why.state() != nod.AgentIdle {
			a.Problem = nod.Fold(why.text, asking.TitleLength)
		}
	})
	if why.word == nod.TroubleLogin { // what was started before somebody signs in does not know of it
		w.dropSpare()
		if w.prog != nil {
			w.drop(ctx)
		}
	}
}

// finishAnswered ends the turn with an answer.
func (w *worker) finishAnswered(ctx context.Context, text string) {
	w.finish(ctx, hub.Said(w.turn.replied(text)), func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentIdle, now)
		a.Talk.Turns++
	})
}

// finish is the end of a turn, in one commit.
func (w *worker) finish(ctx context.Context, end hub.Fact, change func(a *nod.Agent, now time.Time)) {
	t, warm := w.turn, w.prog != nil
	reason := nod.WithdrawnSuperseded
	if !warm {
		reason = nod.WithdrawnLost
	}
	w.turn = nil
	for _, k := range w.asks { // something in the background waits for it, and would for ever
		w.reply(ctx, k, refusal(k, "The answer was finished before anybody decided on this, so it was not done. Ask for it again if it is still needed."))
	}
	clear(w.asks)
	clear(w.calls)
	w.insist(ctx, hub.WithdrawAll(w.id, nod.Withdrawal{Reason: reason}), end, talk(w.id, func(a *nod.Agent, now time.Time) {
		change(a, now)
		a.Tool, a.Stopping = "", nil
		a.Talk.Held(now)
		a.Talk.Warm = warm
		if !warm {
			a.Process = nil
		}
		if t.tokens > 0 {
			a.Context = &nod.Context{Tokens: t.tokens, Window: t.window}
		}
	}))
	w.link.DraftOver(w.id)
	w.idle = w.Now()
	if warm {
		w.pool.rest(w.prog)
	}
	w.Driver.look()
}
