//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
	"nod/e2e/rig"
)

// talker is the conversation agent that Home Assistant made of nod.
func (d *homeWorld) talker(t *testing.T) (id string) {
	t.Helper()
	rig.Until(t, "a conversation agent", func() bool {
		for _, s := range d.home.States(t) {
			if strings.HasPrefix(s.Entity, "conversation.") && s.Entity != "conversation.home_assistant" {
				id = s.Entity
			}
		}
		return id != ""
	}, d.home.Log)
	return id
}

const (
	working  = "Working on it. You will hear the answer here."
	comeBack = "Working on it. Speak to me again in a moment."
)

// Home Assistant's own conversations are with nod: at once, and later.
func (d *homeWorld) conversation(t *testing.T, _ *rig.TUI) {
	d.home.AddWyoming(t, d.talk)
	agent := d.talker(t)
	d.API.OnContaining("is a window open", fakeapi.Say("All windows are closed."))
	var first homeassistant.Reply
	rig.Until(t, "an answer at once", func() bool { // the first program of a busy machine starts slowly
		first = d.home.Converse(t, homeassistant.Conversation{Agent: agent, Text: "is a window open", ID: first.ConversationID})
		return strings.HasSuffix(first.Speech, "All windows are closed.")
	}, func() string { return fmt.Sprintf("%+v", first) })

	// Typed, without a satellite to announce it: the answer comes with the next reply.
	release := make(chan struct{})
	d.API.OnContaining("count the roses", fakeapi.Say("There are nine roses.").Until(release))
	slow := d.home.Converse(t, homeassistant.Conversation{Agent: agent, Text: "count the roses", ID: first.ConversationID})
	if slow.Speech != comeBack || slow.ConversationID != first.ConversationID {
		t.Errorf("%+v", slow)
	}
	close(release)
	rig.Until(t, "the roses to be counted", func() bool { return strings.Contains(d.ok(t, "log"), "nine roses") }, func() string { return d.ok(t, "log") })
	d.API.OnContaining("and the tulips", fakeapi.Say("Four."))
	if next := d.home.Converse(t, homeassistant.Conversation{Agent: agent, Text: "and the tulips", ID: first.ConversationID}); !strings.Contains(next.Speech, "There are nine roses.") {
		t.Errorf("%+v", next)
	}

	// Spoken to the puck: it is announced there.
	d.hushed(t)
	d.home.Pipeline(t, agent, "en")
	defer d.home.Pipeline(t, "", "en")
	hold := make(chan struct{})
	d.API.OnContaining("water the roses", fakeapi.Say("They are wet now.").Until(hold))
	d.home.Hear(t, d.puck, "water the roses")
	d.home.WaitSaid(t, d.puck, "reply", working)
	close(hold)
	d.home.WaitSaid(t, d.puck, "announce", "They are wet now.")
	d.home.WaitState(t, d.puck.Satellite(), "idle")

	// A request of that conversation is asked where it was started, and its answer is announced there.
	d.API.OnContaining("plant a rose", fakeapi.Use(fakeapi.Bash("touch a-rose")), fakeapi.Say("It is planted."))
	d.home.Hear(t, d.puck, "plant a rose")
	r := d.one(t)
	d.asked(t, "a-rose")
	d.home.Hear(t, d.puck, "yes")
	if r = d.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow || r.Decision.Via != "homeassistant" {
		t.Errorf("decided %+v", r.Decision)
	}
	d.home.WaitSaid(t, d.puck, "announce", "It is planted.")
	d.quiet(t)
}

func (d *homeWorld) said() string { return fmt.Sprintf("%+v\n%s", d.home.Said(d.puck), d.hubLog) }

// hushed ends what the puck still listens for: a question that was answered
// elsewhere leaves its microphone open until it hears something, or nothing.
func (d *homeWorld) hushed(t *testing.T) {
	t.Helper()
	if s, ok := d.home.State(t, d.puck.Satellite()); ok && s.State != "idle" {
		d.home.Hear(t, d.puck, "")
	}
	d.home.WaitState(t, d.puck.Satellite(), "idle")
}

// asked waits until the puck has asked something and listens.
func (d *homeWorld) asked(t *testing.T, part string) {
	t.Helper()
	rig.Until(t, "the puck to ask about "+part, func() bool {
		return slices.ContainsFunc(d.home.Said(d.puck), func(s homeassistant.Spoken) bool { return s.Kind == "ask" && strings.Contains(s.Message, part) })
	}, d.said)
	d.home.WaitState(t, d.puck.Satellite(), "listening")
}

func (d *homeWorld) ring(t *testing.T, what, color string) {
	t.Helper()
	d.home.WaitFor(t, d.puck.Ring(), what, func(s homeassistant.State) bool {
		return s.State == "on" && fmt.Sprint(s.Attributes["rgb_color"]) == color
	})
}

