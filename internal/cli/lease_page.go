package cli

import (
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
)

// barCells is how wide a burning bar is.
const barCells = 8

// leaseList draws the leases, what they reach and how they burn down.
func leaseList(p page, list []*nod.Lease, names map[nod.AgentID]string) string {
	var b strings.Builder
	for i, l := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		id := p.paint(strong, nod.OneLine(string(l.ID)))
		b.WriteString(id + "  " + p.paint(held, leaseBar(p, l)) + "  " + leaseLeft(p, l) + "\n")
		for _, rule := range l.Rules {
			b.WriteString(strings.Join(p.block(rule, 2), "\n") + "\n")
		}
		by := p.Say(words.LeaseBy, nod.OneLine(l.By), nod.OneLine(l.Via), p.Ago(p.now.Sub(l.Granted)))
		for _, text := range []string{leaseReach(p, l, names), by} {
			for _, line := range p.block(text, 2) {
				b.WriteString(p.paint(quiet, line) + "\n")
			}
		}
	}
	return b.String()
}

// leaseLeft is what is left of a lease, by count and by time.
func leaseLeft(p page, l *nod.Lease) string {
	return p.Say(words.LeaseLeft, max(0, l.Limit-l.Used), l.Limit, p.Burning(l.Until.Sub(p.now)))
}

// leaseBar is a bar of what is left: of the time or of the count, whichever ends
// first.
func leaseBar(p page, l *nod.Lease) string {
	whole, rest := l.Until.Sub(l.Granted), max(0, l.Until.Sub(p.now))
	cells := barCells
	if whole > 0 {
		cells = min(cells, ceil(int64(rest)/int64(time.Millisecond), int64(whole)/int64(time.Millisecond)))
	}
	if l.Limit > 0 {
		cells = min(cells, ceil(int64(max(0, l.Limit-l.Used)), int64(l.Limit)))
	}
	return strings.Repeat("▰", cells) + strings.Repeat("▱", barCells-cells)
}

// ceil is rest/whole in cells of the bar, rounded up: a bar is empty only when
// nothing is left.
func ceil(rest, whole int64) int {
	whole = max(1, whole)
	return int((rest*barCells + whole - 1) / whole)
}

// leaseReach is for whom a lease speaks.
func leaseReach(p page, l *nod.Lease, names map[nod.AgentID]string) string {
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
		return join(session, p.Say(words.LeaseFolderOn, folder, host))
	case folder != "":
		return join(session, p.Say(words.InFolder, folder))
	case host != "" && session == "":
		return p.Say(words.LeaseHost, host)
	case session == "":
		return p.Say(words.LeaseAnywhere)
	}
	return join(session, host)
}

// grantedText tells exactly what was granted and how to take it back.
func grantedText(p page, l *nod.Lease, names map[nod.AgentID]string) string {
	span := p.Box(l.Until.Sub(l.Granted))
	lines := []string{p.Say(words.LeaseTold, p.clock(l.Until), span, l.Limit)}
	for _, rule := range l.Rules {
		lines = append(lines, p.block(rule, 2)...)
	}
	lines = append(lines, p.block(leaseReach(p, l, names), 2)...)
	if l.ID == "" {
		return strings.Join(append(lines, p.Say(words.LeaseFind)), "\n")
	}
	return strings.Join(append(lines, p.Say(words.LeaseTakeBack, nod.OneLine(string(l.ID)))), "\n")
}

// leaseEvent is what the log says about a lease.
func leaseEvent(p page, e *nod.Event) (string, tone) {
	l := e.Lease
	if e.Kind == nod.LeaseGranted {
		return p.Say(words.LogLeaseGranted, l.ID, l.By, l.Via, p.Box(l.Until.Sub(l.Granted)), l.Limit, strings.Join(l.Rules, " ")), held
	}
	return p.Say(words.LogLeaseEnded, l.ID, l.Used, l.Limit, leaseEndReason(p, l.End)), quiet
}

func leaseEndReason(p page, end *nod.LeaseEnd) string {
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
