// Package advise chooses the buttons that fit the moment, for every surface that has some: the real options of an
// agent's request, else what people often say in such a moment. It is pure and quick, and an agent's text never
// becomes a reply to it, unless it is an option of its own request.
package advise

import (
	"slices"

	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// Suggestion is one button. Its label and its action are separate: keep the whole Suggestion with the button, so that
// a press does what was shown.
type Suggestion struct {
	ID     string `json:"id"`               // its name among those shown together
	Label  string `json:"label"`            // at most ten cells of a screen
	Detail string `json:"detail,omitempty"` // the full text, where there is room for it
	Emoji  string `json:"emoji,omitempty"`
	Hold   bool   `json:"hold,omitempty"` // only a long press does it
	Do     Act    `json:"do"`
}

// Act is a button's action. Kind says which of the fields count.
type Act struct {
	Kind    Kind          `json:"kind"`
	Request nod.RequestID `json:"request,omitempty"` // decide, open: which request
	Answer  *nod.Answer   `json:"answer,omitempty"`  // decide: the answer
	Text    string        `json:"text,omitempty"`    // say: text for the agent
	Page    int           `json:"page,omitempty"`    // page: which one to show
}

// Kind is the kind of a button's action.
type Kind string

const (
	Decide     Kind = "decide"     // answer a request
	Say        Kind = "say"        // write to the agent
	Stop       Kind = "stop"       // interrupt it
	Background Kind = "background" // move what it runs to the background
	Page       Kind = "page"       // show other buttons: ask again with this page
	Open       Kind = "open"       // it needs more than a button: nod in a browser
)

// Situation is what a surface knows of an agent, and its own abilities.
type Situation struct {
	Agent   *nod.Agent
	Pending []*nod.Request // oldest first; those of others are left out
	Last    *nod.Turn      // the newest turn that was said or noted, see LastWord
	Context string         // what the agent says it is doing, if it says so: "testing"
	Detail  string         // more about that, in its words
	Stopped bool           // a person stopped it, and it has not continued since
	Page    int            // which page of buttons is shown
	On      risk.Surface   // which kind of surface it is; empty: risk.Phone
	Holds   bool           // the surface distinguishes long and short presses, or asks for a second one
	Reads   bool           // the person sees the whole request
	Shows   bool           // the surface shows Detail too
	Proof   []string       // levels of risk that need a passkey
	Say     words.Printer
}

// For returns at most so many buttons for the moment, the likeliest first; none when there is nothing to press.
func For(s Situation, most int) []Suggestion {
	if most < 1 {
		return nil
	}
	return s.page(s.groups(most), most)
}

// All is every button of the moment in one list, for a surface that does its own paging. Rules and leases, which For
// keeps behind a button, come last: those whose text is shown in full, or that can be held.
func All(s Situation) []Suggestion {
	var list []Suggestion
	for i, g := range s.groups(plenty) {
		for _, b := range g {
			switch whole := b.Detail == b.Label || s.Shows; {
			case b.Do.Kind == Page:
				continue
			case i == 0 || whole:
			case !s.Holds:
				continue
			default:
				b.Hold = true
			}
			list = append(list, b)
		}
	}
	return list
}

const plenty = 1 << 16 // unlimited buttons

func (s Situation) groups(most int) [][]Suggestion {
	if s.Agent == nil || !s.Agent.Alive() {
		return nil
	}
	if r := s.asked(); r != nil {
		return s.options(r, most)
	}
	if s.Agent.State == nod.AgentWorking || s.Agent.State == nod.AgentWaiting {
		return [][]Suggestion{cut(s.busy(), most)}
	}
	if !s.Agent.Able(nod.CanSay) {
		return nil
	}
	return [][]Suggestion{s.replies(s.Reading())}
}

// LastWord finds the turn that matters among the newest: what the agent said or nod noted, unless a person has spoken
// since.
func LastWord(newestFirst []nod.Turn) *nod.Turn {
	for i, t := range newestFirst {
		switch {
		case t.Role == nod.TurnPerson:
			return nil
		case t.Who == nil && (t.Role == nod.TurnAgent || t.Role == nod.TurnSystem && t.Trouble != ""):
			return &newestFirst[i]
		}
	}
	return nil
}

// asked is the next request.
func (s Situation) asked() *nod.Request {
	i := slices.IndexFunc(s.Pending, func(r *nod.Request) bool {
		return r != nil && r.Agent.ID == s.Agent.ID && !r.Settled()
	})
	if i < 0 {
		return nil
	}
	return s.Pending[i]
}

// busy: an agent at work can be stopped, however it is reached.
func (s Situation) busy() []Suggestion {
	if s.Agent.Stopping != nil {
		return nil // a stop was already requested
	}
	list := []Suggestion{{ID: "stop", Label: s.Say.Say(words.AdviseStop), Emoji: "🛑", Do: Act{Kind: Stop}}}
	if s.Agent.Able(nod.CanBackground) && s.Agent.State == nod.AgentWorking {
		list = append(list, Suggestion{ID: "background", Label: s.Say.Say(words.AdviseBackground), Emoji: "⏬", Do: Act{Kind: Background}})
	}
	return list
}

func cut(list []Suggestion, most int) []Suggestion { return list[:min(len(list), most)] }
