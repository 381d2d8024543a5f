package claude

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// textLength is how much of an utterance the log keeps; the rest is in Claude
// Code's own transcript.
const textLength = 16 << 10

// facts are what one hook event means. A turn comes before the state that follows from
// it, so that a reader who sees the state has the text.
func (d *Driver) facts(ctx context.Context, c Call) []hub.Fact {
	p := c.Payload
	facts := []hub.Fact{d.present(ctx, c)}
	add := func(more ...hub.Fact) { facts = append(facts, more...) }
	switch p.Event {
	case wire.SessionStart:
		add(d.state(c, nod.AgentIdle, func(a *nod.Agent) { a.Tool, a.Subagents = "", nil }))
	case wire.UserPromptSubmit:
		add(said(p, promptRole(p.Prompt), p.Prompt), d.state(c, nod.AgentWorking, func(a *nod.Agent) {
			a.Prompt = nod.Fold(nod.OneLine(p.Prompt), asking.TitleLength)
			if promptRole(p.Prompt) == nod.TurnPerson {
				a.Stopping = nil // the person starts again
			}
		}))
	case wire.PreToolUse:
		d.session(c.agent()).remember(p)
		add(wentOn(p), d.state(c, nod.AgentWorking, func(a *nod.Agent) { a.Tool = doing(p) }))
	case wire.PostToolUse, wire.PostToolUseFailure:
		add(ran(p), acted(p), d.state(c, nod.AgentWorking, func(a *nod.Agent) { a.Tool = "" }))
	case wire.PostToolBatch:
		add(batchDone(p)...)
		add(d.state(c, nod.AgentWorking, func(a *nod.Agent) { a.Tool = "" }))
	case wire.PermissionDenied:
		add(said(p, nod.TurnSystem, "Denied by Claude Code itself: "+p.Tool+": "+p.Reason))
	case wire.Notification:
		add(notice(c))
	case wire.Stop:
		d.learnContext(c)
		add(turnOver(p, ""), said(p, nod.TurnAgent, p.Answer), d.state(c, nod.AgentIdle, func(a *nod.Agent) { a.Tool = "" }))
	case wire.StopFailure:
		add(turnOver(p, ""), said(p, nod.TurnSystem, problem(p)), failed(c))
	case wire.SubagentStart:
		add(subagents(c, func(list []nod.Subagent, now time.Time) []nod.Subagent {
			return append(without(list, p.AgentID), nod.Subagent{ID: p.AgentID, Type: p.AgentType, Since: now})
		}))
	case wire.SubagentStop:
		add(turnOver(p, p.AgentID), subagents(c, func(list []nod.Subagent, _ time.Time) []nod.Subagent {
			return without(list, p.AgentID)
		}))
	case wire.PreCompact:
		add(d.state(c, nod.AgentWorking, func(a *nod.Agent) { a.Tool = "compacting" }))
	case wire.PostCompact:
		add(d.state(c, nod.AgentWorking, func(a *nod.Agent) { a.Tool, a.Context = "", nil }), said(p, nod.TurnSystem, "The conversation was compacted."))
	case wire.SessionEnd:
		d.forget(c.agent())
		add(ended(c.agent(), p.Reason)...)
	}
	return slices.DeleteFunc(facts, func(f hub.Fact) bool { return f == nil })
}

// able adds what hooks alone can do: stop an agent at its next step. Other drivers report
// what they can do themselves.
func able(can []nod.Ability) []nod.Ability {
	if slices.Contains(can, nod.CanInterrupt) {
		return can
	}
	return append(slices.Clip(can), nod.CanInterrupt)
}

// present records the agent: any event may be the first one of its session at this hub.
func (d *Driver) present(ctx context.Context, c Call) hub.Fact {
	p := c.Payload
	process := d.processOf(ctx, c)
	return hub.Agent(c.agent(), func(a *nod.Agent, now time.Time) {
		if a.State == "" || a.State == nod.AgentEnded && p.Event != wire.SessionEnd {
			a.Enter(nod.AgentIdle, now)
		}
		a.Kind, a.Host, a.Hub = Kind, c.Host, ""
		if c.Local {
			a.Hub = d.link.Hub()
		}
		if p.AgentID == "" || a.Cwd == "" { // a subagent may work elsewhere
			a.Cwd = p.Cwd
			a.Name = nod.OneLine(filepath.Base(p.Cwd))
		}
		if p.Mode != "" && p.AgentID == "" {
			a.Mode = p.Mode
		}
		if p.Model != "" {
			a.Model = p.Model
		}
		a.Process = process
		a.Can = able(a.Can)
	})
}

