package relaypeer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/surface/relaypeer/esp32"
)

// call is another sender on the network of a device.
func call(t *testing.T, d *esp32.Device, method, path, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://device"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer another-sender")
	w, err := d.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(w.Body)
	if w.StatusCode != 200 {
		t.Fatalf("%s %s: %d %s", method, path, w.StatusCode, text)
	}
	return string(text)
}

func idOf(t *testing.T, d *esp32.Device) string {
	t.Helper()
	var list []entry
	if err := json.Unmarshal([]byte(call(t, d, "GET", "/permission-requests", "")), &list); err != nil || len(list) == 0 {
		t.Fatal(err, list)
	}
	return list[0].ID
}

func TestRebootedDeviceGetsEverythingAgain(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(20 * time.Second)
		d.Reboot()
		pass(3 * time.Second)
		g.shows(d, "r1")
		d.Press(esp32.A)
		pass(2 * time.Second)
		g.decided("r1", nod.VerdictAllow, "desk")
	})
}

func TestUnpluggedDeviceDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		away, there, slow := g.plug("away"), g.plug("there"), g.plug("slow")
		away.Unplug()
		slow.Slow(4 * time.Second)
		g.start()
		pass(time.Minute)
		g.ask("r1")
		g.shows(there, "r1")
		g.shows(slow, "")
		pass(time.Second)
		there.Press(esp32.A)
		pass(fastPoll)
		g.decided("r1", nod.VerdictAllow, "there")
		for _, s := range g.surface.States() {
			if s.There == (s.Name == "away") || (s.Trouble != "") == s.There {
				t.Errorf("%+v", s)
			}
		}
		g.ask("r2")
		away.Plug()
		pass(longestPause + 10*time.Second)
		g.shows(away, "r2")
		g.shows(slow, "r2")
	})
}

func TestAbsentDeviceIsRetriedWithBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		tries := 0
		g.net["desk:3939"] = failing(func() { tries++ })
		g.devices = []Device{{Name: "desk", URL: "http://desk:3939"}}
		g.start()
		pass(10 * time.Minute)
		if tries < 15 || tries > 26 {
			t.Errorf("%d tries in ten minutes", tries)
		}
		if n := strings.Count(g.Logs.String(), "level=WARN"); n != 1 {
			t.Errorf("%d warnings:\n%s", n, g.Logs)
		}
	})
}

type failing func()

func (f failing) RoundTrip(*http.Request) (*http.Response, error) {
	f()
	return nil, fmt.Errorf("connection refused")
}

// Others send to the device too, and it is full. A request that was evicted comes back
// when there is room, and evicts no other.
func TestFullDevice(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		var others []string
		for i := range esp32.Slots {
			time.Sleep(time.Millisecond)
			var made struct{ ID string }
			if err := json.Unmarshal([]byte(call(t, d, "POST", "/permission-request", fmt.Sprintf(`{"tmux_target":"other%d","timeout":200}`, i))), &made); err != nil {
				t.Fatal(err)
			}
			others = append(others, made.ID)
		}
		pass(time.Minute)
		if got := d.Waiting(); len(got) != esp32.Slots || strings.Contains(strings.Join(got, " "), "nod:") {
			t.Errorf("it has %q", got)
		}
		call(t, d, "POST", "/permission-request/"+others[5]+"/cancel", "")
		pass(fullMost + time.Second)
		if got := d.Waiting(); len(got) != esp32.Slots || got[0] != "nod:r1" {
			t.Errorf("it has %q", got)
		}
		g.waits("r1")
	})
}

func TestNewestRequestIsShownFirst(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.ask("r2")
		g.shows(d, "r1") // it is being read
		pass(leastTime)
		g.shows(d, "r2")
		if s := d.Screen(); !strings.HasPrefix(s.Header, "(+1) ") || s.Of != 1 {
			t.Errorf("%+v", s)
		}
		pass(time.Second)
		d.Press(esp32.A)
		pass(time.Second)
		g.decided("r2", nod.VerdictAllow, "desk")
		g.shows(d, "r1")
	})
}

func TestUpToEightAtOnce(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		var ids []string
		for i := range 10 {
			ids = append(ids, fmt.Sprint("r", i))
			g.ask(ids[i])
			pass(time.Second)
		}
		pass(10 * time.Second)
		if got := strings.Join(d.Waiting(), " "); got != "nod:r9 nod:r8 nod:r7 nod:r6 nod:r5 nod:r4 nod:r3 nod:r2" {
			t.Errorf("it has %s", got)
		}
		g.deny("r9")
		pass(2 * time.Second)
		if got := strings.Join(d.Waiting(), " "); got != "nod:r1 nod:r8 nod:r7 nod:r6 nod:r5 nod:r4 nod:r3 nod:r2" {
			t.Errorf("it has %s", got)
		}
	}, func(d *Device) { d.AtOnce = 100 })
}

