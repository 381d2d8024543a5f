package show

import (
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// EventPrinter prints events on one line each. It remembers the names of agents,
// because most events only carry ids.
type EventPrinter struct {
	names map[nod.AgentID]string
	uses  leaseUses
}

func NewEventPrinter() EventPrinter { return EventPrinter{map[nod.AgentID]string{}, leaseUses{}} }

// Learn takes names and the use of leases from a snapshot, for events that only
// carry an id.
func (n EventPrinter) Learn(snap nod.Snapshot) {
	for _, a := range snap.Agents {
		n.names[a.ID] = a.Name
	}
	n.uses.know(snap.Leases, snap.Seq)
}

// Line is "12:01:03  api  7f3a  what happened", or empty.
func (n EventPrinter) Line(p Page, e *nod.Event) string {
	n.note(e)
	used, limit := n.uses.note(e)
	text, t := eventText(p, e)
	if text == "" {
		return ""
	}
	text = WithUses(p, text, used, limit)
	start := p.Clock(e.At)
	if who := n.name(e.AgentID); who != "" {
		start += "  " + term.Pad(term.Fold(nod.OneLine(who), 16), 8)
	}
	if e.RequestID != "" {
		start += "  " + nod.OneLine(string(e.RequestID[:min(4, len(e.RequestID))]))
	}
	return p.Paint(term.Quiet, start) + "  " + p.Paint(t, p.OneLine(text, max(20, p.Columns-lipgloss.Width(start)-2)))
}

func (n EventPrinter) note(e *nod.Event) {
	if e.Agent != nil {
		n.names[e.AgentID] = e.Agent.Name
	}
	if e.Request != nil {
		n.names[e.AgentID] = e.Request.Agent.Name
	}
}

func (n EventPrinter) name(id nod.AgentID) string {
	if name := n.names[id]; name != "" {
		return name
	}
	return string(id[:min(8, len(id))])
}

// eventText is what happened and its tone. A damaged event may lack the part that
// its kind promises; then only the kind is shown.
func eventText(p Page, e *nod.Event) (string, term.Tone) {
	switch {
	case e.Kind == nod.AgentChanged && e.Agent != nil:
		_, t := agentSymbol(e.Agent)
		return term.Join(stateText(p, e.Agent), e.Agent.Tool, e.Agent.Problem, e.Agent.NeedsYou), t
	case e.Kind == nod.RequestRaised && e.Request != nil:
		return p.Say(words.LogAsks, e.Request.Title), term.Asks
	case e.Kind == nod.RequestDecided && e.Decision != nil:
		return decisionEvent(p, e.Decision)
	case e.Kind == nod.RequestWithdrawn && e.Withdrawal != nil:
		return p.Say(words.LogWithdrawn, withdrawalReason(p, e.Withdrawal)), term.Quiet
	case e.Kind == nod.RequestExpired:
		return p.Say(words.LogExpired), term.Bad
	case e.Kind == nod.RequestReceipt && e.Receipt != nil:
		return receiptEvent(p, *e.Receipt)
	case e.Kind == nod.TurnTaken && e.Turn != nil:
		return turnEvent(p, e.Turn)
	case (e.Kind == nod.LeaseGranted || e.Kind == nod.LeaseEnded) && e.Lease != nil:
		return leaseEvent(p, e)
	case e.Kind == nod.StopPressed && e.By != nil:
		return stopEvent(p, e)
	case e.Kind == nod.KeyPressed && e.By != nil:
		return p.Say(words.LogKey, e.By.Name, e.By.Via, e.Note), term.Quiet
	case e.Message != nil:
		return messageEvent(p, e)
	case e.Kind == nod.AccessRefused && e.By != nil:
		return p.Say(words.LogRefused, e.By.Name, e.Note), term.Bad
	case e.Kind == nod.HubStarted:
		return p.Say(words.LogStarted, e.Note), term.Quiet
	}
	return term.Join(string(e.Kind), e.Note), term.Quiet
}

func decisionEvent(p Page, d *nod.Decision) (string, term.Tone) {
	if d.Automatic() {
		return AutomaticText(p, d), term.Quiet
	}
	m, t := words.LogAnswered, term.Good
	switch d.Verdict {
	case nod.VerdictAllow:
		m = words.LogAllowed
	case nod.VerdictDeny:
		m, t = words.LogDenied, term.Bad
	}
	text := p.Say(m, d.By, d.Via)
	if d.Message != "" {
		text += ": " + d.Message
	}
	return text, t
}

func receiptEvent(p Page, r nod.Receipt) (string, term.Tone) {
	switch r.Step {
	case nod.StepApplied:
		return stepText(p, r), term.Good
	case nod.StepDoubted, nod.StepOverruled:
		return stepText(p, r), term.Bad
	}
	return stepText(p, r), term.Quiet
}

func turnEvent(p Page, t *nod.Turn) (string, term.Tone) {
	switch t.Role {
	case nod.TurnPerson:
		return p.Say(words.LogSaid, t.Text), term.Strong
	case nod.TurnAgent:
		return p.Say(words.LogReplied, t.Text), term.Plain
	case nod.TurnTool:
		return t.Tool + ": " + t.Text, term.Quiet
	}
	return p.Say(words.LogNoted, t.Text), term.Quiet
}

func stopEvent(p Page, e *nod.Event) (string, term.Tone) {
	if e.AgentID == "" {
		return p.Say(words.LogStopAll, e.By.Name, e.By.Via), term.Bad
	}
	return p.Say(words.LogStopOne, e.By.Name, e.By.Via), term.Bad
}

func messageEvent(p Page, e *nod.Event) (string, term.Tone) {
	m := e.Message
	switch e.Kind {
	case nod.MessageSaid:
		return p.Say(words.LogMessageSaid, m.By, m.Via, m.Text), term.Strong
	case nod.MessageDelivered:
		return p.Say(words.LogMessageHeard, m.Text), term.Good
	}
	return p.Say(words.LogMessageLost, m.Problem, m.Text), term.Bad
}

// AutomaticText is a decision that no person made; it never sounds as if one had.
func AutomaticText(p Page, d *nod.Decision) string {
	switch {
	case d.Via == nod.ViaLease:
		return p.Say(words.AutoLease, nod.OneLine(string(d.Under)), nod.OneLine(d.By))
	case d.Verdict == nod.VerdictDeny:
		return p.Say(words.AutoDenied, nod.OneLine(d.By))
	}
	return p.Say(words.AutoAllowed, nod.OneLine(d.By))
}

// WithUses adds which use of the lease this was, if that is known.
func WithUses(p Page, text string, used, limit int) string {
	if used == 0 {
		return text
	}
	return p.Say(words.AutoCounted, text, used, limit)
}

// Automatic reports whether nod itself decided a request.
func Automatic(r *nod.Request) bool { return r.Decision != nil && r.Decision.Automatic() }

// leaseUses counts the decisions under each lease, from where the log was read.
type leaseUses map[nod.LeaseID]*leaseUse

type leaseUse struct {
	count, limit int
	from         nod.Seq // events up to here are counted already
}

// know sets the counts at a place in the log.
func (u leaseUses) know(leases []*nod.Lease, at nod.Seq) {
	for _, l := range leases {
		u[l.ID] = &leaseUse{count: l.Used, limit: l.Limit, from: at}
	}
}

// note counts an event, and returns which use of its lease a decision is; 0 if unknown.
func (u leaseUses) note(e *nod.Event) (used, limit int) {
	if e.Kind == nod.LeaseGranted && e.Lease != nil {
		u[e.Lease.ID] = &leaseUse{limit: e.Lease.Limit, from: e.Seq}
	}
	if e.Kind != nod.RequestDecided || e.Decision == nil {
		return 0, 0
	}
	known := u[e.Decision.Under]
	if known == nil || e.Seq <= known.from {
		return 0, 0
	}
	known.count++
	return known.count, known.limit
}
