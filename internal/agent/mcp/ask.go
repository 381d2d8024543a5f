package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/wire"
	"nod/internal/agent/mcp/server"
	"nod/internal/hub"
)

// askTool is the tool of requests that are questions.
const askTool = "ask_person"

// The limits of a question.
const (
	longestQuestion = 2_000
	longestDetails  = 20_000
	longestLabel    = 200
	mostOptions     = 20
)

// Ask raises a request and waits until it is settled.
func (d *Driver) Ask(ctx context.Context, c server.Caller, a server.Asked) (server.Outcome, error) {
	r, leave, err := d.raise(ctx, c, a)
	if err != nil {
		return server.Outcome{}, err
	}
	defer leave()
	r, err = d.link.Await(ctx, r.ID)
	if err != nil {
		return server.Outcome{}, err
	}
	d.deliver(ctx, r)
	return outcome(r), nil
}

// raise records a request, or finds it if it was raised before. leave ends the wait; a
// request without a waiting caller is withdrawn after a while.
func (d *Driver) raise(ctx context.Context, c server.Caller, a server.Asked) (*nod.Request, func(), error) {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	r, err := request(agent, c, a)
	if err != nil {
		return nil, nil, err
	}
	r.ID = d.sameQuestion(r)
	depart, err := d.presence.connect(ctx, agent, c)
	if err != nil {
		return nil, nil, err
	}
	stop := d.presence.wait(ctx, r.ID)
	leave := func() { stop(); depart() }
	kept, err := d.link.Ask(ctx, r)
	if err == nil && (!ours(kept) || kept.Agent.ID != agent) {
		// Knowing an id gives no access to the request of another agent.
		err = nod.Errorf(nod.Forbidden, "request %s was not asked by this agent", r.ID)
	}
	if err != nil {
		leave()
		return nil, nil, err
	}
	return kept, leave, nil
}

// sameQuestion is the id of an equal request that is pending without a waiting caller: a
// program that was restarted asks again under a new id.
func (d *Driver) sameQuestion(r nod.Request) nod.RequestID {
	id := r.ID
	d.link.State(func(s *nod.State) {
		for _, old := range s.PendingOf(r.Agent.ID) {
			if ours(old) && !d.presence.waitsFor(old.ID) && old.Title == r.Title && old.Display == r.Display && string(old.Input) == string(r.Input) {
				id = old.ID
				return
			}
		}
	})
	return id
}

// request is what the person sees.
func request(agent nod.AgentID, c server.Caller, a server.Asked) (nod.Request, error) {
	if a.ID == "" {
		a.ID = server.NewID()
	}
	if len(a.ID) < 16 || len(a.ID) > 64 || strings.Trim(string(a.ID), "0123456789abcdef") != "" {
		return nod.Request{}, nod.Errorf(nod.Invalid, "the id of a request must be 16 to 64 lower-case hexadecimal digits")
	}
	if a.Tool != "" {
		return permission(agent, c, a)
	}
	q := nod.Question{Text: strings.TrimSpace(a.Question), Choices: a.Options, Multi: a.Multi, FreeText: !a.Closed || len(a.Options) == 0}
	if err := fit(q, a.Details); err != nil {
		return nod.Request{}, err
	}
	input, err := json.Marshal(struct {
		Question string       `json:"question"`
		Options  []nod.Choice `json:"options,omitempty"`
		Multi    bool         `json:"multi_select,omitempty"`
	}{q.Text, q.Choices, q.Multi})
	if err != nil {
		return nod.Request{}, err
	}
	r := nod.Request{
		ID: a.ID, Kind: nod.KindQuestion, Agent: ref(agent, c), Tool: askTool, Dialog: nod.DialogNever,
		Title: nod.Fold(nod.OneLine(q.Text), asking.TitleLength), Display: a.Details, Input: input, Questions: []nod.Question{q},
		OneTap: !q.Multi && strings.TrimSpace(a.Details) == "", // details have to be read first
	}
	for _, o := range q.Choices {
		r.Suggestions = append(r.Suggestions, nod.Suggestion{Label: o.Label, Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{o.Label}}}}})
	}
	if q.Multi {
		r.Suggestions = nil // one button is only a part of such an answer
	}
	return r, nil
}

func ref(agent nod.AgentID, c server.Caller) nod.AgentRef {
	return nod.AgentRef{ID: agent, Kind: Kind, Name: nameOf(c), Host: tidy(c.Host), Cwd: tidy(c.Cwd)}
}

