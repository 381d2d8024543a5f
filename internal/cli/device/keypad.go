package device

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// padKeys is how many keys the keyboard has, each with a screen and a light.
const padKeys = 4

// padState is what the firmware is in.
type padState uint8

const (
	padConnecting padState = iota
	padIdle
	padThinking
	padLimited
	padFailed
)

// The firmware's times.
const (
	padDebounce = 100 * time.Millisecond
	padRestart  = 500 * time.Millisecond // keys 1 and 4 within it start it anew
	padFlash    = 50 * time.Millisecond  // a pressed key's light is white
)

// padOption is a key: what it shows, and what it sends.
type padOption struct {
	Text   string `json:"text"`
	Action string `json:"action"`
	Image  string `json:"image"`
	Color  string `json:"color"`
}

// padPress is what the keyboard says about a key. Hold is not of the firmware:
// the hub takes it as a long press.
type padPress struct {
	Type    string `json:"type"`
	Session string `json:"session_id"`
	Key     int    `json:"key"`
	Text    string `json:"text"`
	Hold    bool   `json:"hold,omitempty"`
}

// padMessage is every message that the firmware knows.
type padMessage struct {
	Type      string      `json:"type"`
	Session   string      `json:"session_id"`
	Options   []padOption `json:"options"`
	State     string      `json:"state"`
	Countdown int         `json:"countdown"`
	Display   int         `json:"display"`
	Title     string      `json:"title"`
	Content   string      `json:"content"`
}

// keypad is the firmware without its wires: what it knows and what it would show.
type keypad struct {
	state     padState
	connected bool
	session   string
	options   [padKeys]padOption
	notes     [padKeys]*padMessage // a title and a text that cover a key
	since     time.Time            // when the state began
	until     time.Time            // when a countdown ends
	flash     map[string][]byte    // pictures, kept for ever
	pressed   [padKeys]time.Time
}

func newKeypad() *keypad { return &keypad{flash: map[string][]byte{}} }

// connect: the firmware is idle then, whatever it was.
func (k *keypad) connect(now time.Time) { k.connected = true; k.enter(padIdle, now) }

// restart forgets everything but the pictures in its flash.
func (k *keypad) restart() { *k = keypad{flash: k.flash} }

func (k *keypad) enter(s padState, now time.Time) {
	if k.state == s {
		return
	}
	k.state, k.since, k.until, k.notes = s, now, time.Time{}, [padKeys]*padMessage{}
}

// hear takes a message in. What the firmware does not know changes nothing.
func (k *keypad) hear(text []byte, now time.Time) {
	var w padMessage
	if json.Unmarshal(text, &w) != nil {
		return
	}
	switch w.Type {
	case "update_options":
		k.session = w.Session
		copy(k.options[:], w.Options) // fewer leave the rest as it is
		k.notes = [padKeys]*padMessage{}
	case "status":
		if s, ok := padStates[w.State]; ok {
			k.enter(s, now)
			if s == padLimited {
				k.until = time.Time{}
				if w.Countdown > 0 {
					k.until = now.Add(time.Duration(w.Countdown) * time.Second)
				}
			}
		}
	case "display_update":
		if w.Display >= 0 && w.Display < padKeys {
			k.notes[w.Display] = &w
		}
	}
}

var padStates = map[string]padState{"idle": padIdle, "thinking": padThinking, "error": padFailed, "limit": padLimited}

// longestPicture is how long a name may be for its file system; what it cannot
// keep it shows as text.
const longestPicture = 23

// wanted are the pictures that it has to fetch.
func (k *keypad) wanted() []string {
	var names []string
	for _, o := range k.options {
		if o.Image != "" && len(o.Image) <= longestPicture && k.flash[o.Image] == nil {
			names = append(names, o.Image)
		}
	}
	return names
}