// A request from Claude Code in a terminal is asked by the satellite in the kitchen.
func (d *homeWorld) satellite(t *testing.T, s *rig.TUI) {
	// The user's own light setting is restored afterwards.
	d.home.WaitState(t, d.puck.Ring(), "off")
	d.home.Call(t, "light.turn_on", map[string]any{"entity_id": d.puck.Ring(), "rgb_color": []int{10, 20, 30}, "brightness": 99})

	r, call := d.wants(t, s, "touch by-voice")
	d.asked(t, "by-voice")
	d.ring(t, "orange", "[255 165 0]")
	d.home.Hear(t, d.puck, "Yes, please.")
	d.released(t, s, r, call, "homeassistant")
	d.ring(t, "as it was", "[10 20 30]")

	r, call = d.wants(t, s, "touch by-two-presses")
	d.asked(t, "by-two-presses")
	d.home.Press(t, d.puck, "double_press")
	d.released(t, s, r, call, "homeassistant")
	d.home.WaitState(t, d.puck.Satellite(), "idle")

	// Two steps of one task, of which Claude Code asks one at a time.
	first, second := fakeapi.Bash("touch step-one"), fakeapi.Bash("touch step-two")
	d.API.On("please do both steps", fakeapi.Use(first), fakeapi.Use(second), fakeapi.Say("Both are done."))
	s.Prompt(t, "please do both steps")
	r = d.one(t)
	d.asked(t, "Run touch step-one?")
	d.home.Hear(t, d.puck, "yes")
	d.reached(t, r.ID, nod.StepApplied)
	r = d.one(t)
	d.asked(t, "Second of this task: run touch step-two?")
	d.home.Hear(t, d.puck, "yes")
	d.released(t, s, r, second, "homeassistant")
	d.ring(t, "as it was", "[10 20 30]")

	// Answered elsewhere: the microphone closes, and a later yes has no effect.
	r, call = d.wants(t, s, "touch by-hand")
	d.asked(t, "by-hand")
	d.ok(t, "allow", string(r.ID))
	d.home.WaitState(t, d.puck.Satellite(), "idle")
	d.released(t, s, r, call, "terminal")
	d.ring(t, "as it was", "[10 20 30]")
	if got, _ := d.home.State(t, d.puck.Ring()); got.Attributes["brightness"] != 99.0 {
		t.Errorf("the ring is %+v", got)
	}
	d.quiet(t)
}

// Home Assistant restarts while a request is pending: entities get their states back,
// and the puck asks again.
func (d *homeWorld) restart(t *testing.T, s *rig.TUI) {
	r, call := d.wants(t, s, "touch after-all")
	d.asked(t, "after-all")
	d.home.Restart(t)
	d.shows(t, "request", "touch after-all")
	d.home.WaitState(t, d.puck.Satellite(), "listening")
	d.ring(t, "orange", "[255 165 0]")
	d.home.Hear(t, d.puck, "yes")
	d.released(t, s, r, call, "homeassistant")
	d.shows(t, "pending", "0")
	d.quiet(t)
}

// The doctor tests the whole path, and names the first step that fails.
func (d *homeWorld) doctor(t *testing.T, _ *rig.TUI) {
	look := fakeapi.Bash("pwd")
	d.API.OnContaining("Run the command `pwd`", fakeapi.Use(look), fakeapi.Say("house"))
	legs := func() (first string, states map[string]string) {
		t.Helper()
		text, _ := d.nod(t, "doctor", "--homeassistant", "--json")
		var page struct {
			Checks []struct{ ID, State, Found, Fix string }
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		states = map[string]string{}
		for _, c := range page.Checks {
			if states[c.ID] = c.State; c.State == "fail" && first == "" {
				first = c.ID
			}
			if c.State != "ok" {
				t.Logf("%+v", c)
			}
		}
		return first, states
	}
	if first, states := legs(); first != "" || len(states) != 9 || slices.ContainsFunc([]string{"broker", "messages", "home_assistant_mqtt", "satellites", "answer", "speech"}, func(id string) bool { return states[id] != "ok" }) {
		t.Errorf("everything works, but the doctor finds %q: %v", first, states)
	}
	d.broker.Kill()
	if first, states := legs(); first != "broker" || states["home_assistant"] != "ok" || states["home_assistant_mqtt"] == "ok" {
		t.Errorf("without a broker the doctor finds %q: %v", first, states)
	}
	d.broker.Begin()
	d.home.Kill()
	if first, states := legs(); first != "home_assistant" || states["broker"] != "ok" || states["speech"] == "ok" {
		t.Errorf("without Home Assistant the doctor finds %q: %v", first, states)
	}
}
