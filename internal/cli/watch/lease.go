package watch

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// leaseChoices are the leases that one key can grant. Wider or longer ones need
// `nod allow --for`: a slip must not do much harm.
var leaseChoices = [...]nod.Terms{
	{Minutes: 5, Where: nod.ReachSession}, {Minutes: 20, Where: nod.ReachSession}, {Minutes: 60, Where: nod.ReachSession},
	{Minutes: 20, Where: nod.ReachFolder},
}

// lease shows the exact rules before it is granted.
func (k keys) lease(c *card) {
	offered := answer.Options(c.r, nod.OptionLease)
	switch {
	case len(offered) == 0 || answer.IsQuestion(c.r):
		k.notify(term.Asks, k.Say(words.WatchNoLease))
		return
	case k.mode == listing && cardView{k.model, c}.folded():
		k.openDetails(c)
		k.notify(term.Asks, k.Say(words.WatchReadAll))
		return
	}
	q := prompt{question: k.Say(words.AskLease, nod.DefaultTimes)}
	for _, rule := range offered[0].Rules {
		q.question += "\n  " + nod.OneLine(rule)
	}
	for _, terms := range leaseChoices {
		terms.Option, terms.Times = offered[0].ID, nod.DefaultTimes
		span := k.LeaseSpan(time.Duration(terms.Minutes) * time.Minute)
		label := k.Say(words.LeaseHere, span)
		if terms.Where == nod.ReachFolder {
			label = k.Say(words.LeaseInFolder, span, c.r.Agent.Cwd)
		}
		q.options = append(q.options, nod.Option{Label: label})
		q.answers = append(q.answers, nod.Answer{Verdict: nod.VerdictAllow, Lease: &terms})
	}
	k.confirm(q)
}

// confirmStopAll asks once, because a slip would stop every agent. It needs no card.
func (k keys) confirmStopAll() {
	if k.link != connected {
		k.notify(term.Asks, k.Say(words.WatchNotSent))
		return
	}
	stop := k.hub.stop
	k.confirm(prompt{question: k.Say(words.AskStopAll), acts: []func() tea.Cmd{func() tea.Cmd {
		return func() tea.Msg {
			count, err := stop()
			return stoppedMsg{count, err}
		}
	}}})
}

func (m *model) stopped(msg stoppedMsg) {
	if msg.err != nil {
		m.notify(term.Bad, m.explain(msg.err))
		return
	}
	m.notify(term.Strong, show.StoppedText(m.page(m.width), msg.count))
}

// confirmRevoke offers the live leases to revoke one.
func (k keys) confirmRevoke() {
	leases := k.liveLeases()
	switch {
	case len(leases) == 0:
		k.notify(term.Asks, k.Say(words.WatchNoLeases))
		return
	case k.link != connected:
		k.notify(term.Asks, k.Say(words.WatchNotSent))
		return
	}
	p := k.page(k.width)
	q := prompt{question: k.Say(words.AskRevoke)}
	if len(leases) == 1 {
		q.question = k.Say(words.AskRevokeOne)
	}
	names := show.NamesOf(k.state.Snapshot().Agents)
	for _, l := range leases[:min(9, len(leases))] {
		id, revoke := l.ID, k.hub.revoke
		q.options = append(q.options, nod.Option{
			Label:  term.Join(string(id), strings.Join(l.Rules, " "), show.LeaseLeft(p, l)),
			Detail: show.LeaseReach(p, l, names),
		})
		q.acts = append(q.acts, func() tea.Cmd {
			return func() tea.Msg {
				l, err := revoke(id)
				return revokedMsg{l, err}
			}
		})
	}
	k.confirm(q)
}

func (m *model) revoked(msg revokedMsg) {
	if msg.err != nil {
		m.notify(term.Bad, m.explain(msg.err))
		return
	}
	l := msg.lease
	m.notify(term.Strong, m.Say(words.LeaseRevoked, nod.OneLine(string(l.ID)), l.Used, l.Limit))
}

// liveLeases leaves out leases that are over by our clock, even if the hub has not
// said so yet.
func (m *model) liveLeases() []*nod.Lease {
	var list []*nod.Lease
	for _, l := range m.state.LiveLeases() {
		if l.Live(m.now()) {
			list = append(list, l)
		}
	}
	return list
}

// leaseLine shows the lease that ends first, and how many more there are.
func (v view) leaseLine() string {
	leases := v.liveLeases()
	if len(leases) == 0 {
		return ""
	}
	first := leases[0]
	for _, l := range leases {
		if l.Until.Before(first.Until) {
			first = l
		}
	}
	p := v.page(v.width)
	line := show.LeaseBar(p, first) + " " + nod.OneLine(string(first.ID)) + "  " + show.LeaseLeft(p, first)
	if more := len(leases) - 1; more > 0 {
		line += " · +" + strconv.Itoa(more)
	}
	line += " · "
	if rest := v.width - lipgloss.Width(line); rest >= 8 { // only the rules may be cut: how much is left must be visible
		line += term.Fold(nod.OneLine(strings.Join(first.Rules, " ")), rest)
	}
	return term.Fold(line, v.width)
}
