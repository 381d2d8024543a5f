package homeassistant

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// What is dangerous must be seen on a screen: neither two presses nor a yes allow it.
func TestDangerousRequestCannotBeAllowed(t *testing.T) {
	for name, change := range map[string]func(*nod.Request){
		"not with one tap": func(r *nod.Request) { r.OneTap = false },
		"a passkey":        func(r *nod.Request) { r.Risk = &nod.Risk{Level: "network"} },
	} {
		inBubble(t, func(s *rig) { s.proof = []string{"network"} }, func(s *rig) {
			id := s.ask("r1", "make", change)
			ctx := s.Context()
			said, ok := s.puck.Next(ctx)
			if !ok || !strings.Contains(said.Text, "screen") {
				s.Errorf("%s: %+v", name, said)
			}
			s.eventually("it listens", s.puck.Listening)
			s.puck.Press("double_press")
			s.pass(time.Second)
			s.puck.Answer("yes")
			s.pass(time.Second)
			if got := s.verdict(id); got != "pending" {
				s.Errorf("%s: %s", name, got)
			}
			s.puck.Press("long_press")
			if got := s.verdict(id); got != "deny via homeassistant" {
				s.Errorf("%s cannot be refused: %s", name, got)
			}
		})
	}
}

// A yes to a question that is gone must not reach the next one.
func TestLateYesDoesNotAnswerNextRequest(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		first := s.ask("r1", "make", nil)
		s.hears("Run make?")
		second := s.ask("r2", "rm x", nil)
		s.eventually("it listens", s.puck.Listening)
		s.Decide(first, nod.VerdictDeny)
		s.puck.Answer("yes") // to "Run make?", in the same moment
		s.pass(time.Second)
		if got := s.verdict(second); got != "pending" {
			s.Errorf("the second is %s", got)
		}
	})
}

func TestUnclearAnswerIsAskedAgainOnce(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.ask("r1", "make", nil)
		s.hears("Run make?")
		s.says("The weather is lovely")
		s.hears("Sorry? Run make?")
		s.says("No idea what you want")
		s.pass(time.Second)
		s.decided(id, "pending")
	})
}

// Presses from before nod started, from while the device was away, or while nothing is
// asked are ignored.
func TestOldPressesAreIgnored(t *testing.T) {
	inBubble(t, func(s *rig) {
		s.puck = s.server.VoicePE("09f5a3", true)
		s.puck.Press("double_press")
	}, func(s *rig) {
		s.puck.Press("double_press") // nothing is asked
		old := s.server.State(s.puck.Button)
		if s.silent(10 * time.Second); s.ring() != "off" {
			s.Errorf("an idle puck is lit: %s", s.ring())
		}
		id := s.listensFor("r1", "make")
		s.server.Set(s.puck.Button, "unavailable", nil)
		s.server.Set(s.puck.Button, old.State, nil) // it comes back with what it knew
		s.decided(id, "pending")
	})
}

func TestHomeAssistantRestartsDuringQuestion(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.server.Set(s.puck.Ring, "off", map[string]any{"rgb_color": nil}) // the device was without Home Assistant
		s.server.Drop()
		s.hears("Run make?")
		s.eventually("the ring is orange", func() bool { return s.ring() == "orange" })
		s.says("yes")
		s.decided(id, "allow via homeassistant")
		s.silent(20 * time.Second)
	})
}

// A request that comes while Home Assistant is away is asked when it is back.
func TestRequestsWaitWhileHomeAssistantIsAway(t *testing.T) {
	for _, away := range []time.Duration{5 * time.Second, 10 * time.Minute} {
		inBubble(t, nil, func(s *rig) {
			s.server.Away(true)
			id := s.ask("r1", "make", nil)
			s.pass(away)
			s.server.Away(false)
			s.allows(id, "Run make?")
			s.silent(20 * time.Second)
		})
	}
}

func TestBusySatelliteIsRetried(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		s.server.Break("assist_satellite.ask_question", "home_assistant_error", "")
		id := s.ask("r1", "make", nil)
		s.pass(3 * time.Second)
		s.server.Break("assist_satellite.ask_question", "", "")
		s.allows(id, "Run make?")
	})
}

// nod ends during a question.
func TestShutdownRestoresRingAndVolume(t *testing.T) {
	inBubble(t, func(s *rig) {
		s.puck = s.server.VoicePE("09f5a3", true)
		s.server.Set(s.puck.Ring, "on", map[string]any{"rgb_color": []any{1.0, 2.0, 3.0}, "brightness": 40.0})
	}, func(s *rig) {
		s.listensFor("r1", "make")
		s.eventually("the volume was moved", func() bool { return s.volume() == 0.75 })
		s.Stop()
		if s.ring() != "[1,2,3]" || s.volume() != 0.8 || s.puck.Listening() {
			s.Errorf("ring %s, volume %v, listening %v", s.ring(), s.volume(), s.puck.Listening())
		}
	})
}

// A nod that crashed could not restore them; the next start does.
func TestStartRestoresRingAndVolumeAfterCrash(t *testing.T) {
	inBubble(t, func(s *rig) {
		s.puck = s.server.VoicePE("09f5a3", true)
		s.server.Set(s.puck.Ring, "on", map[string]any{"rgb_color": []any{255.0, 165.0, 0.0}, "brightness": 255.0})
		s.server.Set(s.puck.Player, "idle", map[string]any{"volume_level": 0.6})
		loud := 0.8
		s.records().change(s.puck.Satellite, func(r *record) {
			r.Ring, r.Volume = &ringState{Color: []int{1, 2, 3}, Brightness: 40}, &loud
		})
	}, func(s *rig) {
		s.eventually("the ring is off", func() bool { return s.ring() == "off" })
		s.eventually("the volume is back", func() bool { return s.volume() == 0.8 })
		if k := s.records().of(s.puck.Satellite); k.Ring != nil || k.Volume != nil || !k.Taught {
			s.Errorf("%+v is kept", k)
		}
	})
}

