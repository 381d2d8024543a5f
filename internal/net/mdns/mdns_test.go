package mdns

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/brutella/dnssd"
)

func TestNamesSurviveTheWire(t *testing.T) {
	for text, want := range map[string]string{
		"nod on desk": "nod on desk", "nod on Łódź": "nod on --d", "x ()": "x", "a\\b.c": "a-b.c", "(2)": "2", "": "",
		strings.Repeat("x", 80): strings.Repeat("x", 63),
	} {
		if got := label(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestAnnouncement(t *testing.T) {
	tell := func(s Self) (list []string) {
		for _, one := range s.Services() {
			if _, err := one.config(nil); err != nil {
				t.Error(err)
			}
			list = append(list, fmt.Sprintf("%s %s %s:%d %v", one.Name, one.Type, one.Host, one.Port, one.Text))
		}
		return list
	}
	text := "map[path:/ version:1.2]"
	if got, want := tell(Self{Host: "desk", Version: "1.2", Port: 8742, Also: map[string]int{"prompt-relay": 3939}}), []string{
		"nod on desk _nod._tcp :8742 " + text, "nod on desk _http._tcp :8742 " + text,
		"nod on desk as prompt-relay _http._tcp prompt-relay:3939 " + text,
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := tell(Self{Host: "desk", Port: 8742, TLS: true, Path: "/app"}); !slices.Equal(got, []string{"nod on desk _nod._tcp :8742 map[path:/app tls:1 version:]"}) {
		t.Errorf("%q", got)
	}
	if talk := (Self{Host: "desk", Version: "1.2"}).Talk(10500); fmt.Sprint(talk) != "{nod on desk _wyoming._tcp  10500 map[version:1.2]}" {
		t.Errorf("%+v", talk)
	}
	long := Self{Host: strings.Repeat("h", 63), Port: 1, Also: map[string]int{"tkeyboard-bridge": 1, "tkeyboard-mcp": 1}}.Services()
	if a, b := label(long[2].Name), label(long[3].Name); a == b {
		t.Errorf("two services are called %q", a)
	}
}

func TestInvalidAnnouncements(t *testing.T) {
	for _, s := range []Service{{}, {Name: "x", Type: HTTP}, {Name: "ß", Type: HTTP, Port: 1}, {Name: "x", Type: HTTP, Port: 70000}} {
		if err := Announce(t.Context(), []Service{s}); err == nil {
			t.Errorf("%+v was announced", s)
		}
	}
}

// watch replays sightings and returns what was reported.
func watch(t *testing.T, play func(s *sightings)) []string {
	t.Helper()
	var told []string
	play(newSightings(func(f Found) {
		at, _ := f.AddrPort()
		told = append(told, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Name, at, map[bool]string{true: "gone"}[f.Gone])))
	}))
	return told
}

func seen(name, on string, ips ...string) dnssd.BrowseEntry {
	e := dnssd.BrowseEntry{Name: name, Host: "h", Port: 80, IfaceName: on, Text: map[string]string{"a": "b"}}
	for _, ip := range ips {
		e.IPs = append(e.IPs, net.ParseIP(ip))
	}
	return e
}

func TestDevicesAreReportedOnce(t *testing.T) {
	got := watch(t, func(s *sightings) {
		for range 3 { // rounds, on two networks
			s.saw(seen("x", "eth0", "fe80::1", "10.0.0.2", "10.0.0.2"))
			s.saw(seen("x", "wlan0", "fe80::1", "10.0.0.2"))
			bare := seen("x", "wlan0", "10.0.0.2")
			bare.Text = nil // its facts come in a packet of their own
			s.saw(bare)
			s.missed(map[string]bool{"x": true})
		}
		s.saw(seen("x", "eth0", "10.0.0.3"))
		s.saw(seen("y", "eth0", "fe80::2"))
	})
	if want := []string{"x 10.0.0.2:80", "x 10.0.0.3:80", "y [fe80::2%eth0]:80"}; !slices.Equal(got, want) {
		t.Errorf("told %q", got)
	}
}

// A name without a TXT record may be a probe: it is reported when it is still there at
// the second query.
func TestNewDevicesAreQueriedAgain(t *testing.T) {
	got := watch(t, func(s *sightings) {
		bare := seen("x", "eth0", "10.0.0.2")
		bare.Text = nil
		if s.saw(bare) {
			t.Error("nobody asks again")
		}
		bare.Host = "h-2"
		for range 2 {
			if !s.saw(bare) {
				t.Error("asked for ever")
			}
		}
		bare.Name = "y"
		s.saw(bare)
		s.missed(nil) // another had the name
	})
	if want := []string{"x 10.0.0.2:80"}; !slices.Equal(got, want) {
		t.Errorf("told %q", got)
	}
}

func TestGoneDeviceIsReportedOnce(t *testing.T) {
	got := watch(t, func(s *sightings) {
		s.saw(seen("x", "eth0", "10.0.0.2"))
		s.left("x")
		s.left("x")
		s.saw(seen("y", "eth0", "10.0.0.3"))
		for range missedRounds - 1 {
			s.missed(nil)
		}
		s.saw(seen("y", "eth0", "10.0.0.3")) // packets get lost
		for range missedRounds {
			s.missed(nil)
		}
	})
	if want := []string{"x 10.0.0.2:80", "x 10.0.0.2:80 gone", "y 10.0.0.3:80", "y 10.0.0.3:80 gone"}; !slices.Equal(got, want) {
		t.Errorf("told %q", got)
	}
}

func TestDevicesAreLimited(t *testing.T) {
	got := watch(t, func(s *sightings) {
		for i := range 2 * mostFound {
			s.saw(seen(fmt.Sprint("x", i), "eth0", "10.0.0.2"))
		}
	})
	if len(got) != mostFound {
		t.Errorf("%d were told of", len(got))
	}
}

// The library's readers know that they were cancelled, and never end on a
// deadline.
func TestDeadlineBecomesACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, end := cancelled(parent)
		defer end()
		<-ctx.Done()
		if ctx.Err() != context.Canceled || parent.Err() != context.DeadlineExceeded {
			t.Errorf("%v after %v", ctx.Err(), parent.Err())
		}
	})
}
