// Package esp32 simulates a Prompt Relay device: the HTTP server of an M5Stack with its
// limits, its clock that starts at each boot, its screen and its three buttons. It is for tests, and for trying nod without the hardware.
package esp32

import (
	"crypto/rand"
	"encoding/hex"
	"strconv"
	"sync"
	"time"
)

// The limits of the firmware, in bytes for texts.
const (
	Slots       = 8
	MostChoices = 8
	MostCreate  = 2047
	MostRespond = 255
	MostNotify  = 511
	ChoiceText  = 31
	ShortText   = 63 // tool, host, target
	MessageText = 511
)

const (
	defaultTimeout = 120 * time.Second
	keepFor        = 5 * time.Minute
	sweepEvery     = time.Minute
	noteFor        = 5 * time.Second
)

// What a request came to.
const (
	allowed   = "allow"
	denied    = "deny"
	cancelled = "cancelled"
	expired   = "expired"
)

// Choice is one line of a prompt.
type Choice struct {
	Number uint8
	Text   string
}

// slot holds one request. Times are since boot.
type slot struct {
	used      bool
	id        string
	tool      string
	header    string
	message   string
	host      string
	target    string
	choices   []Choice
	created   time.Duration
	expires   time.Duration
	response  string // empty: it waits
	responded time.Duration
	key       string
}

// Device is one M5Stack.
type Device struct {
	now func() time.Time

	mu      sync.Mutex
	boot    time.Time
	slots   [Slots]slot
	drawn   Screen // what was drawn last
	index   int    // the pending request that the buttons answer; the screen may show another
	note    string
	noteEnd time.Duration
	beeps   int
	seen    map[string]int // calls, by method and first part of the path

	unplugged bool
	slow      time.Duration
	first     bool // the first firmware: it has no timeout and does not send when a request ends
	torn      int  // how many more answers are sent without their key
}

// New is a device that has just been plugged in.
func New(now func() time.Time) *Device {
	return &Device{now: now, boot: now(), seen: map[string]int{}}
}

// Reboot clears everything and starts the clock at zero.
func (d *Device) Reboot() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.boot, d.slots, d.note = d.now(), [Slots]slot{}, ""
	d.index, d.drawn = 0, Screen{}
}

// FirstFirmware makes it behave like the first published firmware: a request ends after
// two minutes, whatever timeout it asks for, and clients do not see when.
func (d *Device) FirstFirmware() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.first = true
}

// Tear makes it send n answers without their key: the firmware writes the two one after
// the other, and a client may read in between.
func (d *Device) Tear(answers int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.torn = answers
}

// Beeps is how often it beeped.
func (d *Device) Beeps() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.beeps
}

// Calls is how often an endpoint was called, such as "POST /permission-request".
func (d *Device) Calls(what string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen[what]
}

// tick is what the firmware's main loop does: expire what is over, and once a
// minute remove what is old, whether it was answered or not. d.mu is held.
func (d *Device) tick() time.Duration {
	up := d.now().Sub(d.boot)
	swept := up.Truncate(sweepEvery)
	for i := range d.slots {
		s := &d.slots[i]
		if !s.used {
			continue
		}
		if s.response == "" && up > s.expires {
			s.response, s.responded = expired, up
		}
		if swept-s.created > keepFor {
			*s = slot{}
		}
	}
	if n := len(d.pending()); n > 0 && d.index >= n {
		d.index = 0
	}
	return up
}

func (d *Device) find(id string) *slot {
	for i := range d.slots {
		if d.slots[i].used && d.slots[i].id == id {
			return &d.slots[i]
		}
	}
	return nil
}

// room is the slot for the next request: a free one, else that of the oldest finished
// request, else that of the oldest.
func (d *Device) room() *slot {
	var oldest, finished *slot
	for i := range d.slots {
		s := &d.slots[i]
		switch {
		case !s.used:
			return s
		case s.response != "" && (finished == nil || s.created < finished.created):
			finished = s
		}
		if oldest == nil || s.created < oldest.created {
			oldest = s
		}
	}
	if finished != nil {
		return finished
	}
	return oldest
}

func (d *Device) create(s slot) slot {
	up := d.tick()
	for i := range d.slots {
		old := &d.slots[i]
		if old.used && old.response == "" && s.target != "" && old.target == s.target {
			old.response, old.responded = cancelled, up
		}
	}
	s.used, s.id, s.created = true, newID(), up
	s.expires += up
	*d.room() = s
	d.draw()
	d.beeps++
	return s
}

// settle records the first answer; later ones have no effect.
func (s *slot) settle(response, key string, up time.Duration) bool {
	if s.response != "" {
		return false
	}
	s.response, s.key, s.responded = response, cut(key, 7), up
	return true
}

// choose answers with a number, whether or not there is such a choice.
func (s *slot) choose(number int, up time.Duration) bool {
	response := allowed
	if n := len(s.choices); n > 0 && int(s.choices[n-1].Number) == number && s.tool != "Question" {
		response = denied
	}
	return s.settle(response, strconv.Itoa(number), up)
}

// cut is strlcpy: it may cut in the middle of a character.
func cut(s string, bytes int) string { return s[:min(len(s), bytes)] }

func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
