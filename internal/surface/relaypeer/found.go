package relaypeer

import (
	"context"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	"nod"
	"nod/internal/net/mdns"
)

// How a device with Prompt Relay's firmware announces itself.
const (
	foundName  = "Prompt Relay ESP32"
	foundBoard = "m5stack"
)

// mostName is how much is kept of a name that a device announces.
const mostName = 60

// Finder keeps the devices that announce themselves on the network. Anyone on the
// network can pose as one, and then see what is shown there and, with Answer, answer
// it. So the owner must configure either.
type Finder struct {
	Answer bool                                                                // their buttons answer; otherwise they only show
	Find   func(ctx context.Context, kind string, tell func(mdns.Found)) error // nil: mdns.Find

	mu    sync.Mutex
	found map[string]Device
}

// Run listens until ctx ends.
func (f *Finder) Run(ctx context.Context) error {
	find := f.Find
	if find == nil {
		find = mdns.Find
	}
	return find(ctx, mdns.HTTP, f.hear)
}

func (f *Finder) hear(one mdns.Found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found == nil {
		f.found = map[string]Device{}
	}
	d, ok := deviceOf(one)
	if !ok || one.Gone {
		delete(f.found, one.Name)
		return
	}
	d.ReadOnly = !f.Answer
	f.found[one.Name] = d
}

// Devices are those that are present now, sorted by name.
func (f *Finder) Devices() []Device {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.SortedFunc(maps.Values(f.found), func(a, b Device) int { return strings.Compare(a.Name, b.Name) })
}

// deviceOf tells devices from the many other things that announce HTTP. One whose
// address is not local is refused: requests would leave the network.
func deviceOf(f mdns.Found) (Device, bool) {
	named := strings.HasPrefix(f.Name, foundName)
	if !named && f.Text["board"] != foundBoard || f.Port < 1 || f.Port > 65535 {
		return Device{}, false
	}
	i := slices.IndexFunc(f.Addrs, func(a netip.Addr) bool { return a.IsPrivate() || a.IsLinkLocalUnicast() })
	if i < 0 {
		return Device{}, false
	}
	name := clip(nod.OneLine(f.Name), mostName)
	if !named {
		name = "M5Stack " + name // so that the log does not show it as a person
	}
	at := url.URL{Scheme: "http", Host: netip.AddrPortFrom(f.Addrs[i], uint16(f.Port)).String()}
	return Device{Name: name, URL: at.String()}, true
}