// The first firmware drops a request after two minutes. It is posted again, but must
// not beep every two minutes all night.
func TestUnansweredRequestBeepsLessAndLess(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		d.FirstFirmware()
		g.ask("r1")
		pass(4 * time.Minute)
		if d.Beeps() < 2 {
			t.Errorf("%d beeps in four minutes", d.Beeps())
		}
		g.shows(d, "r1")
		pass(8 * time.Hour)
		if d.Beeps() > 24 {
			t.Errorf("%d beeps in a night", d.Beeps())
		}
		d.Press(esp32.A)
		g.waits("r1")
	})
}

func TestLeftoversAreRemovedAfterARestart(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		call(t, d, "POST", "/permission-request", `{"tmux_target":"other","choices":[{"number":1,"text":"Yes"}],"timeout":3600}`)
		g.ask("r1")
		pass(time.Second)
		d.Unplug() // so that nod cannot cancel its requests
		g.Stop()
		g.deny("r1")
		g.net["desk:3939"] = straight{d} // the cable is back; the device has been on all the time
		g.start()
		pass(5 * time.Second)
		if got := strings.Join(d.Waiting(), " "); got != "other" {
			t.Errorf("it has %s", got)
		}
	})
}

type straight struct{ d *esp32.Device }

func (s straight) RoundTrip(r *http.Request) (*http.Response, error) { return s.d.Reach(r), nil }

func TestStopClearsTheScreen(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		g.Stop()
		g.shows(d, "")
		g.waits("r1")
		g.start()
		g.shows(d, "r1")
	})
}

func TestConnectedDeviceCountsAsViewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		d := g.plug("desk")
		g.plug("wall", func(d *Device) { d.ReadOnly = true })
		g.start()
		if n := g.Hub.Viewers(); n != 1 {
			t.Errorf("%d viewers", n)
		}
		d.Unplug()
		pass(idleCheck + 10*time.Second)
		if n := g.Hub.Viewers(); n != 0 {
			t.Errorf("%d viewers although it is unplugged", n)
		}
		d.Plug()
		pass(longestPause + 10*time.Second)
		if n := g.Hub.Viewers(); n != 1 {
			t.Errorf("%d viewers after it came back", n)
		}
	})
}

func TestReadOnlyDeviceCannotAnswer(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		g.shows(d, "r1")
		pass(time.Second)
		d.Press(esp32.A)
		d.Press(esp32.B)
		call(t, d, "POST", "/permission-request/"+idOf(t, d)+"/respond", `{"response":"allow"}`)
		pass(2 * time.Second)
		g.waits("r1")
	}, func(d *Device) { d.ReadOnly = true })
}

func TestHubIsNotADevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.net["hub:8742"] = saying(`{"ok":true,"status":"ok","version":"0.1"}`)
		g.devices = []Device{{Name: "hub", URL: "http://hub:8742"}}
		g.start()
		g.ask("r1")
		pass(time.Minute)
		if s := g.surface.States()[0]; s.There || !strings.Contains(s.Trouble, "nod hub") {
			t.Errorf("%+v", s)
		}
	})
}

type saying string

func (s saying) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(string(s)))}, nil
}

// What another hub put here by its own relaypeer is for that hub to show.
func TestRequestsOfAnotherHubAreNotForwarded(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		r := request("r1")
		r.Agent.Kind, r.Call = "relay", "201,209"
		g.Ask(r)
		pass(time.Second)
		g.shows(d, "")
		r = request("r2")
		r.Agent.Kind, r.Call = "relay", "1,2,3"
		g.Ask(r)
		pass(time.Second)
		g.shows(d, "r2")
	})
}

func TestDevicesAreAddedAndRemoved(t *testing.T) {
	inBubble(t, func(g *rig, d *esp32.Device) {
		g.ask("r1")
		pass(time.Second)
		before := d.Calls("POST /permission-request")
		pass(time.Minute)
		if now := d.Calls("POST /permission-request"); now != before {
			t.Errorf("%d posts became %d: the worker was restarted", before, now)
		}
		g.mu.Lock()
		g.devices = nil
		g.mu.Unlock()
		pass(lookAgain + time.Second)
		g.shows(d, "")
		if g.Hub.Viewers() != 0 || len(g.surface.States()) != 0 {
			t.Errorf("%d viewers, %v", g.Hub.Viewers(), g.surface.States())
		}
	})
}

// The first line of a key file is the key; a device whose key cannot be read is left
// out, and Health says so.
func TestKeyFiles(t *testing.T) {
	g := newRig(t)
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(" secret \nnote\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := adapter.Deps{Deps: g.Deps()}
	s := New(d, Needs{Peers: []Peer{{Name: "desk", URL: "http://desk", KeyFile: file}, {Name: "plain", URL: "http://plain"}}})
	if got := s.devices(); len(got) != 2 || got[0].Key != "secret" || got[1].Key != "" || s.Health() != nil {
		t.Errorf("%+v %v", got, s.Health())
	}
	s = New(d, Needs{Peers: []Peer{{Name: "desk", URL: "http://desk", KeyFile: file + "-gone"}, {Name: "plain", URL: "http://plain"}}})
	if got := s.devices(); len(got) != 1 || got[0].Name != "plain" || s.Health() == nil {
		t.Errorf("%+v %v", got, s.Health())
	}
}
