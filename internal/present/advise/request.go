package advise

import (
	"cmp"
	"slices"
	"strconv"

	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

const leaseMinutes = 20 // as on small screens

// options are the buttons of a request: the first group is shown, the others are behind one of its buttons.
func (s Situation) options(r *nod.Request, most int) [][]Suggestion {
	switch r.Kind {
	case nod.KindApproval:
		return s.approval(r, most)
	case nod.KindPlan:
		return [][]Suggestion{s.plan(r)}
	}
	return [][]Suggestion{s.question(r, most)}
}

// approval: no is always on the first page, whatever else there is.
func (s Situation) approval(r *nod.Request, most int) [][]Suggestion {
	yes := s.allow(r, "yes", words.AdviseYes)
	no := s.refuse(r, "no", words.AdviseNo, nod.Answer{Verdict: nod.VerdictDeny})
	if most < 3 {
		return [][]Suggestion{{yes, no}}
	}
	first, always := []Suggestion{yes}, []Suggestion(nil)
	// A button must not turn something risky into a rule. Keys show the rule and ask twice.
	if yes.Do.Kind == Decide && (!yes.Hold || s.On == risk.Keys) {
		always = s.always(r)
	}
	own := s.own(r)
	switch {
	case len(always) == 0:
		first = append(first, no)
	case most == 3 && len(own) > 0:
		first = append(first, no, s.alwaysButton())
	default:
		first = append(first, s.alwaysButton(), no)
	}
	return [][]Suggestion{append(first, own...), always}
}

func (s Situation) alwaysButton() Suggestion {
	return Suggestion{ID: "always", Label: s.Say.Say(words.AdviseAlways), Emoji: "🔓", Do: leadsTo(1)}
}

// always are the rules and leases that the request offers. They are behind a button of their own: people must see a
// rule's text before they make it.
func (s Situation) always(r *nod.Request) []Suggestion {
	var list []Suggestion
	for _, o := range r.Options {
		b := Suggestion{Label: fit(o.Label), Detail: detail(o.Label), Emoji: "🔓"}
		a := nod.Answer{Verdict: nod.VerdictAllow}
		switch o.Kind {
		case nod.OptionAlways:
			b.ID, a.Remember = "always-"+strconv.Itoa(len(list)+1), nod.Remember(o.ID)
			if o.Detail != "" {
				b.Detail += " · " + detail(s.Say.Kept(o.Detail))
			}
		case nod.OptionLease:
			b.ID, b.Label, b.Emoji = "lease-"+strconv.Itoa(len(list)+1), fit(s.Say.Span(nod.Minutes(leaseMinutes))), "⏳"
			a.Lease = &nod.Terms{Option: o.ID, Minutes: leaseMinutes, Times: nod.DefaultTimes, Where: nod.ReachSession}
		default:
			continue
		}
		if b.Label == "" || !fits(r, a) {
			continue
		}
		b.Do = Act{Kind: Decide, Request: r.ID, Answer: &a}
		list = append(list, b)
	}
	return list
}

// allow is the button that allows it. An irreversible action must not happen by bumping against the table, and what
// must be read cannot be allowed unread.
func (s Situation) allow(r *nod.Request, id string, label words.Message) Suggestion {
	unread := (r.Kind == nod.KindPlan || !r.OneTap) && !s.Reads
	proof := r.Risk != nil && slices.Contains(s.Proof, r.Risk.Level)
	way := risk.On(cmp.Or(s.On, risk.Phone), r)
	hold := way != risk.Once || r.Kind == nod.KindPlan && unread
	a := nod.Answer{Verdict: nod.VerdictAllow}
	if proof || unread && r.Kind != nod.KindPlan || way == risk.Never || hold && !s.Holds || !fits(r, a) {
		return s.open(r)
	}
	return Suggestion{ID: id, Label: s.Say.Say(label), Detail: detail(r.Title), Emoji: "✅", Hold: hold, Do: Act{Kind: Decide, Request: r.ID, Answer: &a}}
}

func (s Situation) refuse(r *nod.Request, id string, label words.Message, a nod.Answer) Suggestion {
	return Suggestion{ID: id, Label: s.Say.Say(label), Emoji: "❌", Do: Act{Kind: Decide, Request: r.ID, Answer: &a}}
}

func (s Situation) open(r *nod.Request) Suggestion {
	b := Suggestion{ID: "open", Label: s.Say.Say(words.AdviseOpen), Emoji: "📱", Do: Act{Kind: Open}}
	if r != nil {
		b.Detail, b.Do.Request = detail(r.Title), r.ID
	}
	return b
}

// plan: without a mode the agent keeps asking, so that approving is not a blank cheque.
func (s Situation) plan(r *nod.Request) []Suggestion {
	changes := s.refuse(r, "changes", words.AdviseChanges, nod.Answer{Verdict: nod.VerdictDeny, Message: s.Say.Say(words.AdviseChangeText)})
	changes.Emoji = "✏️"
	list := []Suggestion{s.allow(r, "approve", words.AdviseApprove), changes}
	if list[0].Hold {
		list = append(list, s.open(r))
	}
	return list
}

func fits(r *nod.Request, a nod.Answer) bool {
	_, err := r.Fit(a)
	return err == nil
}
