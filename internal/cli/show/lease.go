package show

import (
	"strings"
	"time"

	"nod"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

func NamesOf(agents []*nod.Agent) map[nod.AgentID]string {
	names := make(map[nod.AgentID]string, len(agents))
	for _, a := range agents {
		names[a.ID] = a.Name
	}
	return names
}

// barCells is the width of a bar.
const barCells = 8

// LeaseList draws leases, what they cover and how much of them is left.
func LeaseList(p Page, list []*nod.Lease, names map[nod.AgentID]string) string {
	var b strings.Builder
	for i, l := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		id := p.Paint(term.Strong, nod.OneLine(string(l.ID)))
		b.WriteString(id + "  " + p.Paint(term.Held, LeaseBar(p, l)) + "  " + LeaseLeft(p, l) + "\n")
		for _, rule := range l.Rules {
			b.WriteString(strings.Join(p.Block(rule, 2), "\n") + "\n")
		}
		by := p.Say(words.LeaseBy, nod.OneLine(l.By), nod.OneLine(l.Via), p.Ago(p.Now.Sub(l.Granted)))
		for _, text := range []string{LeaseReach(p, l, names), by} {
			for _, line := range p.Block(text, 2) {
				b.WriteString(p.Paint(term.Quiet, line) + "\n")
			}
		}
	}
	return b.String()
}

// LeaseLeft is what is left of a lease, by count and by time.
func LeaseLeft(p Page, l *nod.Lease) string {
	return p.Say(words.LeaseLeft, max(0, l.Limit-l.Used), l.Limit, p.LeaseLeft(l.Until.Sub(p.Now)))
}

// LeaseBar shows what is left of the time or of the uses, whichever is less.
func LeaseBar(p Page, l *nod.Lease) string {
	whole, rest := l.Until.Sub(l.Granted), max(0, l.Until.Sub(p.Now))
	cells := barCells
	if whole > 0 {
		cells = min(cells, ceil(int64(rest)/int64(time.Millisecond), int64(whole)/int64(time.Millisecond)))
	}
	if l.Limit > 0 {
		cells = min(cells, ceil(int64(max(0, l.Limit-l.Used)), int64(l.Limit)))
	}
	return strings.Repeat("▰", cells) + strings.Repeat("▱", barCells-cells)
}

// ceil is rest/whole in cells, rounded up: the bar is empty only when nothing is
// left.
func ceil(rest, whole int64) int {
	whole = max(1, whole)
	return int((rest*barCells + whole - 1) / whole)
}

// LeaseReach says which agents a lease covers.
func LeaseReach(p Page, l *nod.Lease, names map[nod.AgentID]string) string {
	session := ""
	if l.Agent != "" {
		name := names[l.Agent]
		if name == "" {
			name = string(l.Agent[:min(8, len(l.Agent))])
		}
		session = p.Say(words.LeaseSession, nod.OneLine(name))
	}
	folder, host := nod.OneLine(l.Folder), nod.OneLine(l.Host)
	switch {
	case folder != "" && host != "":
		return term.Join(session, p.Say(words.LeaseFolderOn, folder, host))
	case folder != "":
		return term.Join(session, p.Say(words.InFolder, folder))
	case host != "" && session == "":
		return p.Say(words.LeaseHost, host)
	case session == "":
		return p.Say(words.LeaseAnywhere)
	}
	return term.Join(session, host)
}

// GrantedText says exactly what was granted and how to revoke it.
func GrantedText(p Page, l *nod.Lease, names map[nod.AgentID]string) string {
	span := p.LeaseSpan(l.Until.Sub(l.Granted))
	lines := []string{p.Say(words.LeaseTold, p.Clock(l.Until), span, l.Limit)}
	for _, rule := range l.Rules {
		lines = append(lines, p.Block(rule, 2)...)
	}
	lines = append(lines, p.Block(LeaseReach(p, l, names), 2)...)
	if l.ID == "" {
		return strings.Join(append(lines, p.Say(words.LeaseFind)), "\n")
	}
	return strings.Join(append(lines, p.Say(words.LeaseTakeBack, nod.OneLine(string(l.ID)))), "\n")
}

// leaseEvent is an event about a lease.
func leaseEvent(p Page, e *nod.Event) (string, term.Tone) {
	l := e.Lease
	if e.Kind == nod.LeaseGranted {
		return p.Say(words.LogLeaseGranted, l.ID, l.By, l.Via, p.LeaseSpan(l.Until.Sub(l.Granted)), l.Limit, strings.Join(l.Rules, " ")), term.Held
	}
	return p.Say(words.LogLeaseEnded, l.ID, l.Used, l.Limit, leaseEndReason(p, l.End)), term.Quiet
}

func leaseEndReason(p Page, end *nod.LeaseEnd) string {
	if end == nil {
		return "?"
	}
	switch end.Reason {
	case nod.LeaseEndExpired:
		return p.Say(words.WhyLeaseOver)
	case nod.LeaseEndUsedUp:
		return p.Say(words.WhyLeaseUsedUp)
	case nod.LeaseEndRevoked:
		return p.Say(words.WhyLeaseRevoked, end.By, end.Via)
	case nod.LeaseEndStopped:
		return p.Say(words.WhyLeaseStopped, end.By, end.Via)
	case nod.LeaseEndEnded:
		return p.Say(words.WhyLeaseOrphan)
	}
	return string(end.Reason)
}
