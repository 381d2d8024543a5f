package policy

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Thresholds for a habit.
const (
	fewestAllows = 5                   // fewer are a coincidence
	memory       = 90 * 24 * time.Hour // older allows may be outdated
)

// Suggestion is a rule that a person seems to follow already, and what it would have done.
type Suggestion struct {
	Rule             string
	Allowed          int       // how often the person allowed this kind
	Denied           int       // and denied it
	WouldAllow       int       // past prompts that the rule alone would have spared
	WouldAllowDenied []Past    // those of them that the person had denied, newest first
	Last             time.Time // when the person last allowed it
}

// Suggest finds the rules worth offering, by Kinds: allowed by the person at least five times in the last 90 days,
// not yet allowed by the policy, and sparing at least one prompt by itself. The one that spares most comes first.
//
// A denial counts until it is clearly outdated: a rule that would allow something the person once denied is offered
// only if at most a quarter of the allows are older than the newest such denial. So a fresh no silences a rule at
// once, and it takes three times as many later yeses as there were before to outweigh it.
func Suggest(past []Past, p *Policy, now time.Time) []Suggestion {
	seen := make([]memo, 0, len(past))
	habits := map[string]*habit{}
	for i := range past {
		m := remember(&past[i], p)
		seen = append(seen, m)
		for _, rule := range m.kinds {
			if past[i].ByPerson {
				h := habits[rule]
				if h == nil {
					h = &habit{}
					habits[rule] = h
				}
				h.note(&past[i], now)
			}
		}
	}
	var out []Suggestion
	for text, h := range habits {
		if len(h.allows) < fewestAllows {
			continue
		}
		if s, ok := h.suggestion(text, seen); ok {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Suggestion) int {
		return cmp.Or(b.WouldAllow-a.WouldAllow, b.Allowed-a.Allowed, b.Last.Compare(a.Last), strings.Compare(a.Rule, b.Rule))
	})
	return out
}

// memo is a past request, parsed once for all rules.
type memo struct {
	past  *Past
	open  questions
	kinds []string
}

// remember parses a request as the policy sees it now. What it would not ask about needs no rule.
func remember(past *Past, p *Policy) memo {
	m := p.read(past.Subject)
	out := memo{past: past}
	if j, _ := m.judge(nil, &out.open); j.Verdict != Ask {
		out.open = questions{closed: true}
		return out
	}
	out.kinds = m.kinds(&out.open)
	return out
}

// answered reports whether one more allow rule would answer all of a request.
func (m *memo) answered(r *rule) bool {
	if m.open.closed || len(m.open.list) == 0 {
		return false
	}
	one := []*rule{r}
	for i := range m.open.list {
		if q := &m.open.list[i]; firstAllow(one, &q.t, &q.f) == nil {
			return false
		}
	}
	return true
}

// habit is what a person did about one kind of thing.
type habit struct {
	allows []time.Time
	denied int
}

func (h *habit) note(p *Past, now time.Time) {
	switch {
	case p.Verdict == Deny:
		h.denied++
	case p.Verdict == Allow && now.Sub(p.At) <= memory:
		h.allows = append(h.allows, p.At)
	}
}

// suggestion tries a rule on the past.
func (h *habit) suggestion(text string, seen []memo) (Suggestion, bool) {
	s := Suggestion{Rule: text, Allowed: len(h.allows), Denied: h.denied}
	r, err := parseRule(text)
	if err != nil {
		return s, false
	}
	for i := range seen {
		m := &seen[i]
		if m.past.before() != Ask || !m.answered(&r) {
			continue
		}
		s.WouldAllow++
		if m.past.ByPerson && m.past.Verdict == Deny {
			s.WouldAllowDenied = append(s.WouldAllowDenied, *m.past)
		}
	}
	slices.SortStableFunc(s.WouldAllowDenied, func(a, b Past) int { return b.At.Compare(a.At) })
	slices.SortFunc(h.allows, time.Time.Compare)
	s.Last = h.allows[len(h.allows)-1]
	if len(s.WouldAllowDenied) > 0 {
		no := s.WouldAllowDenied[0].At
		older := 0
		for _, yes := range h.allows {
			if !yes.After(no) {
				older++
			}
		}
		if older*4 > len(h.allows) {
			return s, false
		}
	}
	return s, s.WouldAllow > 0
}