// The doctor says that there is nobody to speak through.
func TestHealthWithoutSatellites(t *testing.T) {
	inBubble(t, func(s *rig) { s.config.Satellites = []string{"Nowhere"} }, func(s *rig) {
		if err := s.surface.Health(); err == nil || !strings.Contains(err.Error(), "no voice satellite") {
			s.Errorf("it says %v", err)
		}
	})
	inBubble(t, nil, func(s *rig) {
		if err := s.surface.Health(); err != nil {
			s.Errorf("it says %v", err)
		}
		s.server.Away(true)
		s.pass(time.Second)
		if err := s.surface.Health(); err == nil || !strings.Contains(err.Error(), "not connected") {
			s.Errorf("it says %v", err)
		}
	})
}

func TestNewSatelliteIsFound(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		other := s.server.VoicePE("abcdef", true)
		s.server.Changed()
		s.pass(time.Minute)
		s.surface.mu.Lock()
		found := s.surface.devices[other.Satellite] != nil
		s.surface.mu.Unlock()
		if !found {
			s.Error("it is not attended")
		}
	})
}

func TestAgentsSetting(t *testing.T) {
	inBubble(t, func(s *rig) { s.config.Agents = []string{"Garden"} }, func(s *rig) {
		s.ask("r1", "make", nil) // of "shop"
		s.silent(30 * time.Second)
	})
}

func TestUnderstand(t *testing.T) {
	en, pl := words.In(words.English), words.In(words.Polish)
	yesNo := attend.Ask{Kind: attend.AskYesNo, Request: "r"}
	pick := attend.Ask{Kind: attend.AskOption, Request: "r", Options: []string{"Red", "Blue", "Blue!", "2"}}
	for _, c := range []struct {
		say    words.Printer
		ask    attend.Ask
		heard  heard
		event  string
		option int
	}{
		{en, yesNo, heard{"yes", "Yes."}, "voice_yes", 0},
		{en, yesNo, heard{"", "go ahead!"}, "voice_yes", 0},
		{en, yesNo, heard{"no", "No."}, "voice_no", 0},
		{en, yesNo, heard{"yes", "no"}, "voice_no", 0},
		{en, yesNo, heard{"yes", ""}, "", 0},                     // an id alone is no consent
		{en, yesNo, heard{"yes", "rm -rf everything"}, "", 0},    // nor is one with other words
		{en, yesNo, heard{"", "Yes?"}, "", 0},                    // a question back
		{en, yesNo, heard{"option_1", "first"}, "", 0},           // not asked
		{pl, yesNo, heard{"", "No."}, "", 0},                     // half a yes in Polish
		{pl, yesNo, heard{"", "Tak, proszę."}, "voice_yes", 0},   //
		{en, pick, heard{"", "red"}, "voice_option", 1},          //
		{en, pick, heard{"option_2", "blue"}, "", 0},             // two are called so
		{en, pick, heard{"", "2"}, "voice_option", 4},            // a name goes before a number
		{en, pick, heard{"", "three"}, "voice_option", 3},        //
		{en, pick, heard{"option_9", "whatever"}, "", 0},         //
		{en, pick, heard{"", "five"}, "", 0},                     //
		{en, pick, heard{"cancel", "cancel"}, "voice_cancel", 0}, //
		{en, pick, heard{"", "never mind"}, "voice_cancel", 0},   //
		{en, attend.Ask{}, heard{"yes", "yes"}, "", 0},           //
	} {
		in, ok := understand(c.say, c.ask, c.heard)
		if ok != (c.event != "") || ok && (string(in.Event) != c.event || in.Option != c.option || in.Request != "r") {
			t.Errorf("%+v is %+v %v, want %s %d", c.heard, in, ok, c.event, c.option)
		}
	}
}

func TestSatellitesAreFoundByTheirDevices(t *testing.T) {
	off := "user"
	entities := []hass.Entity{
		{ID: "assist_satellite.kitchen", Device: "d1"}, {ID: "light.kitchen_ring", Device: "d1", Original: "LED Ring"}, {ID: "light.other", Device: "d2"},
		{ID: "event.kitchen_button_press", Device: "d1"}, {ID: "event.knob", Device: "d1", Original: "Dial"}, {ID: "media_player.kitchen", Device: "d1"},
		{ID: "assist_satellite.gone", Device: "d2", Disabled: &off}, {ID: "assist_satellite.phone"},
	}
	devices := []hass.Device{{ID: "d1", Name: "Voice 09f5a3", ByUser: "Kitchen"}}
	all := satellites(entities, devices, []string{"voice_09f5a3_nod_ring", "other_nod_ring"})
	want := satellite{
		id: "assist_satellite.kitchen", name: "Kitchen", ring: "light.kitchen_ring", player: "media_player.kitchen", button: "event.kitchen_button_press",
		dial: "event.knob", paint: "voice_09f5a3_nod_ring",
	}
	if len(all) != 2 || all[0] != want || all[1].id != "assist_satellite.phone" || all[1].ring != "" {
		t.Errorf("%+v", all)
	}
	found, missing := pick(all, []string{"kitchen", "Attic", "assist_satellite.kitchen"})
	if len(found) != 1 || found[0].id != want.id || len(missing) != 1 || missing[0] != "Attic" {
		t.Errorf("%+v, missing %v", found, missing)
	}
}
