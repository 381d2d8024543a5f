package demo

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// call is a tool call that needs permission.
type call struct {
	tool  string
	input map[string]string
	main  string // the input's main text, which a plain edit replaces
	rule  string // what "always" would mean; empty: none is offered
	then  string // what the agent says about its result
	patience
	doubt bool // its effect takes long, so that the request is doubted
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

// display is the whole call for the person who decides.
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

// approve asks for a tool call and simulates it.
func approve(c call) step {
	return func(ctx context.Context, t *activity) error {
		if t.hasRule(c.rule) {
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

// pass simulates a call that a rule allows without a question.
func (t *activity) pass(ctx context.Context, c call) error {
	t.report(t.life, t.doing(c.tool+": "+c.title()))
	if err := t.rest(ctx, 2*time.Second); err != nil {
		return err
	}
	t.report(t.life, t.turn(nod.TurnTool, c.tool, c.title()), t.turn(nod.TurnSystem, "", t.language.Say(byRule, c.rule)))
	return t.outcome(c.then)
}

// undecided handles a request that ended without a decision.
func (t *activity) undecided(ctx context.Context, r *nod.Request, c call) error {
	switch {
	case r.Status == nod.Expired:
		t.report(t.life, t.reply(tooLate))
	case r.Withdrawal != nil && r.Withdrawal.Reason == nod.WithdrawnTerminal:
		t.report(t.life, t.turn(nod.TurnSystem, "", t.language.Say(inTerminal)), t.turn(nod.TurnTool, c.tool, c.title()))
		return t.outcome(c.then)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errDone
}

// run simulates an allowed call, as it was asked for or as a person edited it. It is
// proven even if the agent is stopped meanwhile.
func (t *activity) run(ctx context.Context, r *nod.Request, c call) error {
	input := c.input
	changed := len(r.Decision.Input) > 0
	if changed {
		input = texts(r.Decision.Input)
	}
	now := call{tool: c.tool, input: input, main: c.main}
	facts := []hub.Fact{delivered(r.ID), t.doing(c.tool + ": " + now.title())}
	if o, ok := r.Option(nod.OptionAlways, string(r.Decision.Remember)); ok && r.Decision.Remember != "" {
		t.addRule(c.rule)
		facts = append(facts, t.turn(nod.TurnSystem, "", t.language.Say(ruleKept, o.Label)))
	}
	_ = t.rest(ctx, 200*time.Millisecond)
	t.report(t.life, facts...)
	if err := t.effect(ctx, r.ID, c.doubt); err != nil {
		t.report(t.life, applied(r.ID, "interrupted"))
		return err
	}
	t.report(t.life, applied(r.ID, Kind), t.turn(nod.TurnTool, c.tool, now.title()))
	if changed {
		t.report(t.life, t.reply(ranEdited, fence("", now.input[now.main])))
		return nil
	}
	return t.outcome(c.then)
}

// effect waits until the call has an effect.
func (t *activity) effect(ctx context.Context, id nod.RequestID, doubt bool) error {
	if doubt {
		if err := t.rest(ctx, 5*time.Second); err != nil {
			return err
		}
		t.report(t.life, hub.Prove(id, nod.Receipt{Step: nod.StepDoubted, By: Kind}))
	}
	return t.rest(ctx, 3*time.Second)
}

func (t *activity) outcome(text string) error {
	if text != "" {
		t.report(t.life, t.turn(nod.TurnAgent, "", text))
	}
	return nil
}

// denied makes the agent confirm a refusal, even while it is being stopped.
func (t *activity) denied(r *nod.Request) error {
	_ = t.rest(t.life, 200*time.Millisecond)
	facts := []hub.Fact{delivered(r.ID), applied(r.ID, Kind)}
	message := r.Decision.Message
	switch {
	case r.Decision.Stop && t.stopping(): // it confirms the stop elsewhere
	case r.Decision.Stop && message != "":
		facts = append(facts, t.reply(haltedWith, quote(message)))
	case r.Decision.Stop:
		facts = append(facts, t.reply(halted))
	case message != "":
		facts = append(facts, t.reply(understoodWith, quote(message)))
	default:
		facts = append(facts, t.reply(understood))
	}
	t.report(t.life, facts...)
	if r.Decision.Stop {
		return errHalt
	}
	return errDone
}

// stopping reports whether the agent as a whole was told to stop.
func (t *activity) stopping() (yes bool) {
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

// texts reads an edited input; values that are no strings stay as they are written.
func texts(raw json.RawMessage) map[string]string {
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &fields) // the hub takes only objects
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
