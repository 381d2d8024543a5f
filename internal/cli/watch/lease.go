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

// boxes are the leases that one key can grant, from narrow to wide. What is
// wider or longer takes `nod allow --for`: a slip must stay small.
var boxes = [...]nod.Terms{
	{Minutes: 5, Where: nod.ReachSession}, {Minutes: 20, Where: nod.ReachSession}, {Minutes: 60, Where: nod.ReachSession},
	{Minutes: 20, Where: nod.ReachFolder},
}

// lease shows the exact rules before they are let pass for a while.
func (w *watch) lease(c *card) {
	offered := answer.Options(c.r, nod.OptionLease)
	switch {
	case len(offered) == 0 || c.isQuestion():
		w.tell(term.Asks, w.Say(words.WatchNoLease))
		return
	case w.mode == listing && w.folded(c):
		w.read(c)
		w.tell(term.Asks, w.Say(words.WatchReadAll))
		return
	}
	q := prompt{question: w.Say(words.AskLease, nod.DefaultTimes)}
	for _, rule := range offered[0].Rules {
		q.question += "\n  " + nod.OneLine(rule)
	}
	for _, terms := range boxes {
		terms.Option, terms.Times = offered[0].ID, nod.DefaultTimes
		span := w.Box(time.Duration(terms.Minutes) * time.Minute)
		label := w.Say(words.LeaseHere, span)
		if terms.Where == nod.ReachFolder {
			label = w.Say(words.LeaseInFolder, span, c.r.Agent.Cwd)
		}
		q.options = append(q.options, nod.Option{Label: label})
		q.answers = append(q.answers, nod.Answer{Verdict: nod.VerdictAllow, Lease: &terms})
	}
	w.confirm(q)
}

// redButton asks once, because a slip would stop everybody, and needs no card.
func (w *watch) redButton() {
	if w.link != connected {
		w.tell(term.Asks, w.Say(words.WatchNotSent))
		return
	}
	stop := w.hub.stop
	w.confirm(prompt{question: w.Say(words.AskStopAll), acts: []func() tea.Cmd{func() tea.Cmd {
		return func() tea.Msg {
			count, err := stop()
			return stoppedMsg{count, err}
		}
	}}})
}

func (w *watch) stopped(msg stoppedMsg) {
	if msg.err != nil {
		w.tell(term.Bad, w.explain(msg.err))
		return
	}
	w.tell(term.Strong, show.StoppedText(w.page(w.width), msg.count))
}

// chooseLease offers the leases that live, to take one back.
func (w *watch) chooseLease() {
	leases := w.liveLeases()
	switch {
	case len(leases) == 0:
		w.tell(term.Asks, w.Say(words.WatchNoLeases))
		return
	case w.link != connected:
		w.tell(term.Asks, w.Say(words.WatchNotSent))
		return
	}
	p := w.page(w.width)
	q := prompt{question: w.Say(words.AskRevoke)}
	if len(leases) == 1 {
		q.question = w.Say(words.AskRevokeOne)
	}
	names := show.NamesOf(w.state.Snapshot().Agents)
	for _, l := range leases[:min(9, len(leases))] {
		id, revoke := l.ID, w.hub.revoke
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
	w.confirm(q)
}

func (w *watch) revoked(msg revokedMsg) {
	if msg.err != nil {
		w.tell(term.Bad, w.explain(msg.err))
		return
	}
	l := msg.lease
	w.tell(term.Strong, w.Say(words.LeaseRevoked, nod.OneLine(string(l.ID)), l.Used, l.Limit))
}

// liveLeases leaves out what is over by our clock, though the hub has not said
// so yet.
func (w *watch) liveLeases() []*nod.Lease {
	var list []*nod.Lease
	for _, l := range w.state.LiveLeases() {
		if l.Live(w.now()) {
			list = append(list, l)
		}
	}
	return list
}

// leaseLine is the lease that ends first, burning down, and how many more.
func (w *watch) leaseLine() string {
	leases := w.liveLeases()
	if len(leases) == 0 {
		return ""
	}
	first := leases[0]
	for _, l := range leases {
		if l.Until.Before(first.Until) {
			first = l
		}
	}
	p := w.page(w.width)
	line := show.LeaseBar(p, first) + " " + nod.OneLine(string(first.ID)) + "  " + show.LeaseLeft(p, first)
	if more := len(leases) - 1; more > 0 {
		line += " · +" + strconv.Itoa(more)
	}
	line += " · "
	if rest := w.width - lipgloss.Width(line); rest >= 8 { // only the rules make way: what is left must be seen
		line += term.Fold(nod.OneLine(strings.Join(first.Rules, " ")), rest)
	}
	return term.Fold(line, w.width)
}
