package esp32

import (
	"cmp"
	"slices"
)

// Button is one of the three below the screen.
type Button byte

// The buttons.
const (
	A Button = 'A' // the first choice
	B Button = 'B' // the last one
	C Button = 'C' // the next request
)

// Screen is what a person sees.
type Screen struct {
	Host    string
	Header  string // above the message
	Message string
	Choices []Choice
	Target  string // not drawn: which request it is
	Index   int    // [Index+1/Of]
	Of      int
	Note    string // shown for a moment instead
}

// Screen is what the device shows now. An expired request stays until something else is
// drawn.
func (d *Device) Screen() Screen {
	d.mu.Lock()
	defer d.mu.Unlock()
	up := d.tick()
	if d.note != "" && up < d.noteEnd {
		return Screen{Note: d.note}
	}
	return d.drawn
}

// Press presses a button, and returns the target of the request that it answered, if
// any.
func (d *Device) Press(b Button) (answered string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	up := d.tick()
	waiting := d.pending()
	if len(waiting) == 0 {
		return ""
	}
	if b == C {
		d.index = (d.index + 1) % len(waiting)
		d.show(waiting, d.index)
		return ""
	}
	s := waiting[d.index]
	switch n := len(s.choices); {
	case b == A && n > 0:
		s.choose(int(s.choices[0].Number), up)
	case b == B && n > 1:
		s.choose(int(s.choices[n-1].Number), up)
	default:
		return ""
	}
	d.index = 0
	d.draw()
	return s.target
}

// draw shows the newest pending request. It does not change the index, as the firmware
// does not: after a press of C the buttons may answer another request than the one
// that is drawn.
func (d *Device) draw() {
	waiting := d.pending()
	if len(waiting) == 0 {
		d.drawn = Screen{}
		return
	}
	d.show(waiting, 0)
}

func (d *Device) show(waiting []*slot, i int) {
	s := waiting[i]
	d.drawn = Screen{
		Host: cut(s.host, 16), Header: s.header, Message: s.message, Choices: slices.Clone(s.choices),
		Target: s.target, Index: i, Of: len(waiting),
	}
}

// Waiting are the targets of pending requests, newest first.
func (d *Device) Waiting() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tick()
	var list []string
	for _, s := range d.pending() {
		list = append(list, s.target)
	}
	return list
}

func (d *Device) pending() []*slot {
	return slices.DeleteFunc(d.newestFirst(), func(s *slot) bool { return s.response != "" })
}

func (d *Device) newestFirst() []*slot {
	var list []*slot
	for i := range d.slots {
		if d.slots[i].used {
			list = append(list, &d.slots[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *slot) int { return cmp.Compare(b.created, a.created) })
	return list
}