// press is what a key sends; nil if it sends nothing. restarts means that the
// keyboard starts anew.
func (k *keypad) press(key int, hold bool, now time.Time) (said *padPress, restarts bool) {
	i := key - 1
	if now.Sub(k.pressed[i]) < padDebounce {
		return nil, false
	}
	k.pressed[i] = now
	if other := padKeys - 1 - i; (i == 0 || i == padKeys-1) && now.Sub(k.pressed[other]) < padRestart {
		return nil, true
	}
	if !k.connected {
		return nil, false
	}
	o := k.options[i]
	said = &padPress{Type: "key_press", Session: k.session, Key: key, Text: o.Action, Hold: hold}
	if o.Action == "" {
		said.Text = o.Text
	}
	if k.state == padLimited && i == 3 || k.state == padFailed && i == 2 {
		k.enter(padIdle, now)
	}
	return said, false
}

// padScreen is what one screen shows: a picture, or words in lines.
type padScreen struct {
	image string
	lines []padLine
	label string // in short, for those who cannot see the picture
}

type padLine struct {
	text  string
	x, y  int
	large bool // 24 by 32 pixels a character in place of 12 by 16
	ink   string
}

// padWidth is how wide a text is on a screen.
func padWidth(text string, large bool) int {
	if large {
		return 24 * len([]rune(text))
	}
	return 12 * len([]rune(text))
}

func padText(text, ink string) padScreen {
	return padScreen{label: text, lines: []padLine{{text: text, x: (padSide - padWidth(text, false)) / 2, y: 56, ink: ink}}}
}

func padLarge(text, ink string) padScreen {
	return padScreen{label: text, lines: []padLine{{text: text, x: (padSide - padWidth(text, true)) / 2, y: 48, large: true, ink: ink}}}
}

// screens are the four screens of this moment.
func (k *keypad) screens(now time.Time) [padKeys]padScreen {
	var list [padKeys]padScreen
	switch k.state {
	case padConnecting:
		list = [padKeys]padScreen{{}, padText("Wait", "#ffffff"), padText("ing", "#ffffff"), padText("...", "#ffffff")}
	case padLimited:
		list = [padKeys]padScreen{padLarge("RATE", "#ffff00"), padLarge("LIMIT", "#ffff00"), k.timer(now), padText("Continue", "#00ff00")}
	case padFailed:
		list = [padKeys]padScreen{padLarge("ERROR", "#ff0000"), padLarge("!", "#ff0000"), padText("Continue", "#00ff00"), padText("Retry", "#ffa500")}
	default:
		for i, o := range k.options {
			list[i] = padText(o.Text, o.Color)
			if k.flash[o.Image] != nil {
				list[i] = padScreen{image: o.Image, label: o.Text}
			}
		}
	}
	for i, n := range k.notes {
		if n != nil {
			list[i] = padScreen{label: strings.TrimSpace(n.Title + " " + n.Content), lines: []padLine{
				{text: n.Title, x: 5, y: 10, ink: "#ffff00"}, {text: n.Content, x: 5, y: 50, ink: "#ffffff"},
			}}
		}
	}
	return list
}

// timer counts down while it knows to what, and up from then on.
func (k *keypad) timer(now time.Time) padScreen {
	if left := k.until.Sub(now); left > 0 {
		s := int(left.Round(time.Second) / time.Second)
		return padText(fmt.Sprintf("%d:%02d", s/60, s%60), "#ffff00")
	}
	s := int(now.Sub(k.since) / time.Second)
	return padText(fmt.Sprintf("%d:%02d", s/60, s%60), "#ffa500")
}

// light is the colour of a key's light.
func (k *keypad) light(i int, now time.Time) string {
	even := now.UnixMilli()/500%2 == 0
	switch {
	case !k.pressed[i].IsZero() && now.Sub(k.pressed[i]) < padFlash:
		return "#ffffff"
	case !k.connected && even:
		return "#ff0000"
	case !k.connected:
		return "#400000"
	case k.state == padThinking && even:
		return "#c0a000"
	case k.state == padThinking:
		return "#605000"
	case k.state == padFailed, k.state == padLimited && even:
		return "#ff0000"
	case k.state == padLimited:
		return "#700000"
	}
	return "#004000"
}
