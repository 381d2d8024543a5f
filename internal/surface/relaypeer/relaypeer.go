// Package relaypeer shows what waits on Prompt Relay devices that people already
// have, such as an M5Stack with three buttons, and takes their presses as
// answers. Here nod is the client: the device has the server. A device that is
// slow, full or unplugged keeps nobody waiting but itself.
package relaypeer

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// via is the door by which presses are known.
const via = "relay-device"

// DefaultKey opens any device: its firmware looks at the length of a key only.
const DefaultKey = "nod-peer"

// lookAgain is how often Devices is asked who there is.
const lookAgain = 5 * time.Second

// Device is one that somebody has.
type Device struct {
	Name     string // for people, and to tell it from others
	URL      string // http://192.168.1.40:3939
	Key      string // empty: DefaultKey
	ReadOnly bool   // it shows what waits, and its buttons do nothing
	// AtOnce is how many requests are on it at the same time; 0: one. The firmware
	// of an M5Stack shows one request and answers another when several are there
	// and somebody has pressed C, so more than one is for servers without buttons.
	AtOnce int
}

// Options are what the surface is built on.
type Options struct {
	Hub       *hub.Hub
	Devices   func() []Device // those of the configuration, and those that were found and are wanted
	Proof     []string        // levels of risk that take a passkey to allow
	Say       words.Printer
	Transport http.RoundTripper // nil: the network
	Now       func() time.Time  // nil: time.Now
	Log       *slog.Logger
}

// Surface is the whole of it.
type Surface struct {
	Options
	board pendingList

	mu      sync.Mutex
	workers map[string]*worker
}

// New makes a surface; nothing happens before Run.
func New(o Options) *Surface {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.Proxy = nil // it is in this house
		t.MaxConnsPerHost = 1
		t.ResponseHeaderTimeout = callTime
		o.Transport = t
	}
	return &Surface{Options: o, workers: map[string]*worker{}}
}

// Run looks after the devices until ctx ends, and takes back what they show.
func (s *Surface) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.follow(ctx) })
	for ctx.Err() == nil {
		s.compare(ctx, &all)
		pause.For(ctx, lookAgain)
	}
}

// compare begins with devices that are new and ends with those that are not
// wanted any more. One that has another address is another one.
func (s *Surface) compare(ctx context.Context, all *sync.WaitGroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[string]bool{}
	for _, d := range s.Devices() {
		if d = d.tidy(); d.Name == "" || d.URL == "" || wanted[d.Name] {
			continue
		}
		wanted[d.Name] = true
		if w := s.workers[d.Name]; w != nil {
			if w.device == d {
				continue
			}
			w.cancel()
		}
		own, cancel := context.WithCancel(ctx)
		w := newWorker(s, d, cancel)
		s.workers[d.Name] = w
		all.Go(func() { w.run(own) })
	}
	for name, w := range s.workers {
		if !wanted[name] {
			w.cancel()
			delete(s.workers, name)
		}
	}
}

// State is how a device is doing.
type State struct {
	Name    string
	URL     string
	There   bool   // it answered the last time
	Trouble string // in words, if it did not
}

// States tells of every device, by name.
func (s *Surface) States() []State {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []State
	for _, w := range s.workers {
		list = append(list, w.state())
	}
	slices.SortFunc(list, func(a, b State) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// wake makes every device look at the board again.
func (s *Surface) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workers {
		w.wake()
	}
}

func (d Device) tidy() Device {
	d.URL, d.AtOnce = strings.TrimRight(d.URL, "/"), max(1, min(d.AtOnce, slots))
	return d
}

// actor is who presses the buttons of a device.
func (d Device) actor() nod.Actor {
	rights := nod.RightsOf(nod.View, nod.Answering)
	if d.ReadOnly {
		rights = nod.RightsOf(nod.View)
	}
	return nod.Actor{Kind: nod.ActorDevice, Name: d.Name, Via: via, ID: d.URL, Rights: rights}
}
