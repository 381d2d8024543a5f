package mdns

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/brutella/dnssd"

	"nod"
)

// The library queries only once, so it is restarted from time to time: soon at first, then rarely. A newcomer
// announces itself without being asked.
const (
	firstRound   = 5 * time.Second
	longestRound = 2 * time.Minute
	askAgain     = 1500 * time.Millisecond // how long a newcomer takes to verify its name
	missedRounds = 3                       // after this many unanswered queries a device is gone
	mostFound    = 200                     // more than any home has: the rest is not believed
)

// Found is a device on the network, as it describes itself.
type Found struct {
	Name  string // instance name: "Prompt Relay ESP32"
	Type  string
	Host  string // NAME.local, without the .local
	Port  int
	Addrs []netip.Addr // best first
	Text  map[string]string
	Gone  bool // it left
}

// AddrPort is the best address, if there is any.
func (f Found) AddrPort() (netip.AddrPort, bool) {
	if len(f.Addrs) == 0 || f.Port < 1 || f.Port > 65535 {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(f.Addrs[0], uint16(f.Port)), true
}

// Find reports every device of a type: when it appears, when it changes, and with Gone when it leaves, until ctx
// ends. tell is never called concurrently.
func Find(ctx context.Context, kind string, tell func(Found)) error {
	quiet()
	known := newSightings(tell)
	for length := firstRound; ctx.Err() == nil; length = min(2*length, longestRound) {
		on := networks()
		if err := known.round(ctx, kind, on, length); err != nil && ctx.Err() == nil {
			return nod.Errorf(nod.Unavailable, "this machine cannot look for devices on the network: write their addresses into nod.toml").Because(err)
		}
		if !slices.Equal(networks(), on) {
			length = firstRound / 2
		}
	}
	return nil
}

// round queries once and listens for a while.
func (s *sightings) round(ctx context.Context, kind string, on []string, length time.Duration) error {
	round, end := cancelled(ctx)
	defer end()
	if len(on) == 0 { // no one could answer
		changed(round, on)
		return nil
	}
	defer time.AfterFunc(length, end).Stop()
	go func() {
		changed(round, on)
		end()
	}()
	seen := map[string]bool{}
	err := dnssd.LookupType(round, kind+".local.", func(e dnssd.BrowseEntry) {
		seen[e.Name] = true
		if !s.saw(e) {
			soon := time.AfterFunc(askAgain, end)
			context.AfterFunc(round, func() { soon.Stop() })
		}
	}, func(e dnssd.BrowseEntry) {
		delete(seen, e.Name)
		s.left(e.Name)
	})
	if round.Err() == nil {
		return err
	}
	s.missed(seen)
	return nil
}

// sighting is a known device.
type sighting struct {
	Found
	missed int
}

// sightings are all known devices.
type sightings struct {
	mu   sync.Mutex
	of   map[string]*sighting
	bare map[string]bool // devices that have sent nothing but their name so far
	tell func(Found)
}

func newSightings(tell func(Found)) *sightings {
	return &sightings{of: map[string]*sighting{}, bare: map[string]bool{}, tell: tell}
}

// saw is called once a round for each network on which a device is seen. It returns false when the device should be
// queried again soon: a newcomer probes a name before owning it, and the library takes the probe for an answer.
func (s *sightings) saw(e dnssd.BrowseEntry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := Found{Name: e.Name, Type: e.Type, Host: e.Host, Port: e.Port, Addrs: addresses(e), Text: e.Text}
	before := s.of[e.Name]
	switch {
	case before != nil && before.still(f):
		before.missed = 0
		return true
	case before == nil && len(s.of)+len(s.bare) >= mostFound:
		return true
	case len(f.Text) == 0 && !s.bare[e.Name]:
		s.bare[e.Name] = true
		return false
	}
	delete(s.bare, e.Name)
	s.of[e.Name] = &sighting{Found: f}
	s.tell(f)
	return true
}

// still reports whether f is already known, maybe through another network, or is a part of it.
func (s *sighting) still(f Found) bool {
	known := func(a netip.Addr) bool { return len(f.Addrs) > 0 && a.WithZone("") == f.Addrs[0].WithZone("") }
	return s.Host == f.Host && s.Port == f.Port && slices.ContainsFunc(s.Addrs, known) &&
		(len(f.Text) == 0 || maps.Equal(s.Text, f.Text))
}

func (s *sightings) left(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bare, name)
	if was := s.of[name]; was != nil {
		delete(s.of, name)
		was.Gone = true
		s.tell(was.Found)
	}
}

// missed counts devices that did not answer a query. Packets get lost, so a single miss means nothing.
func (s *sightings) missed(seen map[string]bool) {
	s.mu.Lock()
	maps.DeleteFunc(s.bare, func(name string, _ bool) bool { return !seen[name] })
	s.mu.Unlock()
	for _, name := range s.names() {
		if seen[name] {
			continue
		}
		if s.count(name) >= missedRounds {
			s.left(name)
		}
	}
}

func (s *sightings) names() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.of))
}

func (s *sightings) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.of[name]
	if was == nil {
		return 0
	}
	was.missed++
	return was.missed
}

// addresses sorts first those that work without knowing the network.
func addresses(e dnssd.BrowseEntry) []netip.Addr {
	var list []netip.Addr
	for _, ip := range e.IPs {
		a, ok := netip.AddrFromSlice(ip)
		if !ok {
			continue
		}
		if a = a.Unmap(); a.Is6() && a.IsLinkLocalUnicast() {
			a = a.WithZone(e.IfaceName)
		}
		if !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b netip.Addr) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Compare(b))
	})
	return list
}

func rank(a netip.Addr) int {
	switch {
	case a.Is4():
		return 0
	case a.IsLinkLocalUnicast():
		return 2
	}
	return 1
}
