package headless

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/stdio"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// questions are what the program of a conversation asks, and what it does with the
// answers.
type questions struct {
	*runner
	asks   map[nod.RequestID]*ask   // what the program waits for
	proofs map[string]nod.RequestID // decisions it was given, by tool call
	calls  map[string]call          // tool calls that have not ended
}

// call is a tool call that has not ended.
type call struct {
	tool  string
	input json.RawMessage
	who   string // the subagent that made it
}

// ask is a request that the program waits for.
type ask struct {
	control string // the program's own id of it
	call    string // the tool call that it is about, if it is
	form    bool
}

// newRequestID looks like the ids that hooks choose.
func newRequestID() nod.RequestID { return nod.RequestID(strings.ToLower(rand.Text())) }

// requestOf makes a request of a question of the program.
func requestOf(a *nod.Agent, q *stdio.Request) (nod.Request, error) {
	p := wire.Payload{
		Event: wire.PermissionRequest, Session: string(a.ID), Cwd: a.Cwd, AgentID: q.Agent,
		Tool: q.Tool, Input: q.Input, Call: q.Call, Suggestions: q.Suggestions,
	}
	if q.Subtype == stdio.Elicitation {
		p.Event, p.Server, p.Message, p.How, p.URL, p.Schema = wire.Elicitation, q.Server, q.Words, q.Mode, q.URL, q.Schema
	}
	r, err := asking.Ask(newRequestID(), p)
	if err != nil {
		return r, err
	}
	r.Agent = a.Ref()
	if q.Agent != "" {
		r.Agent.Subagent = &nod.Subagent{ID: q.Agent}
	}
	r.Call, r.Dialog = q.Call, nod.DialogNever
	if q.NoAlways {
		r.Options = slices.DeleteFunc(r.Options, func(o nod.Option) bool { return o.Kind == nod.OptionAlways })
		r.CanAlways = false
	}
	// Picking an answer takes a person anyway, so questions are not meant by this.
	if (q.DefaultNo || q.Interactive) && r.Kind != nod.KindQuestion {
		r.OneTap = false
	}
	return r, nil
}

// shortestPatience is the least time that a person gets.
const shortestPatience = 5 * time.Second

// settle passes on the answers that have come.
func (w *worker) settle(ctx context.Context) {
	for id, k := range w.asks {
		if r := w.settled(ctx, id); r != nil {
			delete(w.asks, id)
			w.decided(ctx, r, k)
		}
	}
	if c := w.confirm; c != nil && !c.allowed {
		if r := w.settled(ctx, c.request); r != nil {
			w.confirmed(ctx, r)
		}
	}
	if w.turn != nil && len(w.asks) == 0 && w.confirm == nil {
		w.turn.resume(w.Now())
	}
}

// response is a decision as the control protocol has it.
func response(r *asking.Reply) map[string]any {
	switch {
	case r.Action != "":
		out := map[string]any{"action": r.Action}
		if len(r.Content) > 0 {
			out["content"] = r.Content
		}
		return out
	case r.Behavior == asking.Denies:
		return map[string]any{"behavior": r.Behavior, "message": r.Message, "interrupt": r.Interrupt}
	}
	out := map[string]any{"behavior": r.Behavior, "updatedInput": r.Input}
	if len(r.Permissions) > 0 {
		out["updatedPermissions"] = r.Permissions
	}
	return out
}

// refusal denies what no person has decided.
func refusal(k *ask, message string) map[string]any {
	if k.form {
		return response(&asking.Reply{Action: asking.Cancels})
	}
	return response(&asking.Reply{Behavior: asking.Denies, Message: message})
}

// inputOf is the input of a request for confirmation.
func inputOf(fields map[string]string) json.RawMessage {
	b, _ := json.Marshal(fields) // strings always can be
	return b
}

// raise turns a question of the program into a request. Nothing is allowed until it
// is answered.
func (q *questions) raise(ctx context.Context, m *stdio.Message) {
	if m.Request == nil || m.Request.Subtype != stdio.CanUseTool && m.Request.Subtype != stdio.Elicitation {
		q.write(ctx, func(ctx context.Context) error { return q.prog.Refuse(ctx, m.RequestID, "not supported") })
		return
	}
	k := &ask{control: m.RequestID, call: m.Request.Call, form: m.Request.Subtype == stdio.Elicitation}
	a, _ := q.look()
	if a == nil {
		return // it has ended, and its program will
	}
	r, err := requestOf(a, m.Request)
	if err == nil {
		expires := q.Now().Add(q.patience(a))
		r.ExpiresAt = &expires
		_, err = q.link.Ask(ctx, r)
	}
	if err != nil {
		q.Log.Warn("a question of Claude Code could not be asked; it is refused", "agent", q.id, "request", r.ID, "err", err)
		q.reply(ctx, k, refusal(k, "Nobody could be asked: "+nod.MessageOf(err)))
		return
	}
	q.asks[r.ID] = k
}

func (q *questions) decided(ctx context.Context, r *nod.Request, k *ask) {
	words, err := asking.Answer(r)
	switch {
	case err != nil:
		q.Log.Error("a decision could not be put into Claude Code's words; it is refused", "request", r.ID, "err", err)
		q.reply(ctx, k, refusal(k, "The answer could not be passed on."))
		return
	case words == nil && r.Status == nod.Expired:
		delete(q.calls, k.call)
		q.reply(ctx, k, refusal(k, "Nobody answered in time, so this was not done. Say so, and do not try it again unless you are told to."))
		return
	case words == nil:
		delete(q.calls, k.call)
		q.reply(ctx, k, refusal(k, "This is not asked any more."))
		return
	}
	if !q.reply(ctx, k, response(words)) {
		return
	}
	if c, known := q.calls[k.call]; known && words.Behavior == asking.Allows {
		c.input = words.Input // what runs may differ from what was asked
		q.calls[k.call] = c
	} else {
		delete(q.calls, k.call)
	}
	q.proofs[k.call] = r.ID
	q.note(ctx, hub.Prove(r.ID, nod.Receipt{Step: nod.StepDelivered, By: driverName}))
}

// prove notes that the program acted on the decision about a tool call.
func (q *questions) prove(ctx context.Context, call string) {
	if id, ok := q.proofs[call]; ok {
		delete(q.proofs, call)
		q.note(ctx, hub.Prove(id, nod.Receipt{Step: nod.StepApplied, By: driverName, Proof: "tool_result"}))
	}
}

// cancelled withdraws what the program no longer asks.
func (q *questions) cancelled(ctx context.Context, control string) {
	for id, k := range q.asks {
		if k.control == control {
			delete(q.asks, id)
			q.note(ctx, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
		}
	}
}

// abandon withdraws everything that the program asks: it will be gone.
func (q *questions) abandon(ctx context.Context) {
	for id := range q.asks {
		q.note(ctx, hub.Withdraw(id, nod.Withdrawal{Reason: nod.WithdrawnLost}))
	}
	clear(q.asks)
}
