package voicebridge

import (
	"context"
	"time"

	"nod"
	"nod/internal/hub"
)

// frame is one event on this wire. One fact of the log may become several.
type frame struct {
	event  string
	about  *nod.Agent
	number int // of the agent
	body   map[string]any
}

// agentView is what a stream knows about one agent.
type agentView struct {
	record   *nod.Agent
	sure     bool // the record is as of the current event
	at       state
	talk     *conversation
	underway map[nod.MessageID]bool
}

// translator turns the log into the events of this wire. It takes the facts in the
// order of the log, and looks up what came before when it needs to.
type translator struct {
	speaker
	desk   hub.Desk
	number func(nod.AgentID) int
	views  map[nod.AgentID]*agentView
}

func newTranslator(desk hub.Desk, s speaker, number func(nod.AgentID) int) *translator {
	return &translator{speaker: s, desk: desk, number: number, views: map[nod.AgentID]*agentView{}}
}

// begin starts from a snapshot; exact: the stream continues from there.
func (t *translator) begin(ctx context.Context, snap nod.Snapshot, exact bool) error {
	for _, a := range snap.Agents {
		v := &agentView{record: a, sure: exact, underway: map[nod.MessageID]bool{}}
		for _, m := range snap.Messages {
			if exact && m.Agent == a.ID {
				v.underway[m.ID] = true
			}
		}
		t.views[a.ID] = v
		if !exact || !a.Alive() {
			continue
		}
		var err error
		if v.talk, err = standing(ctx, t.desk, &nod.Event{Seq: snap.Seq + 1, AgentID: a.ID}, t.say); err != nil {
			return err
		}
		v.at = stateOf(a, v.talk.at, len(v.underway) > 0)
	}
	return nil
}

