package cli

import (
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/present/words"
)

// eventPrinter tells events in one line each. It remembers names, because most
// events only carry ids.
type eventPrinter struct {
	names map[nod.AgentID]string
	uses  leaseUses
}

func newEventPrinter() eventPrinter { return eventPrinter{map[nod.AgentID]string{}, leaseUses{}} }

// line is "12:01:03  api  7f3a  what happened", or empty when there is nothing
// to tell.
func (n eventPrinter) line(p page, e *nod.Event) string {
	n.note(e)
	used, limit := n.uses.note(e)
	text, t := eventText(p, e)
	if text == "" {
		return ""
	}
	text = withUses(p, text, used, limit)
	start := p.clock(e.At)
	if who := n.name(e.AgentID); who != "" {
		start += "  " + padded(fold(nod.OneLine(who), 16), 8)
	}
	if e.RequestID != "" {
		start += "  " + nod.OneLine(string(e.RequestID[:min(4, len(e.RequestID))]))
	}
	return p.paint(quiet, start) + "  " + p.paint(t, p.oneLine(text, max(20, p.columns-lipgloss.Width(start)-2)))
}

func (n eventPrinter) note(e *nod.Event) {
	if e.Agent != nil {
		n.names[e.AgentID] = e.Agent.Name
	}
	if e.Request != nil {
		n.names[e.AgentID] = e.Request.Agent.Name
	}
}

func (n eventPrinter) name(id nod.AgentID) string {
	if name := n.names[id]; name != "" {
		return name
	}
	return string(id[:min(8, len(id))])
}

// eventText is what happened, and how much it matters. A damaged event may lack the
// part its kind promises; then its kind is all there is to tell.
func eventText(p page, e *nod.Event) (string, tone) {
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		_, t := agentSymbol(e.Agent)
		return join(stateText(p, e.Agent), e.Agent.Tool, e.Agent.Problem, e.Agent.NeedsYou), t
	case e.Kind == nod.RequestRaised && e.Request != nil:
		return p.Say(words.LogAsks, e.Request.Title), asks
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		return decisionEvent(p, e.Decision)
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		return p.Say(words.LogWithdrawn, withdrawalReason(p, e.Withdrawal)), quiet
	case e.Kind == nod.RequestExpired:
		return p.Say(words.LogExpired), bad
	case e.Kind == nod.RequestReceipt && e.Receipt != nil:
		return receiptEvent(p, *e.Receipt)
	case e.Kind == nod.TurnTaken && e.Turn != nil:
		return turnEvent(p, e.Turn)
	case (e.Kind == nod.LeaseGranted || e.Kind == nod.LeaseEnded) && e.Lease != nil:
		return leaseEvent(p, e)
	case e.Kind == nod.StopPressed && e.By != nil:
		return stopEvent(p, e)
	case e.Kind == nod.KeyPressed && e.By != nil:
		return p.Say(words.LogKey, e.By.Name, e.By.Via, e.Note), quiet
	case e.Message != nil:
		return messageEvent(p, e)
	case e.Kind == nod.AccessRefused && e.By != nil:
		return p.Say(words.LogRefused, e.By.Name, e.Note), bad
	case e.Kind == nod.HubStarted:
		return p.Say(words.LogStarted, e.Note), quiet
	}
	return join(string(e.Kind), e.Note), quiet
}

func decisionEvent(p page, d *nod.Decision) (string, tone) {
	if d.Automatic() {
		return automaticText(p, d), quiet
	}
	m, t := words.LogAnswered, good
	switch d.Verdict {
	case nod.VerdictAllow:
		m = words.LogAllowed
	case nod.VerdictDeny:
		m, t = words.LogDenied, bad
	}
	text := p.Say(m, d.By, d.Via)
	if d.Message != "" {
		text += ": " + d.Message
	}
	return text, t
}

func receiptEvent(p page, r nod.Receipt) (string, tone) {
	switch r.Step {
	case nod.StepApplied:
		return stepText(p, r), good
	case nod.StepDoubted, nod.StepOverruled:
		return stepText(p, r), bad
	}
	return stepText(p, r), quiet
}

func turnEvent(p page, t *nod.Turn) (string, tone) {
	switch t.Role {
	case nod.TurnPerson:
		return p.Say(words.LogSaid, t.Text), strong
	case nod.TurnAgent:
		return p.Say(words.LogReplied, t.Text), plain
	case nod.TurnTool:
		return t.Tool + ": " + t.Text, quiet
	}
	return p.Say(words.LogNoted, t.Text), quiet
}

func stopEvent(p page, e *nod.Event) (string, tone) {
	if e.AgentID == "" {
		return p.Say(words.LogStopAll, e.By.Name, e.By.Via), bad
	}
	return p.Say(words.LogStopOne, e.By.Name, e.By.Via), bad
}

func messageEvent(p page, e *nod.Event) (string, tone) {
	m := e.Message
	switch e.Kind {
	case nod.MessageSaid:
		return p.Say(words.LogMessageSaid, m.By, m.Via, m.Text), strong
	case nod.MessageDelivered:
		return p.Say(words.LogMessageHeard, m.Text), good
	}
	return p.Say(words.LogMessageLost, m.Problem, m.Text), bad
}
