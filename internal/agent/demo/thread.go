package demo

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// thread is one thing that an agent does, in one language.
type thread struct {
	*actor
	life  context.Context // ends with the demo; what was begun is proven even when the agent is stopped
	shift *shift
	say   words.Printer
	who   *nod.Subagent // who inside the agent does it
}

// How a scene ends early; both times the agent has said so.
var (
	errDone = errors.New("the scene is over")
	errHalt = errors.New("somebody stopped it")
)

// play plays a scene until it ends, in whatever way.
func (t *thread) play(ctx context.Context, s scene) error {
	facts := []hub.Fact{hub.Agent(t.id, func(g *nod.Agent, _ time.Time) {
		switch {
		case s.mode != "":
			g.Mode = s.mode
		case s.prompt != "" && t.ruled(editsPass):
			g.Mode = "acceptEdits"
		case s.prompt != "": // a new task begins as carefully as the first
			g.Mode = "default"
		}
		if s.prompt != "" {
			g.Prompt = s.prompt
		}
	}), t.doing("")}
	if s.prompt != "" {
		facts = append(facts, t.turn(nod.TurnPerson, "", s.prompt))
	}
	t.report(t.life, facts...)
	for _, step := range s.steps {
		if err := step(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// doing is the agent at work on something. A subagent's work is not what the
// agent itself does, and a limit is not over because somebody speaks to it.
func (t *thread) doing(tool string) hub.Fact {
	return hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
		if t.who == nil && t.feeling() == "" {
			g.Enter(nod.AgentWorking, now)
			g.Tool = nod.Fold(nod.OneLine(tool), titleLength)
		}
	})
}

func (t *thread) turn(role nod.Role, tool, text string) hub.Fact {
	return hub.Said(nod.Turn{Agent: t.id, Role: role, Tool: tool, Text: text, Who: t.who})
}

// tell is the agent saying something.
func (t *thread) tell(m words.Message, args ...any) hub.Fact {
	return t.turn(nod.TurnAgent, "", t.say.Say(m, args...))
}

func (a *actor) feeling() nod.AgentState {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mood
}

func (a *actor) feel(s nod.AgentState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mood = s
}

// ruled reports whether a person has said "always" to a rule.
func (a *actor) ruled(rule string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return rule != "" && a.rules[rule]
}

func (a *actor) keep(rule string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rules[rule] = true
}
