// Package relaypeer shows pending requests on Prompt Relay devices that people already
// have, such as an M5Stack with three buttons, and takes presses of their buttons as
// answers. nod is the client, the device the server. A device that is slow, full or
// unplugged delays no other.
package relaypeer

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/sys/pause"
	"nod/internal/sys/secretfile"
)

// via is where presses come from, in the log.
const via = "relay-device"

// DefaultKey works with any device: its firmware checks only the length of a key.
const DefaultKey = "nod-peer"

// lookAgain is how often the list of devices is compared with the workers.
const lookAgain = 5 * time.Second

// Device is one that is configured or was found.
type Device struct {
	Name     string // for people; unique
	URL      string // http://192.168.1.40:3939
	Key      string // empty: DefaultKey
	ReadOnly bool   // it shows what waits, and its buttons do nothing
	// AtOnce is how many requests are on it at the same time; 0: one. With several, the
	// firmware of an M5Stack may show one and answer another after a press of C, so
	// more than one is for servers without buttons.
	AtOnce int
}

// Peer is a device of the configuration.
type Peer struct {
	Name     string
	URL      string
	KeyFile  string // its first line is the key; empty: DefaultKey
	ReadOnly bool
	AtOnce   int
}

// Needs is what the surface needs of others.
type Needs struct {
	Peers []Peer
	Found string // devices that announce themselves: "off", "show" or "answer"
}

// Surface serves all devices.
type Surface struct {
	adapter.Deps
	Needs
	devices   func() []Device // those of the configuration, before those that were found
	transport http.RoundTripper
	finder    *Finder
	pending   *hub.PendingList
	keyErr    error // why a device is left out

	mu      sync.Mutex
	workers map[string]*worker
}

// New makes a surface; nothing happens before Run.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // devices are in the home network
	t.MaxConnsPerHost = 1
	t.ResponseHeaderTimeout = callTime
	s := &Surface{
		Deps: d, Needs: n, transport: t, finder: &Finder{Answer: n.Found == "answer"},
		pending: hub.NewPendingList(d.Hub), workers: map[string]*worker{},
	}
	known := s.configured()
	s.devices = func() []Device { return append(slices.Clone(known), s.finder.Devices()...) }
	return s
}

// configured are the devices of the configuration whose keys can be read.
func (s *Surface) configured() (known []Device) {
	for _, p := range s.Peers {
		d := Device{Name: p.Name, URL: p.URL, ReadOnly: p.ReadOnly, AtOnce: p.AtOnce}
		if p.KeyFile != "" {
			key, err := secretfile.Read(p.KeyFile)
			if err != nil {
				s.Log.Error("a device of Prompt Relay is left out: its key cannot be read", "device", p.Name, "err", err)
				s.keyErr = nod.Errorf(nod.Unavailable, "the device %s is left out: its key_file %q cannot be read", p.Name, p.KeyFile).Because(err)
				continue
			}
			d.Key = key
		}
		known = append(known, d)
	}
	return known
}

// Health names a device that is left out or does not answer.
func (s *Surface) Health() error {
	if s.keyErr != nil {
		return s.keyErr
	}
	for _, d := range s.States() {
		if !d.There && d.Trouble != errNotMet.Error() {
			return nod.Errorf(nod.Unavailable, "the device %s at %s cannot be used: %s", d.Name, d.URL, d.Trouble)
		}
	}
	return nil
}

// Run serves the devices until ctx ends, and then clears them.
func (s *Surface) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.follow(ctx) })
	if s.Found == "show" || s.Found == "answer" {
		all.Go(func() {
			if err := s.finder.Run(ctx); err != nil && ctx.Err() == nil {
				s.Log.Warn("devices cannot be found here", "err", err)
			}
		})
	}
	for ctx.Err() == nil {
		s.compare(ctx, &all)
		pause.For(ctx, lookAgain)
	}
}

// follow keeps the pending list. It does not count as a viewer who could answer: a
// device counts only while it is connected.
func (s *Surface) follow(ctx context.Context) {
	desk := s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: via, Via: via, Rights: nod.RightsOf(nod.View)})
	desk.Mirror(ctx, func(st *nod.State) { s.pending.Reset(st); s.wake() }, func(e *nod.Event) {
		if s.pending.Event(e) {
			s.wake()
		}
	})
}

// compare starts workers for new devices and ends those of devices that are gone. A
// device whose address changed is a new one.
func (s *Surface) compare(ctx context.Context, all *sync.WaitGroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := map[string]bool{}
	for _, d := range s.devices() {
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

// State is the state of a device.
type State struct {
	Name    string
	URL     string
	There   bool   // it answered the last time
	Trouble string // in words, if it did not
}

// States are those of all devices, sorted by name.
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

// wake makes every worker compare its device with the pending list.
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

// actor is the person who presses the buttons of a device.
func (d Device) actor() nod.Actor {
	rights := nod.RightsOf(nod.View, nod.Answering)
	if d.ReadOnly {
		rights = nod.RightsOf(nod.View)
	}
	return nod.Actor{Kind: nod.ActorDevice, Name: d.Name, Via: via, ID: d.URL, Rights: rights}
}
