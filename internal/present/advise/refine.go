package advise

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/present/words"
)

// Refiner thinks longer about a moment than rules can: a small model, say. It reads an agent's text, so it can be
// manipulated; therefore it only chooses among nod's own replies, by name, and writes nothing itself.
type Refiner interface {
	Refine(ctx context.Context, m Moment) ([]string, error)
}

// Moment is the input of a Refiner.
type Moment struct {
	Topic Topic
	Text  string // the end of what the agent wrote; untrusted
	// Context and Detail are what the agent says it is doing, if it says so; untrusted.
	Context, Detail string
	Names           []string // the replies to choose from
	Most            int
}

// Limits bound the cost of refinement.
type Limits struct {
	PerHour int           // calls; 0: none at all
	AtOnce  int           // calls; 0: one
	Timeout time.Duration // of one call; 0: 20 seconds
	Keep    int           // moments to remember; 0: 200
}

// Advisor shows the rules' suggestions at once, and lets a Refiner improve them.
type Advisor struct {
	refiner Refiner
	limits  Limits
	now     func() time.Time

	mu      sync.Mutex
	calls   []time.Time // of the last hour
	flights map[key]*flight
	known   map[key][]string // none: there is nothing better
	order   []key            // oldest first
}

type key [sha256.Size]byte

type flight struct{ waiting []*Shown }

// NewAdvisor makes one. Without a refiner it uses only the rules.
func NewAdvisor(r Refiner, l Limits, now func() time.Time) *Advisor {
	l.AtOnce = max(1, l.AtOnce)
	if l.Timeout <= 0 {
		l.Timeout = 20 * time.Second
	}
	if l.Keep <= 0 {
		l.Keep = 200
	}
	return &Advisor{refiner: r, limits: l, now: now, flights: map[key]*flight{}, known: map[key][]string{}}
}

// Shown is a row of buttons on a surface, until one is pressed or others are shown.
type Shown struct {
	Suggestions []Suggestion // what to show at once

	situation Situation
	reading   Reading
	most      int

	mu       sync.Mutex
	closed   bool
	replaced bool
	better   func([]Suggestion)
}

// Show returns what to show now. If there is something better it comes through better, once, unless Press or Close
// came before. Press waits while better runs, so better must not call it.
func (a *Advisor) Show(ctx context.Context, s Situation, most int, better func([]Suggestion)) *Shown {
	shown := &Shown{Suggestions: For(s, most), situation: s, most: most, better: better}
	if a.refiner == nil || a.limits.PerHour <= 0 || !s.refinable() || len(shown.Suggestions) == 0 {
		return shown
	}
	if shown.reading = s.Reading(); shown.reading.Topic == Choice {
		return shown // the agent's own list is better than any guess
	}
	m := Moment{Topic: shown.reading.Topic, Text: lastBytes(s.Last.Text, readBytes), Context: detail(s.Context), Detail: detail(s.Detail), Names: Names(), Most: most}
	k := key(sha256.Sum256([]byte(strings.Join([]string{string(m.Topic), m.Context, m.Detail, m.Text}, "\n"))))
	a.mu.Lock()
	defer a.mu.Unlock()
	if names, ok := a.known[k]; ok {
		if list := shown.chosen(names); list != nil {
			shown.Suggestions = list
		}
		return shown
	}
	if f, ok := a.flights[k]; ok {
		f.waiting = append(f.waiting, shown)
		return shown
	}
	if !a.spend() {
		return shown
	}
	a.flights[k] = &flight{waiting: []*Shown{shown}}
	go a.fly(context.WithoutCancel(ctx), k, m)
	return shown
}

// refinable: only an agent's prose leaves room for better guesses.
func (s Situation) refinable() bool {
	return s.Agent != nil && s.asked() == nil && s.Agent.State == nod.AgentIdle && s.Page == 0 && !s.Stopped && s.Last != nil && s.Last.Role == nod.TurnAgent
}

// spend takes one call from the budget, if any is left.
func (a *Advisor) spend() bool {
	now := a.now()
	a.calls = slices.DeleteFunc(a.calls, func(t time.Time) bool { return now.Sub(t) >= time.Hour })
	if len(a.calls) >= a.limits.PerHour || len(a.flights) >= a.limits.AtOnce {
		return false
	}
	a.calls = append(a.calls, now)
	return true
}

func (a *Advisor) fly(ctx context.Context, k key, m Moment) {
	ctx, cancel := context.WithTimeout(ctx, a.limits.Timeout)
	defer cancel()
	names, err := a.refiner.Refine(ctx, m)
	if err != nil {
		names = nil // keep the rules, and do not ask again about this moment
	}
	a.mu.Lock()
	waiting := a.flights[k].waiting
	delete(a.flights, k)
	a.remember(k, names)
	a.mu.Unlock()
	for _, shown := range waiting {
		shown.replace(names)
	}
}

func (a *Advisor) remember(k key, names []string) {
	a.known[k] = names
	if a.order = append(a.order, k); len(a.order) > a.limits.Keep {
		delete(a.known, a.order[0])
		a.order = a.order[1:]
	}
}

// Press records that one of the buttons was pressed, and reports whether they were still valid. After it nothing
// replaces them.
func (s *Shown) Press() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closed
	s.closed = true
	return first
}

// Close records that these buttons are gone.
func (s *Shown) Close() { s.Press() }

func (s *Shown) replace(names []string) {
	list := s.chosen(names)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.replaced || list == nil || s.better == nil {
		return
	}
	s.replaced = true
	s.better(list)
}

// chosen makes buttons of names; nil: they are no better than what is shown.
func (s *Shown) chosen(names []string) []Suggestion {
	var list []Suggestion
	for _, name := range names {
		b, ok := Reply(name, s.situation.Say)
		if !ok || slices.ContainsFunc(list, func(x Suggestion) bool { return x.ID == name }) {
			continue
		}
		list = append(list, b)
	}
	if s.reading.Grave {
		list = s.situation.careful(list)
	}
	list = cut(list, s.most)
	if len(list) == 0 || slices.EqualFunc(list, s.Suggestions, func(x, y Suggestion) bool { return x.ID == y.ID }) {
		return nil
	}
	return list
}

// Names are the names of all of nod's own replies.
func Names() []string {
	names := make([]string, len(words.QuickReplies))
	for i := range words.QuickReplies {
		names[i] = words.QuickReplies[i].Name
	}
	return names
}
