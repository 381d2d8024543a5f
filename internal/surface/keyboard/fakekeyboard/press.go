package fakekeyboard

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Press presses a key; 1 is the leftmost. It reports whether the firmware sent it to
// the server.
func (b *Board) Press(key int) bool { return b.press(key, false) }

// Hold is a long press, which only nod's own firmware reports.
func (b *Board) Hold(key int) bool { return b.press(key, true) }

func (b *Board) press(key int, hold bool) bool {
	now := b.o.Now()
	b.mu.Lock()
	if key < 1 || key > 4 || now.Sub(b.pressed[key-1]) < debounce {
		b.mu.Unlock()
		return false
	}
	b.pressed[key-1] = now
	if (key == 1 || key == 4) && b.firstKey == 5-key && now.Sub(b.first) < rebootTime {
		b.reboot()
		b.mu.Unlock()
		return false
	}
	b.first, b.firstKey = now, key
	o := b.options[key-1]
	text := o.Action
	if text == "" {
		text = o.Text
	}
	l, session := b.link, b.session
	if b.state == Limited && key == 4 || b.state == Error && key == 3 {
		b.state = Idle
		b.notify()
	}
	b.mu.Unlock()
	if l == nil {
		return false // lost, as the firmware loses it
	}
	m := map[string]any{"type": "key_press", "session_id": session, "key": key, "text": text}
	if hold {
		m["hold"] = true
	}
	said, err := json.Marshal(m)
	return err == nil && l.text(string(said)) == nil
}

// Say sends a raw message.
func (b *Board) Say(text string) error {
	b.mu.Lock()
	l := b.link
	b.mu.Unlock()
	return l.text(text)
}

// Fragments sends a message in two pieces.
func (b *Board) Fragments(one, two string) error {
	b.mu.Lock()
	l := b.link
	b.mu.Unlock()
	return l.pieces(one, two)
}

// reboot forgets everything but the pictures.
func (b *Board) reboot() {
	if b.link != nil {
		_ = b.link.conn.Close()
	}
	b.link, b.state, b.session, b.firstKey = nil, Connecting, "", 0
	b.options, b.override = [4]option{}, [4]*Screen{}
	b.notify()
}

// Session is the id of the keys that it shows.
func (b *Board) Session() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.session
}

// State is the state of the firmware.
func (b *Board) State() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}

// Connected reports whether it has a connection.
func (b *Board) Connected() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.link != nil
}

// Faults are the server's mistakes that a board can notice.
func (b *Board) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.faults)
}

// Log is every message that arrived, oldest first.
func (b *Board) Log() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.log)
}

// Picture is a picture of its cache.
func (b *Board) Picture(name string) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cache[name]
}

// Changed is closed when the screens change.
func (b *Board) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// Screens are what the four keys show.
func (b *Board) Screens() [4]Screen {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list [4]Screen
	for i, o := range b.options {
		list[i] = Screen{Text: o.Text, Colour: o.Color}
		if b.cache[o.Image] != nil {
			list[i].Image = o.Image
		}
	}
	switch b.state {
	case Connecting:
		list = [4]Screen{{}, {Text: "Wait"}, {Text: "ing"}, {Text: "..."}}
	case Limited:
		list = [4]Screen{{Text: "RATE"}, {Text: "LIMIT"}, {Text: b.clock()}, {Text: "Continue"}}
	case Error:
		list = [4]Screen{{Text: "ERROR"}, {Text: "!"}, {Text: "Continue"}, {Text: "Retry"}}
	}
	for i, o := range b.override {
		if o != nil {
			list[i] = *o
		}
	}
	return list
}

func (b *Board) clock() string {
	if b.countdown.IsZero() {
		return "elapsed"
	}
	left := max(0, b.countdown.Sub(b.o.Now())).Round(time.Second)
	return fmt.Sprintf("%d:%02d", int(left.Minutes()), int(left.Seconds())%60)
}
