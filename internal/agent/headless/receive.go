package headless

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/stdio"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
)

// receive takes one message of the program, and reports whether a step may be due.
func (w *worker) receive(ctx context.Context, m *stdio.Message) bool {
	if t := w.turn; t != nil && !t.heard && m.Confirms(t.uuid) {
		w.confirmedByProgram(ctx)
	}
	switch m.Type {
	case stdio.TypeStream:
		w.streamed(ctx, w.turn, m)
	case stdio.TypeAssistant:
		w.assistantWrote(ctx, m)
	case stdio.TypeUser:
		w.toolsReturned(ctx, m)
	case stdio.TypeSystem:
		w.system(ctx, m)
	case stdio.TypeLimit:
		if t := w.turn; t != nil && m.Limit != nil && m.Limit.Status == "rejected" && m.Limit.Resets > 0 {
			at := time.Unix(m.Limit.Resets, 0).UTC()
			t.resets = &at
		}
	case stdio.TypeControl:
		w.raise(ctx, m)
		if w.turn != nil && len(w.asks) > 0 {
			w.turn.pause(w.Now())
		}
		return true
	case stdio.TypeCancel:
		w.cancelled(ctx, m.RequestID)
		return true
	case stdio.TypeResult:
		w.result(ctx, m)
		return true
	}
	return false
}

// assistantWrote takes a finished piece of what the model wrote.
func (w *worker) assistantWrote(ctx context.Context, m *stdio.Message) {
	if m.Words == nil {
		return
	}
	if m.Synth { // it stands for an error of the model's API
		if w.turn != nil && m.Parent == "" {
			w.turn.why = m.Why()
		}
		return
	}
	w.prove(ctx, "") // the model continues, so the answer to a form has arrived
	for _, b := range m.Words.Content {
		switch {
		case b.Type == "text" && m.Parent == "" && w.turn != nil:
			w.turn.text.add(m.Words.ID, b.Text)
		case b.Type == "tool_use":
			w.calls[b.ID] = call{b.Name, b.Input, m.Parent}
			if m.Parent == "" {
				if w.turn != nil {
					w.turn.text.paragraph()
				}
				w.doing(ctx, b.Name+": "+nod.OneLine(asking.Describe(b.Name, b.Input).Line))
			}
		}
	}
}

// toolsReturned takes the results of tool calls, which prove that a decision took
// effect.
func (w *worker) toolsReturned(ctx context.Context, m *stdio.Message) {
	if m.Words == nil || m.Replay {
		return
	}
	for _, b := range m.Words.Content {
		if b.Type != "tool_result" {
			continue
		}
		w.prove(ctx, b.Call)
		c, known := w.calls[b.Call]
		if !known {
			continue
		}
		delete(w.calls, b.Call)
		if w.turn != nil && w.turn.halt != nil {
			continue // it was stopped, so nothing was done
		}
		what := asking.Describe(c.tool, c.input).Line
		if c.tool == wire.AskUserQuestion {
			what = asking.GivenLine(c.input)
		}
		t := nod.Turn{Agent: w.id, Role: nod.TurnTool, Tool: c.tool, Text: nod.Fold(what, 500)}
		if c.who != "" {
			t.Who = &nod.Subagent{ID: c.who}
		}
		if w.turn != nil {
			t.To = w.turn.m.ID
		}
		w.note(ctx, hub.Said(t), talk(w.id, func(a *nod.Agent, _ time.Time) { a.Tool = "" }))
	}
}

func (w *worker) system(ctx context.Context, m *stdio.Message) {
	switch {
	case m.Subtype == "init":
		w.note(ctx, talk(w.id, func(a *nod.Agent, _ time.Time) {
			if m.Model != "" {
				a.Model = m.Model
			}
			if m.Mode != "" {
				a.Mode = m.Mode
			}
		}))
	case m.Subtype == "api_retry":
		if w.turn != nil {
			w.turn.retrying = true
		}
		w.doing(ctx, retrying(m))
	case m.Subtype == "status" && m.Status == "compacting":
		w.doing(ctx, "compacting")
	case m.Subtype == "compact_boundary":
		w.note(ctx, hub.Said(nod.Turn{Agent: w.id, Role: nod.TurnSystem, Text: "The conversation was compacted."}))
	}
}

func retrying(m *stdio.Message) string {
	why := "the provider cannot be reached"
	if m.ErrorCode == 429 || m.ErrorCode >= 500 {
		why = "the provider is overloaded"
	}
	if m.MaxRetries > 0 {
		return fmt.Sprintf("%s, trying again (%d of %d)", why, m.Attempt, m.MaxRetries)
	}
	return why + ", trying again"
}

// result takes the program's report that a turn has ended.
func (w *worker) result(ctx context.Context, m *stdio.Message) {
	t := w.turn
	if t == nil || !m.About(t.uuid) {
		if t == nil {
			w.spokeUnasked(ctx, m)
		}
		return
	}
	if !t.heard {
		w.confirmedByProgram(ctx)
	}
	for _, u := range m.Usage {
		t.window = max(t.window, u.Window)
	}
	why, bad := troubleOf(m, t)
	switch {
	case t.halt != nil:
		w.finishWith(ctx, *t.halt)
	case bad:
		w.finishWith(ctx, why)
	default:
		text := t.text.String()
		if text == "" {
			text = m.Result
		}
		if marker, ok := findMarker(text); ok && t.markers < mostMarkers {
			w.raiseMarker(ctx, marker)
			return
		}
		w.finishAnswered(ctx, text)
	}
}

// answer is what the model wrote to the person, put together from its pieces.
type answer struct {
	parts []string
	last  string // the message that the last part is of
	gap   bool
}

func (a *answer) add(id, text string) {
	if n := len(a.parts); n > 0 && !a.gap && a.last == id {
		a.parts[n-1] += text
	} else {
		a.parts = append(a.parts, text)
	}
	a.last, a.gap = id, false
}

// paragraph separates what comes next.
func (a *answer) paragraph() { a.gap = true }

func (a *answer) String() string {
	parts := slices.DeleteFunc(slices.Clone(a.parts), func(s string) bool { return strings.TrimSpace(s) == "" })
	for i := range parts {
		parts[i] = strings.Trim(parts[i], "\n")
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}
