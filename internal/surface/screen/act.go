package screen

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

// pressed does what the picture offered for the button when it was pressed.
func (n *session) pressed(ctx context.Context, p Press) {
	n.quiet = n.Now()
	button := strings.Index("ABC", strings.ToUpper(p.Button))
	if button < 0 || len(p.Button) != 1 {
		n.stage.tell(Note{Type: "error", Code: nod.Invalid, Message: "the buttons are A, B and C"})
		return
	}
	switch p.Kind {
	case Down:
		if button == draw.A {
			n.held = n.Now()
		}
		return
	case Up:
		n.held = time.Time{}
		return
	case Click, Hold:
		n.held = time.Time{}
	default:
		n.stage.tell(Note{Type: "error", Code: nod.Invalid, Message: "a press is down, up, click or hold"})
		return
	}
	was, ok := n.stage.find(p.Frame)
	if !ok {
		return // too old to know what was meant
	}
	if text, ok := was.offer.reply(button); ok {
		if n.Now().Sub(was.since) >= tooFresh {
			n.world.Note = nil
			n.say(ctx, was.offer, text)
		}
		return
	}
	n.act(ctx, was, was.scene.Press(button, p.Kind == Hold))
}

func (n *session) act(ctx context.Context, was shown, act draw.Act) {
	switch {
	case act.Decide != "":
		if n.Now().Sub(was.since) >= tooFresh {
			n.decide(ctx, act)
		}
	case act.Move != nil:
		n.at = *act.Move
	case act.Dismiss && was.scene.Kind == draw.Telling:
		n.world.Note = nil
	}
}

// result is what came of an answer.
type result struct {
	request *nod.Request
	act     draw.Act
	said    string // to an agent, in place of an answer
	err     error
}

// decide answers a request once, however often the button is pressed.
func (n *session) decide(ctx context.Context, act draw.Act) {
	if n.answered[act.Decide] {
		return
	}
	n.answered[act.Decide] = true
	n.world.Sending = act.Decide
	go func() {
		deciding, cancel := context.WithTimeout(ctx, decideTime)
		defer cancel()
		r, err := n.desk.Decide(deciding, act.Decide, act.Answer)
		select {
		case n.results <- result{request: r, act: act, err: err}:
		case <-ctx.Done():
		}
	}()
}

// outcome is what the device shows about an answer.
func (n *session) outcome(r result) draw.Note {
	if r.err == nil {
		n.click(r.act.Answer.Verdict)
		return n.settled(r.request, "")
	}
	if winner := nod.WinnerOf(r.err); winner != nil {
		return n.settled(winner, n.wonBy(winner))
	}
	delete(n.answered, r.act.Decide) // it may be tried again
	return draw.Note{Mood: draw.Failure, Title: n.world.Say.Say(words.DeviceNotSent), Text: nod.MessageOf(r.err)}
}

func (n *session) click(v nod.Verdict) {
	if v == nod.VerdictDeny {
		n.stage.tell(Note{Type: "beep", Hz: 220, MS: 30, Times: 2})
		return
	}
	n.stage.tell(Note{Type: "beep", Hz: 330, MS: 30})
}

func (n *session) settled(r *nod.Request, who string) draw.Note {
	note := draw.Note{Mood: draw.Plain, Title: n.world.Say.Say(words.DeviceTooLate), Text: r.Title, Who: who}
	if r.Decision == nil {
		return note
	}
	switch r.Decision.Verdict {
	case nod.VerdictAllow:
		note.Mood, note.Title = draw.Good, n.world.Say.Say(words.DeviceAllowed)
	case nod.VerdictDeny:
		note.Mood, note.Title = draw.Bad, n.world.Say.Say(words.DeviceDenied)
	default:
		note.Mood, note.Title = draw.Good, n.world.Say.Say(words.DeviceAnswered)
	}
	return note
}

func (n *session) wonBy(r *nod.Request) string {
	if r.Decision == nil || r.Decision.By == n.by.Name && r.Decision.Via == n.by.Via {
		return "" // it was not answered, or by this device: a second press
	}
	return n.world.Say.Say(words.DeviceWasFirst, r.Decision.By, r.Decision.Via)
}

// showNote shows a note for a while.
func (n *session) showNote(note draw.Note, lasts time.Duration) {
	n.offer = nil
	n.world.Note, n.noteEnds, n.quiet = &note, n.Now().Add(lasts), n.Now()
}

// glance is how long an outcome is shown: shorter if another request waits.
func (n *session) glance() time.Duration {
	if len(n.world.Snapshot.Requests) > 1 {
		return 1200 * time.Millisecond
	}
	return 3 * time.Second
}

// newsTime is how long news of an agent is shown.
const newsTime = 8 * time.Second

// handleEvent shows news of agents, and reports whether the scene may have changed.
func (n *session) handleEvent(e nod.Event) bool {
	if e.Agent != nil {
		if note, ok := n.news(e.Agent); ok && len(n.world.Snapshot.Requests) == 0 {
			n.showNote(note, newsTime)
			n.offer = n.offerFor(e.Agent)
		}
		n.agents[e.Agent.ID] = e.Agent.State
		if !e.Agent.Alive() {
			delete(n.agents, e.Agent.ID)
		}
	}
	return e.Kind == "" || e.Agent != nil || e.RequestID != "" || e.Request != nil
}

// news is what an agent did that needs no answer.
func (n *session) news(a *nod.Agent) (draw.Note, bool) {
	before := n.agents[a.ID]
	busy := before == nod.AgentWorking || before == nod.AgentWaiting
	note := draw.Note{Text: a.Problem, Who: a.Host}
	if note.Text == "" {
		note.Text = a.Prompt
	}
	what := words.PushFinished
	switch {
	case before == "" || before == a.State:
		return note, false
	case a.State == nod.AgentIdle && busy:
		note.Mood = draw.Good
	case a.State == nod.AgentError:
		note.Mood, what = draw.Bad, words.PushFailed
	case a.State == nod.AgentLimited:
		note.Mood, what = draw.Limit, words.PushLimited
	case a.State == nod.AgentEnded && busy:
		note.Mood, what = draw.Bad, words.PushEnded
	default:
		return note, false
	}
	note.Title = n.world.Say.Say(what, nod.Fold(nod.OneLine(a.Name), 20))
	return note, true
}
