// Package fakekeyboard simulates the firmware of a T-Keyboard with its limits and its
// faults, for tests and for people who have none.
package fakekeyboard

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// The states of the firmware.
const (
	Connecting = "connecting"
	Idle       = "idle"
	Thinking   = "thinking"
	Error      = "error"
	Limited    = "limit"
)

// What the firmware accepts.
const (
	Largest     = 15360 // bytes of a frame
	PictureSize = 128 * 128 * 2
	debounce    = 100 * time.Millisecond
	rebootTime  = 500 * time.Millisecond
	pingEvery   = 15 * time.Second
	pongTime    = 3 * time.Second
	mostMissed  = 2
	longestName = 23
)

// Options are how a board reaches its server.
type Options struct {
	Host   string // of the WebSocket: name and port
	Images string // address of the pictures: http://name:8081
	Path   string // of the WebSocket; empty: /ws, as the firmware has it
	Header http.Header
	Dial   func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network
	Now    func() time.Time
}

// Screen is what one key shows.
type Screen struct {
	Text, Colour   string
	Image          string // its name, if it is there
	Title, Content string // of a display_update
}

// Words is what can be read on a screen without its picture.
func (s Screen) Words() string {
	if s.Title != "" || s.Content != "" {
		return s.Title + ": " + s.Content
	}
	return s.Text
}

type option struct{ Text, Action, Image, Color string }

// Board is one keyboard.
type Board struct {
	o    Options
	http *http.Client

	mu        sync.Mutex
	link      *link
	state     string
	session   string
	options   [4]option
	override  [4]*Screen
	countdown time.Time // when a limit ends; zero: elapsed time is shown
	cache     map[string][]byte
	pressed   [4]time.Time
	first     time.Time // of the first of keys 1 and 4, for the reboot
	firstKey  int
	faults    []string
	log       []string // every message, as it came
	changed   chan struct{}
}

// New is a board that was just switched on.
func New(o Options) *Board {
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Path == "" {
		o.Path = "/ws"
	}
	return &Board{
		o: o, state: Connecting, cache: map[string][]byte{}, changed: make(chan struct{}),
		http: &http.Client{Transport: &http.Transport{DialContext: o.Dial, DisableKeepAlives: true}, Timeout: 5 * time.Second},
	}
}

// Connect opens the WebSocket as the firmware does, and reads it until it ends.
func (b *Board) Connect(ctx context.Context) error {
	l, err := shake(ctx, b.o)
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.link = l
	b.state = Idle // from whatever it was
	b.override = [4]*Screen{}
	b.notify()
	b.mu.Unlock()
	go b.serve(l)
	go b.beat(l)
	return l.text(`{"type":"register","device":"tkeyboard","version":"1.0"}`)
}

// Drop closes the connection without a close frame, as a lost network does.
func (b *Board) Drop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.link != nil {
		_ = b.link.conn.Close()
	}
}

func (b *Board) serve(l *link) {
	for {
		text, err := l.message()
		if err != nil {
			b.fault(l, err)
			return
		}
		b.take(text)
	}
}

func (b *Board) fault(l *link, err error) {
	_ = l.conn.Close()
	l.stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := err.(fault); ok {
		b.faults = append(b.faults, string(f))
	}
	if b.link == l {
		b.link = nil
	}
	b.notify()
}

func (b *Board) beat(l *link) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	missed := 0
	for {
		select {
		case <-l.done:
			return
		case <-tick.C:
		}
		if l.frame(opPing, nil) != nil {
			return
		}
		select {
		case <-l.done:
			return
		case <-l.pongs:
			missed = 0
		case <-time.After(pongTime):
			if missed++; missed >= mostMissed {
				_ = l.conn.Close()
				return
			}
		}
	}
}

// take does what a message says. Missing fields become "null", as in the firmware's
// JSON library.
func (b *Board) take(text []byte) {
	var m struct {
		Type, State, Title, Content string
		Session                     *string `json:"session_id"`
		Countdown                   int
		Display                     int
		Options                     []struct{ Text, Action, Image, Color *string }
	}
	b.mu.Lock()
	b.log = append(b.log, string(text))
	b.mu.Unlock()
	if json.Unmarshal(text, &m) != nil {
		return
	}
	var fetch []string
	b.mu.Lock()
	switch m.Type {
	case "update_options":
		b.session = null(m.Session)
		for i, o := range m.Options[:min(4, len(m.Options))] {
			b.options[i] = option{null(o.Text), null(o.Action), null(o.Image), null(o.Color)}
			if b.options[i].Image != "" {
				fetch = append(fetch, b.options[i].Image)
			}
		}
		b.override = [4]*Screen{}
	case "status":
		b.enter(m.State, m.Countdown)
	case "display_update":
		if m.Display >= 0 && m.Display < 4 {
			b.override[m.Display] = &Screen{Title: m.Title, Content: m.Content}
		}
	case "image":
		b.faults = append(b.faults, "an image message spoils the cache")
	}
	b.mu.Unlock()
	for _, name := range fetch { // it serves no socket meanwhile
		b.fetch(name)
	}
	b.mu.Lock()
	b.notify()
	b.mu.Unlock()
}

func null(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

// enter: the same state again changes nothing but the clock of a limit.
func (b *Board) enter(state string, seconds int) {
	switch state {
	case Idle, Thinking, Error, Limited:
	default:
		return
	}
	if state == Limited {
		b.countdown = time.Time{}
		if seconds > 0 {
			b.countdown = b.o.Now().Add(time.Duration(seconds) * time.Second)
		}
	}
	if b.state != state {
		b.state, b.override = state, [4]*Screen{}
	}
}

// fetch gets a picture once. It must come with a Content-Length and have the right
// size.
func (b *Board) fetch(name string) {
	b.mu.Lock()
	_, have := b.cache[name]
	b.mu.Unlock()
	if have {
		return
	}
	res, err := b.http.Get(b.o.Images + "/images/" + name)
	if err != nil {
		return
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, PictureSize+1))
	gif := strings.HasSuffix(name, ".gif")
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case err != nil || res.StatusCode != http.StatusOK:
	case res.ContentLength < 0 || !gif && res.ContentLength != PictureSize || len(data) > PictureSize:
		b.faults = append(b.faults, fmt.Sprintf("the picture %s has length %d", name, res.ContentLength))
	case len(name) > longestName:
		b.faults = append(b.faults, "the name "+name+" is too long for the file system")
	default:
		b.cache[name] = data
	}
}

func (b *Board) notify() {
	close(b.changed)
	b.changed = make(chan struct{})
}
