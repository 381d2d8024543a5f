package puck

import (
	"fmt"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// Version of the protocol, told in the welcome.
const Version = 1

// Hello is the first message of a page.
type Hello struct {
	Type     string `json:"type"`
	Token    string `json:"token,omitempty"` // where no header can be sent
	Key      string `json:"key,omitempty"`   // a browser's half of its token; the cookie has the other
	Language string `json:"language,omitempty"`
	Speaks   bool   `json:"speaks,omitempty"` // it reports when something was spoken, or read
	Taught   bool   `json:"taught,omitempty"` // the introduction was heard before
}

func (h *Hello) fit() error {
	if h.Type != "" && h.Type != "hello" {
		return nod.Errorf(nod.Invalid, "the first message is hello, not %q", nod.Fold(nod.OneLine(h.Type), 40))
	}
	return nil
}

func (h *Hello) printer() words.Printer {
	say, _ := words.Speaks(h.Language)
	return say
}

// PageEvent is what a page reports: an input, something that was said, or that it has
// spoken. Request is what it showed at that moment, empty if that was nothing; without
// it the event is about whatever is shown.
type PageEvent struct {
	Input   puck.Event `json:"input,omitempty"`
	Option  int        `json:"option,omitempty"` // of voice_option, from 1
	Say     string     `json:"say,omitempty"`
	Request *string    `json:"request,omitempty"`
	Spoken  int64      `json:"spoken,omitempty"` // everything up to this number
}

// Note is what a page is sent. Each has one of: Welcome, State with everything that is
// shown, Say, Hush, Beep, Taught, Error.
type Note struct {
	Welcome *Welcome `json:"welcome,omitempty"`

	State    puck.State             `json:"state,omitempty"`
	Request  string                 `json:"request,omitempty"`
	Light    *puck.Light            `json:"light,omitempty"`
	Ring     []string               `json:"ring,omitempty"` // twelve colours, clockwise from twelve o'clock
	Dark     []string               `json:"dark,omitempty"` // the same in the other half of a second, if it blinks
	Options  []string               `json:"options,omitempty"`
	Colors   []string               `json:"colors,omitempty"` // of the options
	Selected int                    `json:"selected,omitempty"`
	Index    int                    `json:"index,omitempty"`
	Total    int                    `json:"total,omitempty"`
	Does     map[puck.Event]Follows `json:"does,omitempty"` // what each gesture would do now

	Say    *Said    `json:"say,omitempty"`
	Hush   int64    `json:"hush,omitempty"` // stop saying what has this number
	Beep   bool     `json:"beep,omitempty"`
	Taught bool     `json:"taught,omitempty"` // the introduction was said: remember it
	Error  *Problem `json:"error,omitempty"`
}

// Welcome is the first answer.
type Welcome struct {
	Version int      `json:"version"`
	Rights  []string `json:"rights"`
	HoldMS  int      `json:"hold_ms"`
	TapMS   int      `json:"tap_ms"`
	Voice   bool     `json:"voice"` // there is an assistant to talk to
}

// Said is something that the puck says.
type Said struct {
	Number  int64          `json:"number"`
	Key     puck.Say       `json:"key"`
	Text    string         `json:"text"`
	Ask     attend.AskKind `json:"ask,omitempty"`
	Request string         `json:"request,omitempty"`
}

// Problem is why something was refused.
type Problem struct {
	Code    nod.Code `json:"code"`
	Message string   `json:"message"`
}

// scene is everything that a page shows of a puck.
func scene(m puck.Memory, l puck.Light) Note {
	n := Note{
		State: m.At(), Request: m.Request, Light: &l, Ring: colors(l.Ring(0)), Index: m.Index, Total: m.Total,
		Options: m.Options[:m.Count], Selected: m.Selected, Does: does(m),
	}
	if lit, dark := l.Ring(0), l.Ring(1); lit != dark {
		n.Dark = colors(dark)
	}
	for i := range m.Count {
		n.Colors = append(n.Colors, color(puck.OptionColor(i+1)))
	}
	return n
}

func colors(ring [puck.LEDs]puck.RGB) []string {
	list := make([]string, puck.LEDs)
	for i, c := range ring {
		list[i] = color(c)
	}
	return list
}

func color(c puck.RGB) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
