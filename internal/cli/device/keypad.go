package device

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// padKeys is how many keys the keyboard has, each with a screen and a light.
const padKeys = 4

// keypadState is the state of the firmware.
type keypadState uint8

const (
	padConnecting keypadState = iota
	padIdle
	padThinking
	padLimited
	padFailed
)

// The timing of the firmware.
const (
	padDebounce = 100 * time.Millisecond
	padRestart  = 500 * time.Millisecond // keys 1 and 4 within it restart the keyboard
	padFlash    = 50 * time.Millisecond  // a pressed key's light is white
)

// keyOption is what a key shows and what it sends.
type keyOption struct {
	Text   string `json:"text"`
	Action string `json:"action"`
	Image  string `json:"image"`
	Color  string `json:"color"`
	About  string `json:"about"` // the words on the picture
}

// keyPress is sent when a key is pressed. The firmware does not send Hold; the
// hub takes it as a long press.
type keyPress struct {
	Type    string `json:"type"`
	Session string `json:"session_id"`
	Key     int    `json:"key"`
	Text    string `json:"text"`
	Hold    bool   `json:"hold,omitempty"`
}

// hubMessage has the fields of every message that the firmware knows.
type hubMessage struct {
	Type      string      `json:"type"`
	Session   string      `json:"session_id"`
	Options   []keyOption `json:"options"`
	State     string      `json:"state"`
	Countdown int         `json:"countdown"`
	Display   int         `json:"display"`
	Title     string      `json:"title"`
	Content   string      `json:"content"`
}

// keypad models the firmware: what it knows and what it would show.
type keypad struct {
	state     keypadState
	connected bool
	session   string
	options   [padKeys]keyOption
	notes     [padKeys]*hubMessage // a title and a text that cover a key
	since     time.Time            // when the state began
	until     time.Time            // when a countdown ends
	images    map[string][]byte    // by name; never deleted
	pressed   [padKeys]time.Time
}

func newKeypad() *keypad { return &keypad{images: map[string][]byte{}} }

// connect makes the firmware idle, whatever it was before.
func (k *keypad) connect(now time.Time) { k.connected = true; k.enter(padIdle, now) }

// restart forgets everything but the images, which are in flash memory.
func (k *keypad) restart() { *k = keypad{images: k.images} }

func (k *keypad) enter(s keypadState, now time.Time) {
	if k.state == s {
		return
	}
	k.state, k.since, k.until, k.notes = s, now, time.Time{}, [padKeys]*hubMessage{}
}

// receive handles a message. What the firmware does not know changes nothing.
func (k *keypad) receive(text []byte, now time.Time) {
	var w hubMessage
	if json.Unmarshal(text, &w) != nil {
		return
	}
	switch w.Type {
	case "update_options":
		k.session = w.Session
		copy(k.options[:], w.Options) // fewer options leave the other keys as they are
		k.notes = [padKeys]*hubMessage{}
	case "status":
		if s, ok := keypadStates[w.State]; ok {
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

var keypadStates = map[string]keypadState{"idle": padIdle, "thinking": padThinking, "error": padFailed, "limit": padLimited}

// longestImageName is the limit of the firmware's file system. A key whose image
// cannot be stored shows its text.
const longestImageName = 23

// missingImages are the images that have to be fetched.
func (k *keypad) missingImages() []string {
	var names []string
	for _, o := range k.options {
		if o.Image != "" && len(o.Image) <= longestImageName && k.images[o.Image] == nil {
			names = append(names, o.Image)
		}
	}
	return names
}

// press is what a key sends, or nil. restarts means that the keyboard restarts.
func (k *keypad) press(key int, hold bool, now time.Time) (event *keyPress, restarts bool) {
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
	event = &keyPress{Type: "key_press", Session: k.session, Key: key, Text: o.Action, Hold: hold}
	if o.Action == "" {
		event.Text = o.Text
	}
	if k.state == padLimited && i == 3 || k.state == padFailed && i == 2 {
		k.enter(padIdle, now)
	}
	return event, false
}

// keyScreen is what one screen shows: an image, or lines of text.
type keyScreen struct {
	image string
	lines []textLine
	label string // a short text for the terminal
}

type textLine struct {
	text  string
	x, y  int
	large bool // 24 by 32 pixels for each character instead of 12 by 16
	ink   string
}

// textWidth is the width of a text in pixels.
func textWidth(text string, large bool) int {
	if large {
		return 24 * len([]rune(text))
	}
	return 12 * len([]rune(text))
}

func smallText(text, ink string) keyScreen {
	return keyScreen{label: text, lines: []textLine{{text: text, x: (padSide - textWidth(text, false)) / 2, y: 56, ink: ink}}}
}

func largeText(text, ink string) keyScreen {
	return keyScreen{label: text, lines: []textLine{{text: text, x: (padSide - textWidth(text, true)) / 2, y: 48, large: true, ink: ink}}}
}

// screens are what the four screens show now.
func (k *keypad) screens(now time.Time) [padKeys]keyScreen {
	var list [padKeys]keyScreen
	switch k.state {
	case padConnecting:
		list = [padKeys]keyScreen{{}, smallText("Wait", "#ffffff"), smallText("ing", "#ffffff"), smallText("...", "#ffffff")}
	case padLimited:
		list = [padKeys]keyScreen{largeText("RATE", "#ffff00"), largeText("LIMIT", "#ffff00"), k.timer(now), smallText("Continue", "#00ff00")}
	case padFailed:
		list = [padKeys]keyScreen{largeText("ERROR", "#ff0000"), largeText("!", "#ff0000"), smallText("Continue", "#00ff00"), smallText("Retry", "#ffa500")}
	default:
		for i, o := range k.options {
			list[i] = smallText(o.Text, o.Color)
			if k.images[o.Image] != nil {
				list[i] = keyScreen{image: o.Image}
			}
			list[i].label = cmp.Or(o.About, o.Text)
		}
	}
	for i, n := range k.notes {
		if n != nil {
			list[i] = keyScreen{label: strings.TrimSpace(n.Title + " " + n.Content), lines: []textLine{
				{text: n.Title, x: 5, y: 10, ink: "#ffff00"}, {text: n.Content, x: 5, y: 50, ink: "#ffffff"},
			}}
		}
	}
	return list
}

// timer counts down to the end of the limit if that is known, and up afterwards.
func (k *keypad) timer(now time.Time) keyScreen {
	if left := k.until.Sub(now); left > 0 {
		s := int(left.Round(time.Second) / time.Second)
		return smallText(fmt.Sprintf("%d:%02d", s/60, s%60), "#ffff00")
	}
	s := int(now.Sub(k.since) / time.Second)
	return smallText(fmt.Sprintf("%d:%02d", s/60, s%60), "#ffa500")
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
