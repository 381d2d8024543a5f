package claude

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// Claude Code sends no event that says "this dialog was answered", but what it does next
// shows it. Each function here reads one such sign. All of them look at the state inside
// the commit, so that an answer of ours and a sign from the terminal cannot both win.

// ran: a tool was run, so the request about it was answered with yes.
func ran(p wire.Payload) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		r := about(s, p.Session, p.AgentID, p.Call, p.Tool, p.Input)
		if r == nil {
			return nil
		}
		if r.Status == nod.Pending {
			w := nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasAllowed}
			if r.Kind == nod.KindQuestion {
				w.Outcome, w.Answers = nod.WasAnswered, asking.Given(p.Input)
			}
			return hub.Withdraw(r.ID, w)(s, now)
		}
		step := nod.StepApplied
		if contradicts(r, p.Input) {
			step = nod.StepOverruled
		}
		return hub.Prove(r.ID, nod.Receipt{Step: step, By: Kind, Proof: p.Event})(s, now)
	}
}

// contradicts reports whether the agent ran something else than was decided: the terminal
// was first.
func contradicts(r *nod.Request, ran json.RawMessage) bool {
	if r.Status != nod.Decided {
		return false
	}
	if r.Decision.Verdict == nod.VerdictDeny {
		return true
	}
	switch r.Kind {
	case nod.KindQuestion:
		given := asking.Given(ran)
		for question, reply := range r.Decision.Answers {
			if got, ok := given[question]; ok && got.Joined() != reply.Joined() {
				return true
			}
		}
		return false
	case nod.KindApproval:
		return !bytes.Equal(canonical(ran), canonical(asking.DecidedInput(r)))
	}
	return false
}

// batchDone: all calls of one step are over. It is the only sign of a call that was
// denied with a message.
func batchDone(p wire.Payload) []hub.Fact {
	facts := make([]hub.Fact, 0, len(p.Calls))
	for _, call := range p.Calls {
		facts = append(facts, func(s *nod.State, now time.Time) []nod.Event {
			r := about(s, p.Session, p.AgentID, call.Call, call.Tool, call.Input)
			if r == nil {
				return nil
			}
			text := responseText(call.Response)
			if r.Status == nod.Pending {
				// It did not run, which ran would have seen: denied in the terminal.
				w := nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasDenied, Detail: nod.Fold(text, 300)}
				return hub.Withdraw(r.ID, w)(s, now)
			}
			if r.Status != nod.Decided {
				return nil
			}
			if _, done := r.Receipt(nod.StepApplied); done {
				return nil
			}
			step := nod.StepOverruled
			if r.Decision.Verdict == nod.VerdictDeny && strings.Contains(text, asking.Denial(r.Decision)) {
				step = nod.StepApplied
			}
			return hub.Prove(r.ID, nod.Receipt{Step: step, By: Kind, Proof: p.Event})(s, now)
		})
	}
	return facts
}

// oneByOne are the tools that Claude Code asks about one after the other. It may ask about
// several calls of others, such as reads, at a time.
func oneByOne(tool string) bool {
	switch tool {
	case "Bash", "Edit", "Write", "NotebookEdit", wire.AskUserQuestion, wire.ExitPlanMode:
		return true
	}
	return false
}

// wentOn: the same agent begins another call, so an earlier request about a tool that is
// asked one by one is over.
func wentOn(p wire.Payload) hub.Fact {
	return hub.WithdrawWhere(nod.AgentID(p.Session), nod.Withdrawal{Reason: nod.WithdrawnTerminal}, func(r *nod.Request, now time.Time) bool {
		return ours(r) && subagentOf(r) == p.AgentID && oneByOne(r.Tool) && r.Call != p.Call && now.Sub(r.AskedAt) > time.Second
	})
}

// turnOver: the agent, or a subagent of it, has ended its turn, so none of its requests
// can still be open.
func turnOver(p wire.Payload, subagent string) hub.Fact {
	return hub.WithdrawWhere(nod.AgentID(p.Session), nod.Withdrawal{Reason: nod.WithdrawnSuperseded}, func(r *nod.Request, _ time.Time) bool {
		return ours(r) && subagentOf(r) == subagent
	})
}

// about finds the request that a tool call was asked with.
func about(s *nod.State, session, subagent, call, tool string, input json.RawMessage) *nod.Request {
	var fits *nod.Request
	var want []byte
	for _, r := range s.Requests {
		if string(r.Agent.ID) != session || r.Tool != tool || subagentOf(r) != subagent {
			continue
		}
		if r.Call != "" {
			if r.Call == call {
				return r
			}
			continue
		}
		if want == nil {
			want = canonical(input)
		}
		// The call's id is unknown, because the hub was down when it began: take the newest
		// with the same input.
		same := bytes.Equal(want, canonical(r.Input)) || r.Status == nod.Decided && bytes.Equal(want, canonical(asking.DecidedInput(r)))
		if same && (fits == nil || r.AskedAt.After(fits.AskedAt)) {
			fits = r
		}
	}
	return fits
}

// ours reports whether a hook raised the request. Other drivers may have raised some for
// the same agent; its hooks say nothing about those.
func ours(r *nod.Request) bool {
	raised, ok := r.Receipt(nod.StepRaised)
	return ok && raised.By == Kind
}

func subagentOf(r *nod.Request) string {
	if r.Agent.Subagent == nil {
		return ""
	}
	return r.Agent.Subagent.ID
}

// responseText is a tool's response as text, whatever its shape.
func responseText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
