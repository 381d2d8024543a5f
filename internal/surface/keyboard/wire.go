package keyboard

import (
	"encoding/json"
	"time"

	"nod"
)

// The device drops the connection on frames of more than 15,360 bytes and does
// not put fragments together.
const (
	largestFrame = 15_000
	subprotocol  = "arduino"
	deviceOrigin = "file://"
)

// The states that the firmware knows.
const (
	stateIdle     = "idle"
	stateThinking = "thinking"
	stateError    = "error"
	stateLimit    = "limit"
)

// isTrouble reports whether the device shows something else than its options.
func isTrouble(state string) bool { return state == stateError || state == stateLimit }

// option is one key as the device takes it. No field may be missing: the device would
// show the text "null".
type option struct {
	Text   string `json:"text"`
	Action string `json:"action"`
	Image  string `json:"image"`
	Color  string `json:"color"`
	About  string `json:"about,omitempty"` // nod's own: the words on the picture, for those who do not see it
}

type updateOptions struct {
	Type    string        `json:"type"`
	Session string        `json:"session_id"`
	Options [count]option `json:"options"`
}

type status struct {
	Type      string `json:"type"`
	State     string `json:"state"`
	Countdown int    `json:"countdown,omitempty"`
}

type displayUpdate struct {
	Type    string `json:"type"`
	Display int    `json:"display"`
	Title   string `json:"title"`
	Content string `json:"content"`
	whole   string // the text of its picture, where there is one instead
}

// deviceMessage is everything that a keyboard sends. Hold is nod's own: the original
// firmware cannot tell how long a key is held.
type deviceMessage struct {
	Type    string `json:"type"`
	Session string `json:"session_id"`
	Key     int    `json:"key"`
	Text    string `json:"text"`
	Hold    bool   `json:"hold"`
}

// frame is a set of keys that was shown under a number. A press names it.
type frame struct {
	id    string
	scene scene
	since [count]time.Time // since when each key means what it means
}

// keepFrames is how many old frames a press may still name.
const keepFrames = 64

func hexColour(s string) bool {
	if len(s) != 7 || s[0] != '#' {
		return false
	}
	for _, c := range []byte(s[1:]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// messages bring the device from one scene to the next. At no moment in between does a
// key show one thing and mean another: a device in trouble shows its own Continue and
// Retry, so it leaves trouble before it gets new keys, and gets the keys for it before
// it enters.
func (p *pictures) messages(from string, keys bool, id string, sc *scene, now time.Time) []any {
	var list []any
	to := status{Type: "status", State: sc.state}
	if sc.state == stateLimit && !sc.until.IsZero() {
		to.Countdown = max(0, int(sc.until.Sub(now).Round(time.Second)/time.Second))
	}
	if isTrouble(from) && (keys || sc.state != from) {
		list = append(list, status{Type: "status", State: stateIdle})
		from = stateIdle
	}
	if !isTrouble(sc.state) && sc.state != from {
		list = append(list, to)
	}
	if keys {
		list = append(list, p.options(id, sc))
	}
	if isTrouble(sc.state) {
		list = append(list, to)
	}
	if sc.about != nil && keys && p.about(sc.about) == "" {
		list = append(list, *sc.about)
	}
	return list
}

// encode is one message as one frame. A message that is too long is an error: the
// device would drop the connection.
func encode(m any) ([]byte, error) {
	text, err := json.Marshal(m)
	if err == nil && len(text) > largestFrame {
		err = nod.Errorf(nod.TooLarge, "a message for a keyboard has %d bytes, and it takes %d", len(text), largestFrame)
	}
	return text, err
}