// fit refuses what a person could not answer.
func fit(q nod.Question, details string) error {
	switch {
	case q.Text == "":
		return nod.Errorf(nod.Invalid, "question is empty: ask one clear question")
	case utf8.RuneCountInString(q.Text) > longestQuestion:
		return nod.Errorf(nod.TooLarge, "the question is longer than %d characters: ask shorter, and put the rest into details", longestQuestion)
	case utf8.RuneCountInString(details) > longestDetails:
		return nod.Errorf(nod.TooLarge, "details are longer than %d characters: say what matters for the answer", longestDetails)
	case len(q.Choices) > mostOptions:
		return nod.Errorf(nod.TooLarge, "there are %d options, and %d is the most", len(q.Choices), mostOptions)
	}
	seen := map[string]bool{}
	for _, o := range q.Choices {
		switch {
		case strings.TrimSpace(o.Label) == "":
			return nod.Errorf(nod.Invalid, "an option has no label")
		case utf8.RuneCountInString(o.Label) > longestLabel || utf8.RuneCountInString(o.Description) > longestQuestion:
			return nod.Errorf(nod.TooLarge, "an option's label is longer than %d characters, or its description than %d", longestLabel, longestQuestion)
		case seen[o.Label]:
			return nod.Errorf(nod.Invalid, "two options are called %q: nobody could tell them apart", o.Label)
		}
		seen[o.Label] = true
	}
	return nil
}

// permission is a request of the permission prompt tool, like that of a hook.
func permission(agent nod.AgentID, c server.Caller, a server.Asked) (nod.Request, error) {
	r, err := asking.Ask(a.ID, wire.Payload{
		Event: wire.PermissionRequest, Session: string(agent), Cwd: c.Cwd, Tool: a.Tool, Input: a.Input, Call: a.Call,
	})
	r.Agent, r.Call, r.Dialog = ref(agent, c), a.Call, nod.DialogNever
	return r, err
}

// outcome is how a settled request ended. Only a decision can be an answer.
func outcome(r *nod.Request) server.Outcome {
	o := server.Outcome{Request: r.ID, Status: r.Status}
	if dec := r.Decision; r.Status == nod.Decided && dec != nil {
		o.Verdict, o.Message, o.Stop, o.By = dec.Verdict, dec.Message, dec.Stop, dec.By
		for _, q := range r.Questions {
			o.Answer = dec.Answers[q.Key()]
		}
	}
	if r.Tool != askTool {
		o.Permission = verdict(r)
	}
	return o
}

// verdict is the outcome for a permission prompt tool.
func verdict(r *nod.Request) json.RawMessage {
	reply, err := asking.Answer(r)
	switch {
	case err != nil || reply == nil:
		return server.Refusal("Nobody answered, so this was not allowed.")
	case reply.Behavior != asking.Allows:
		return server.Refusal(reply.Message)
	}
	b, err := json.Marshal(struct {
		Behavior    string            `json:"behavior"`
		Input       json.RawMessage   `json:"updatedInput"`
		Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	}{asking.Allows, reply.Input, reply.Permissions})
	if err != nil {
		return server.Refusal("The decision could not be put into words, so this was not allowed.")
	}
	return b
}

// deliver proves that the agent's server has the answer. A question is applied with
// that; whether an allowed call was made is proven elsewhere.
func (d *Driver) deliver(ctx context.Context, r *nod.Request) {
	facts := []hub.Fact{hub.Prove(r.ID, nod.Receipt{Step: nod.StepDelivered, By: Kind})}
	if r.Tool == askTool && r.Status == nod.Decided {
		facts = append(facts, hub.Prove(r.ID, nod.Receipt{Step: nod.StepApplied, By: Kind, Proof: "tool result"}))
	}
	if err := d.link.Note(context.WithoutCancel(ctx), facts...); err != nil {
		d.Log.Warn("a delivery was not recorded", "request", r.ID, "err", err)
	}
}

// withdraw takes back a request that the agent no longer waits for.
func (d *Driver) withdraw(ctx context.Context, c server.Caller, id nod.RequestID) error {
	agent, err := d.agentOf(ctx, c)
	if err != nil {
		return err
	}
	return d.link.Report(ctx, func(s *nod.State, now time.Time) []nod.Event {
		r, ok := s.Requests[id]
		if !ok || !ours(r) || r.Agent.ID != agent || r.Settled() {
			return nil
		}
		return hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnSuperseded})(s, now)
	})
}