// processOf finds the Claude Code process behind a hook. That costs more than all the
// rest, so it is done once for each process.
func (d *Driver) processOf(ctx context.Context, c Call) *nod.Process {
	p := &nod.Process{Local: c.Local, Pane: c.Pane, Tmux: c.Tmux, Status: c.Status}
	if !c.Local {
		p.PID = c.PID // for people to read; nothing here uses it
		return p
	}
	p.Run = c.Run // a socket on another machine cannot be opened here
	var known *nod.Process
	d.link.State(func(s *nod.State) {
		if a := s.Agents[c.agent()]; a != nil && d.link.Here(a) {
			known = a.Process
		}
	})
	if known != nil && known.Local && known.PID == c.PID && known.Start != 0 {
		p.PID, p.Start = known.PID, known.Start
		return p
	}
	// An unproven pid is not kept: it would make an agent of any process that it names,
	// such as a person's own terminal.
	if pid, start, ok := d.Processes.Claude(ctx, c.PID); ok {
		p.PID, p.Start = pid, start
	}
	return p
}

// state brings the agent into a state and changes more of it in the same fact.
// Events of a subagent do not change what the main session does.
func (d *Driver) state(c Call, s nod.AgentState, more func(a *nod.Agent)) hub.Fact {
	return hub.Agent(c.agent(), func(a *nod.Agent, now time.Time) {
		if c.Payload.AgentID != "" {
			return
		}
		a.NeedsYou = ""
		a.Enter(s, now)
		more(a)
	})
}

func failed(c Call) hub.Fact {
	p := c.Payload
	return hub.Agent(c.agent(), func(a *nod.Agent, now time.Time) {
		a.Tool, a.NeedsYou = "", ""
		if p.Error != "rate_limit" {
			a.Enter(nod.AgentError, now)
			a.Problem = nod.Fold(nod.OneLine(problem(p)), asking.TitleLength)
			return
		}
		a.Enter(nod.AgentLimited, now)
		a.Problem = nod.Fold(nod.OneLine(strings.TrimSpace(p.Answer+" "+p.Details)), asking.TitleLength)
		a.Until = resetTime(c.Resets, p.Answer+" "+p.Details, now)
	})
}

// problem is why a turn failed: Claude Code's sentence about it, or its code.
func problem(p wire.Payload) string {
	if p.Answer != "" {
		return p.Answer
	}
	return strings.TrimSpace(p.Error + " " + p.Details)
}

// ended is the end of a session and of everything it asked.
func ended(id nod.AgentID, why string) []hub.Fact {
	return []hub.Fact{
		hub.WithdrawAll(id, nod.Withdrawal{Reason: nod.WithdrawnEnded}),
		hub.Agent(id, func(a *nod.Agent, now time.Time) {
			a.Enter(nod.AgentEnded, now)
			a.Problem, a.Tool, a.NeedsYou, a.Subagents = why, "", "", nil
		}),
	}
}

// notice is a late sign that the terminal wants something. It matters only when no
// request of ours is open: then it is a dialog that no hook reports.
func notice(c Call) hub.Fact {
	p := c.Payload
	return hub.Agent(c.agent(), func(a *nod.Agent, _ time.Time) {
		switch p.Notice {
		case "permission_prompt", "agent_needs_input", "elicitation_dialog", "elicitation_url_dialog":
			if a.State != nod.AgentWaiting {
				a.NeedsYou = nod.Fold(nod.OneLine(p.Message), asking.TitleLength)
			}
		}
	})
}

func subagents(c Call, change func([]nod.Subagent, time.Time) []nod.Subagent) hub.Fact {
	return hub.Agent(c.agent(), func(a *nod.Agent, now time.Time) { a.Subagents = change(a.Subagents, now) })
}

func without(list []nod.Subagent, id string) []nod.Subagent {
	return slices.DeleteFunc(list, func(s nod.Subagent) bool { return s.ID == id })
}

// doing is a tool call in a few words.
func doing(p wire.Payload) string {
	return nod.Fold(p.Tool+": "+nod.OneLine(asking.Describe(p.Tool, p.Input).Line), asking.TitleLength)
}

// promptRole distinguishes a person's prompt from what Claude Code sends itself through
// the same event.
func promptRole(text string) nod.Role {
	if strings.HasPrefix(strings.TrimSpace(text), "<task-notification>") {
		return nod.TurnSystem
	}
	return nod.TurnPerson
}

func said(p wire.Payload, role nod.Role, text string) hub.Fact {
	if text == "" {
		return nil
	}
	t := nod.Turn{Agent: nod.AgentID(p.Session), Role: role, Text: text, Who: who(p)}
	if len(text) > textLength {
		t.Text, t.Cut = strings.ToValidUTF8(text[:textLength], ""), len(text)-textLength
	}
	return hub.Said(t)
}

// acted records a tool call that was made, with the beginning of its input.
func acted(p wire.Payload) hub.Fact {
	what := asking.Describe(p.Tool, p.Input).Line
	if p.Tool == wire.AskUserQuestion {
		what = asking.GivenLine(p.Input)
	}
	t := nod.Turn{Agent: nod.AgentID(p.Session), Role: nod.TurnTool, Tool: p.Tool, Text: nod.Fold(what, 500), Who: who(p)}
	if p.Event == wire.PostToolUseFailure {
		t.Text += "\n" + nod.Fold(p.Error, 500)
	}
	return hub.Said(t)
}

func who(p wire.Payload) *nod.Subagent {
	if p.AgentID == "" {
		return nil
	}
	return &nod.Subagent{ID: p.AgentID, Type: p.AgentType}
}
