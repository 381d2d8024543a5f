package notify

import (
	"nod/internal/net/notify"
	"nod/internal/present/words"
)

// channelState is the state of one channel.
type channelState struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Person  string `json:"person"`
	State   string `json:"state"`             // ok, late or broken
	Problem string `json:"problem,omitempty"` // what a person can do about it
	Since   string `json:"since,omitempty"`
	Shown   int    `json:"shown"` // notifications that are shown
}

// states lists all channels, by person.
func (c *channels) states(say words.Printer) []channelState {
	c.mu.Lock()
	defer c.mu.Unlock()
	states := make([]channelState, 0, len(c.list))
	for _, t := range c.list {
		h := channelState{Name: t.Name, Kind: t.Kind, Person: t.person.Name, State: "ok", Shown: len(t.shown)}
		if t.pulse.Last != nil {
			h.State, h.Problem, h.Since = "late", say.Say(problem(t.pulse.Last)), t.pulse.Since.UTC().Format("2006-01-02T15:04:05Z")
			if t.pulse.Dead() {
				h.State = "broken"
			}
		}
		states = append(states, h)
	}
	return states
}

// broken is the first channel that does not work, and what its failure was; nil: all work.
func (c *channels) broken() (*target, *notify.Failure) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.list {
		if t.pulse.Dead() {
			return t, t.pulse.Last
		}
	}
	return nil, nil
}

func problem(f *notify.Failure) words.Message {
	switch f.Outcome {
	case notify.Broken:
		return words.NoteBroken
	case notify.Refused:
		return words.NoteRefused
	}
	return words.NoteLate
}
