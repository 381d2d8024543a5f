package demo

import (
	"context"
	"errors"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
)

// activity is one thing that an agent does, in one language.
type activity struct {
	*agent
	life     context.Context // ends with the demo: a stopped agent still proves what it has begun
	session  *session
	language words.Printer
	subagent *nod.Subagent // nil: the agent itself
}

// A task that ends early; the agent has said why.
var (
	errDone = errors.New("the task is over")
	errHalt = errors.New("somebody stopped it")
)

// play runs a task to its end.
func (t *activity) play(ctx context.Context, s task) error {
	facts := []hub.Fact{hub.Agent(t.id, func(g *nod.Agent, _ time.Time) {
		switch {
		case s.mode != "":
			g.Mode = s.mode
		case s.prompt != "" && t.hasRule(editsPass):
			g.Mode = "acceptEdits"
		case s.prompt != "": // a new task starts in the careful mode again
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

// doing shows what the agent works on. The work of a subagent is not shown, and a usage
// limit does not end because a person sends a message.
func (t *activity) doing(tool string) hub.Fact {
	return hub.Agent(t.id, func(g *nod.Agent, now time.Time) {
		if t.subagent == nil && t.currentTrouble() == "" {
			g.Enter(nod.AgentWorking, now)
			g.Tool = nod.Fold(nod.OneLine(tool), titleLength)
		}
	})
}

func (t *activity) turn(role nod.Role, tool, text string) hub.Fact {
	return hub.Said(nod.Turn{Agent: t.id, Role: role, Tool: tool, Text: text, Who: t.subagent})
}

// reply is a turn of the agent in the language of the activity.
func (t *activity) reply(m words.Message, args ...any) hub.Fact {
	return t.turn(nod.TurnAgent, "", t.language.Say(m, args...))
}

func (a *agent) currentTrouble() nod.AgentState {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.trouble
}

func (a *agent) setTrouble(s nod.AgentState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.trouble = s
}

// hasRule reports whether a person has said "always" to a rule.
func (a *agent) hasRule(rule string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return rule != "" && a.rules[rule]
}

func (a *agent) addRule(rule string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rules[rule] = true
}