func (t *translator) view(ctx context.Context, e *nod.Event) (*agentView, error) {
	v := t.views[e.AgentID]
	if v == nil {
		v = &agentView{underway: map[nod.MessageID]bool{}}
		t.views[e.AgentID] = v
	}
	if v.talk == nil {
		var err error
		if v.talk, err = standing(ctx, t.desk, e, t.say); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// frames are the events of a fact: the turn first, then the state, then the card.
func (t *translator) frames(ctx context.Context, e *nod.Event) ([]frame, error) {
	if e.AgentID == "" {
		return nil, nil
	}
	v, err := t.view(ctx, e)
	if err != nil {
		return nil, err
	}
	var out []frame
	switch e.Kind {
	case nod.AgentChanged:
		out = append(t.created(v, v.talk.release()), t.changed(v, e)...)
	case nod.TurnTaken:
		out = t.created(v, v.talk.said(e.Turn))
	case nod.RequestRaised, nod.RequestDecided, nod.RequestWithdrawn, nod.RequestExpired:
		if out, err = t.request(ctx, v, e); err != nil {
			return nil, err
		}
	case nod.MessageSaid, nod.MessageTyped, nod.MessageDelivered, nod.MessageFailed:
		out = t.message(v, e)
	default:
		return nil, nil
	}
	if v.record == nil {
		return out, nil
	}
	out = append(out, t.moved(v, e)...)
	if len(out) > 0 || e.Kind == nod.AgentChanged {
		out = append(out, frame{event: "card_refresh", body: t.card(v, e)})
	}
	for i := range out {
		out[i].about = v.record
		out[i].number = t.number(v.record.ID)
		out[i].body["agent_id"], out[i].body["nod_id"] = out[i].number, v.record.ID
		out[i].body["project_id"], out[i].body["project_path"] = project(v.record.Host, v.record.Cwd), v.record.Cwd
	}
	return out, nil
}

// changed takes over an agent's record, and tells when it started or ended.
func (t *translator) changed(v *agentView, e *nod.Event) []frame {
	before, known := v.record, v.sure
	v.record, v.sure = e.Agent, true
	body := map[string]any{"session_uuid": string(e.AgentID), "project_name": e.Agent.Name, "timestamp": e.At}
	switch {
	case e.Agent.Started.Equal(e.At):
		return []frame{{event: "session_created", body: body}}
	case !e.Agent.Alive() && (before == nil || !known || before.Alive()):
		body["reason"] = e.Agent.Problem
		return []frame{{event: "session_ended", body: body}}
	}
	return nil
}

// moved tells of a change of state, if there was one.
func (t *translator) moved(v *agentView, e *nod.Event) []frame {
	if !v.sure {
		return nil // the record is of another time, and so would be the state
	}
	from, to := v.at, stateOf(v.record, v.talk.at, len(v.underway) > 0)
	if from == to {
		return nil
	}
	v.at = to
	a := v.record
	return []frame{
		{event: "state_changed", body: map[string]any{
			"event_type": string(e.Kind), "new_state": to, "message": t.doing(spokenName(a.Name), a, to),
			"project_name": a.Name, "agent_session": string(a.ID), "timestamp": e.At,
		}},
		{event: "state_transition", body: map[string]any{
			"from_state": orIdle(from), "to_state": to, "trigger": string(e.Kind), "timestamp": e.At,
		}},
	}
}

func orIdle(s state) state {
	if s == "" {
		return idle
	}
	return s
}

func (t *translator) request(ctx context.Context, v *agentView, e *nod.Event) ([]frame, error) {
	r, err := t.desk.Request(ctx, e.RequestID)
	if nod.CodeOf(err) == nod.NotFound && err != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if hidden(r) {
		return nil, nil // no person was asked, so there is nothing to tell
	}
	if e.Kind == nod.RequestRaised {
		return t.created(v, v.talk.asks(questionTurn(e.Request, t.say))), nil
	}
	out := t.created(v, v.talk.answered(answerTurn(r, t.say)))
	update := map[string]any{"turn_id": turnID(r.Seq), "update_type": "answered", "request_id": r.ID, "tool_input": questionTurn(r, t.say).Input, "timestamp": e.At}
	switch {
	case r.Status == nod.Expired:
		update["update_type"] = "expired"
	case r.Withdrawal != nil && r.Withdrawal.Outcome == "":
		update["update_type"] = "withdrawn"
	}
	return append(out, frame{event: "turn_updated", body: update}), nil
}

// message tells how far a message has come. The turn itself is made from the agent's
// own event, so that it has the same number wherever it is read.
func (t *translator) message(v *agentView, e *nod.Event) []frame {
	m := e.Message
	var turns []Turn
	v.underway[m.ID] = true
	if !m.Underway() {
		delete(v.underway, m.ID)
	}
	if e.Kind == nod.MessageDelivered {
		turns = v.talk.delivered(m, e.Seq)
	}
	body := map[string]any{
		"turn_id": nil, "update_type": "message_" + string(m.Status), "message_id": m.ID, "text": m.Text, "by": m.By, "timestamp": e.At,
	}
	if m.Problem != "" {
		body["problem"], body["trouble"] = m.Problem, m.Trouble
	}
	return append(t.created(v, turns), frame{event: "turn_updated", body: body})
}

// longestSpoken is how much of a reply is turned into spoken words.
const longestSpoken = 800

func (t *translator) created(v *agentView, turns []Turn) []frame {
	var out []frame
	for _, turn := range turns {
		body := map[string]any{
			"turn_id": turn.ID, "actor": turn.Actor, "intent": turn.Intent, "text": turn.Text, "timestamp": turn.At,
			"is_internal": false, "command_id": nil, "command_instruction": "",
		}
		if turn.work != nil {
			body["command_id"], body["command_instruction"] = turn.work.id, turn.work.instruction()
		}
		for name, value := range map[string]string{"question_source_type": turn.Source, "question_text": turn.Question, "tool": turn.Tool, "request_id": string(turn.Request), "by": turn.By, "trouble": string(turn.Trouble)} {
			if value != "" {
				body[name] = value
			}
		}
		if turn.Input != nil {
			body["tool_input"], body["question_options"] = turn.Input, turn.Options
		}
		if turn.Answers != 0 {
			body["answered_by_turn_id"] = turn.Answers
		}
		if turn.Actor == agent && turn.Intent != progress {
			body["spoken"] = t.brief(turn.Text, longestSpoken)
		}
		out = append(out, frame{event: "turn_created", body: body})
	}
	return out
}

// card is everything that a list shows about an agent.
func (t *translator) card(v *agentView, e *nod.Event) map[string]any {
	a, at := v.record, v.at
	if at == "" {
		at = stateOf(a, v.talk.at, len(v.underway) > 0)
	}
	hero, trail := heroes(a.ID)
	card := map[string]any{
		"id": t.number(a.ID), "session_uuid": hero + trail, "hero_chars": hero, "hero_trail": trail, "is_active": a.Alive(),
		"uptime": int64(e.At.Sub(a.Started) / time.Second), "last_seen": a.Seen, "state": at.upper(), "nod_state": a.State,
		"state_info":   map[string]any{"color": color(at), "label": t.say.State(a.State)},
		"project_name": a.Name, "project_slug": spokenName(a.Name), "current_command_id": nil, "command_instruction": "", "command_summary": "",
		"command_completion_summary": "", "turn_count": v.talk.count, "is_bridge_connected": a.Able(nod.CanSay),
		"context": cardMemory(a), "reason": string(e.Kind), "timestamp": e.At,
	}
	if w := v.talk.work; w != nil {
		card["current_command_id"], card["command_instruction"], card["command_summary"] = w.id, w.instruction(), w.summary()
		card["elapsed"] = int64(e.At.Sub(w.started) / time.Second)
		if w.state == complete {
			card["command_completion_summary"] = w.summary()
		}
	}
	return card
}

// color is one of the colours that cards know.
func color(s state) string {
	switch s {
	case processing:
		return "blue"
	case awaitingInput:
		return "orange"
	case commanded:
		return "amber"
	}
	return "green"
}
