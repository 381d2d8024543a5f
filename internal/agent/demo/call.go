package demo

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// call is a tool call that needs a yes.
type call struct {
	tool  string
	input map[string]string
	main  string // the input's main text, which a plain edit replaces
	rule  string // what "always" would mean; empty: none is offered
	then  string // what came of it
	patience
	doubt bool // its effect takes suspiciously long to show
}

func bash(command, rule, then string) call {
	return call{tool: "Bash", input: map[string]string{"command": command}, main: "command", rule: rule, then: then}
}

func edit(path, before, after, then string) call {
	return call{
		tool: "Edit", input: map[string]string{"file_path": path, "old_string": before, "new_string": after},
		main: "new_string", rule: editsPass, then: then,
	}
}

func write(path, content, then string) call {
	return call{
		tool: "Write", input: map[string]string{"file_path": path, "content": content},
		main: "content", rule: editsPass, then: then,
	}
}

// title is the call on one line.
func (c call) title() string {
	if path := c.input["file_path"]; path != "" {
		return path
	}
	return c.input[c.main]
}

// display is all of it, as a person reads it before answering.
func (c call) display() string {
	switch c.tool {
	case "Edit":
		return c.title() + "\n\n" + marked("- ", c.input["old_string"]) + marked("+ ", c.input["new_string"])
	case "Write":
		return c.title() + "\n\n" + c.input["content"]
	}
	return c.input[c.main]
}

func marked(sign, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

func (c call) request() nod.Request {
	options := always(c.rule)
	return nod.Request{
		Kind: nod.KindApproval, Tool: c.tool, Input: encode(c.input),
		Title: nod.Fold(nod.OneLine(c.title()), titleLength), Display: c.display(),
		Options: options, CanAlways: len(options) > 0, CanEdit: true, EditField: c.main, OneTap: true,
	}
}

// approve asks for a tool call and makes believe that it runs.
func approve(c call) step {
	return func(ctx context.Context, t *thread) error {
		if t.ruled(c.rule) {
			return t.pass(ctx, c)
		}
		r, err := t.ask(ctx, c.request(), c.patience)
		switch {
		case err != nil:
			return err
		case r.Decision == nil:
			return t.undecided(ctx, r, c)
		case r.Decision.Verdict == nod.VerdictDeny:
			return t.denied(r)
		}
		return t.run(ctx, r, c)
	}
}

// pass is a call that a rule of the person covers: it is not asked for.
func (t *thread) pass(ctx context.Context, c call) error {
	t.report(t.life, t.doing(c.tool+": "+c.title()))
	if err := t.rest(ctx, 2*time.Second); err != nil {
		return err
	}
	t.report(t.life, t.turn(nod.TurnTool, c.tool, c.title()), t.turn(nod.TurnSystem, "", t.say.Say(byRule, c.rule)))
	return t.outcome(c.then)
}

// undecided is a call that nobody here has answered.
func (t *thread) undecided(ctx context.Context, r *nod.Request, c call) error {
	switch {
	case r.Status == nod.Expired:
		t.report(t.life, t.tell(tooLate))
	case r.Withdrawal != nil && r.Withdrawal.Reason == nod.WithdrawnTerminal:
		t.report(t.life, t.turn(nod.TurnSystem, "", t.say.Say(inTerminal)), t.turn(nod.TurnTool, c.tool, c.title()))
		return t.outcome(c.then)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errDone
}

// run makes believe that what was decided runs: as it was asked, or as somebody
// edited it. What was begun is proven also when the agent is stopped meanwhile.
func (t *thread) run(ctx context.Context, r *nod.Request, c call) error {
	input := c.input
	changed := len(r.Decision.Input) > 0
	if changed {
		input = texts(r.Decision.Input)
	}
	now := call{tool: c.tool, input: input, main: c.main}
	facts := []hub.Fact{delivered(r.ID), t.doing(c.tool + ": " + now.title())}
	if o, ok := r.Option(nod.OptionAlways, string(r.Decision.Remember)); ok && r.Decision.Remember != "" {
		t.keep(c.rule)
		facts = append(facts, t.turn(nod.TurnSystem, "", t.say.Say(ruleKept, o.Label)))
	}
	_ = t.rest(ctx, 200*time.Millisecond)
	t.report(t.life, facts...)
	if err := t.effect(ctx, r.ID, c.doubt); err != nil {
		t.report(t.life, applied(r.ID, "interrupted"))
		return err
	}
	t.report(t.life, applied(r.ID, Kind), t.turn(nod.TurnTool, c.tool, now.title()))
	if changed {
		t.report(t.life, t.tell(ranEdited, fence("", now.input[now.main])))
		return nil
	}
	return t.outcome(c.then)
}

// effect is the time until a call shows that it ran.
func (t *thread) effect(ctx context.Context, id nod.RequestID, doubt bool) error {
	if doubt {
		if err := t.rest(ctx, 5*time.Second); err != nil {
			return err
		}
		t.report(t.life, hub.Prove(id, nod.Receipt{Step: nod.StepDoubted, By: Kind}))
	}
	return t.rest(ctx, 3*time.Second)
}

func (t *thread) outcome(text string) error {
	if text != "" {
		t.report(t.life, t.turn(nod.TurnAgent, "", text))
	}
	return nil
}

// denied lets the agent say that it has understood. It does not hurry off when
// it is stopped: a refusal is heard too.
func (t *thread) denied(r *nod.Request) error {
	_ = t.rest(t.life, 200*time.Millisecond)
	facts := []hub.Fact{delivered(r.ID), applied(r.ID, Kind)}
	message := r.Decision.Message
	switch {
	case r.Decision.Stop && t.ordered(): // whoever stops the agent lets it say so once
	case r.Decision.Stop && message != "":
		facts = append(facts, t.tell(haltedWith, quote(message)))
	case r.Decision.Stop:
		facts = append(facts, t.tell(halted))
	case message != "":
		facts = append(facts, t.tell(understoodWith, quote(message)))
	default:
		facts = append(facts, t.tell(understood))
	}
	t.report(t.life, facts...)
	if r.Decision.Stop {
		return errHalt
	}
	return errDone
}

// ordered reports whether the agent as a whole was told to stop.
func (t *thread) ordered() (yes bool) {
	t.link.State(func(s *nod.State) {
		g := s.Agents[t.id]
		yes = g != nil && g.Stopping != nil
	})
	return yes
}

func delivered(id nod.RequestID) hub.Fact {
	return hub.Prove(id, nod.Receipt{Step: nod.StepDelivered, By: Kind})
}

func applied(id nod.RequestID, proof string) hub.Fact {
	return hub.Prove(id, nod.Receipt{Step: nod.StepApplied, By: Kind, Proof: proof})
}

// texts reads an input that somebody edited; what is no text is shown as it was
// written.
func texts(raw json.RawMessage) map[string]string {
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &fields) // an edit that fits is an object
	out := make(map[string]string, len(fields))
	for name, value := range fields {
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		out[name] = s
	}
	return out
}
