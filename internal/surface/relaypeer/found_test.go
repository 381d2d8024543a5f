package relaypeer

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"testing"

	"nod/internal/net/mdns"
)

func TestDevicesAreRecognized(t *testing.T) {
	home, far := netip.MustParseAddr("192.168.1.40"), netip.MustParseAddr("203.0.113.9")
	board := map[string]string{"board": "m5stack"}
	for _, c := range []struct {
		found mdns.Found
		want  string // name and address
	}{
		{mdns.Found{Name: "Prompt Relay ESP32", Port: 3939, Addrs: []netip.Addr{home}}, "Prompt Relay ESP32 http://192.168.1.40:3939"},
		{mdns.Found{Name: "Prompt Relay ESP32-2", Port: 3939, Addrs: []netip.Addr{far, home}, Text: board}, "Prompt Relay ESP32-2 http://192.168.1.40:3939"},
		{mdns.Found{Name: "anna", Port: 80, Addrs: []netip.Addr{home}, Text: board}, "M5Stack anna http://192.168.1.40:80"},
		{mdns.Found{Name: "Prompt Relay ESP32", Port: 3939, Addrs: []netip.Addr{far}}, ""},
		{mdns.Found{Name: "Prompt Relay ESP32", Port: 3939}, ""},
		{mdns.Found{Name: "Prompt Relay ESP32", Addrs: []netip.Addr{home}}, ""},
		{mdns.Found{Name: "nod on desk", Port: 8742, Addrs: []netip.Addr{home}}, ""},
		{mdns.Found{Name: "printer", Port: 80, Addrs: []netip.Addr{home}, Text: map[string]string{"board": "x"}}, ""},
	} {
		got := ""
		if d, ok := deviceOf(c.found); ok {
			got = d.Name + " " + d.URL
			if _, err := http.NewRequest("GET", d.URL, nil); err != nil {
				t.Error(err)
			}
		}
		if got != c.want {
			t.Errorf("%+v is %q, want %q", c.found, got, c.want)
		}
	}
}

func TestLinkLocalAddressKeepsItsZone(t *testing.T) {
	d, ok := deviceOf(mdns.Found{Name: "Prompt Relay ESP32", Port: 3939, Addrs: []netip.Addr{netip.MustParseAddr("fe80::1%eth0")}})
	if !ok || d.URL != "http://[fe80::1%25eth0]:3939" {
		t.Errorf("%+v", d)
	}
}

func TestFinderKnowsWhichDevicesArePresent(t *testing.T) {
	one := mdns.Found{Name: "Prompt Relay ESP32", Port: 3939, Addrs: []netip.Addr{netip.MustParseAddr("10.0.0.2")}}
	other := one
	other.Name += "-2"
	f := &Finder{Find: func(_ context.Context, kind string, tell func(mdns.Found)) error {
		tell(one)
		tell(other)
		one.Gone = true
		tell(one)
		return fmt.Errorf("asked for %s", kind)
	}}
	if err := f.Run(t.Context()); err.Error() != "asked for _http._tcp" {
		t.Error(err)
	}
	if got := f.Devices(); len(got) != 1 || got[0].Name != other.Name || !got[0].ReadOnly {
		t.Errorf("%+v", got)
	}
}
