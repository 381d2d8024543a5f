//go:build full

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
	"nod/e2e/rig"
)

// satelliteWorld is a hub that knows a real Home Assistant by its address and a token, and nothing else.
func satelliteWorld(t *testing.T, h *homeassistant.Instance) *world {
	t.Helper()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(h.Token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, _ := switchWorld(t, fmt.Sprintf("[homeassistant]\nurl = %q\ntoken_file = %q\n", h.URL, token))
	return w
}

// lampTurn makes the model want to switch the lamp off, which needs permission.
func lampTurn(w *world, words, end string) {
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining(words, fakeapi.Use(lamp), fakeapi.Say(end))
}

// A stock Voice PE in a real Home Assistant, without a line of YAML: spoken to, answered by voice, by its button
// and by its dial.
func TestHomeAssistantWithoutYAML(t *testing.T) {
	t.Parallel()
	kitchen := homeassistant.Puck{ID: "09f5a3", Area: "Kitchen"}
	h := homeassistant.Start(t, homeassistant.Options{Pucks: []homeassistant.Puck{kitchen}})
	w := satelliteWorld(t, h)
	asks := func(n int) func() bool {
		return func() bool {
			count := 0
			for _, s := range h.Said(kitchen) {
				if s.Kind == "ask" && strings.Contains(s.Message, "kitchen lamp") {
					count++
				}
			}
			return count >= n
		}
	}
	said := func() string { return fmt.Sprintf("%+v\n%s", h.Said(kitchen), h.Log()) }
	volume := func() string {
		s, _ := h.State(t, kitchen.Speaker())
		return fmt.Sprint(s.Attributes["volume_level"])
	}
	before := volume()

	// S1: the sentence goes to nod by Home Assistant's own trigger.
	w.API.OnContaining("is a window open", fakeapi.Say("All windows are closed."))
	rig.Until(t, "the sentence to be taken", func() bool {
		return strings.Contains(h.Converse(t, homeassistant.Conversation{Text: "ask claude whether you are there"}).Speech, "Done")
	}, said)
	h.Hear(t, kitchen, "ask claude is a window open")
	h.WaitSaid(t, kitchen, "announce", "All windows are closed.")

	// S2 by voice.
	lampTurn(w, "the lamp off by voice", "The lamp is off.")
	h.Hear(t, kitchen, "ask claude to switch the lamp off by voice")
	r := w.one(t)
	rig.Until(t, "the puck to ask", asks(1), said)
	h.WaitState(t, kitchen.Satellite(), "listening")
	h.Hear(t, kitchen, "Yes, please.")
	if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow || r.Decision.Via != "homeassistant" {
		t.Errorf("by voice: %+v", r.Decision)
	}
	h.WaitSaid(t, kitchen, "announce", "The lamp is off.")

	// By two presses; the microphone closes.
	lampTurn(w, "the lamp off by button", "It is dark.")
	h.Hear(t, kitchen, "ask claude to switch the lamp off by button")
	r = w.one(t)
	rig.Until(t, "the puck to ask", asks(2), said)
	h.WaitState(t, kitchen.Satellite(), "listening")
	h.Press(t, kitchen, "double_press")
	if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow {
		t.Errorf("by button: %+v", r.Decision)
	}
	h.WaitSaid(t, kitchen, "announce", "It is dark.")
	h.WaitState(t, kitchen.Satellite(), "idle")

	// By the dial, which moves the volume of a stock device: left, and a long press makes sure.
	lampTurn(w, "the lamp off by dial", "It stays on.")
	h.Hear(t, kitchen, "ask claude to switch the lamp off by dial")
	r = w.one(t)
	rig.Until(t, "the puck to ask", asks(3), said)
	h.WaitState(t, kitchen.Satellite(), "listening")
	color := func(want string) func(homeassistant.State) bool {
		return func(s homeassistant.State) bool { return fmt.Sprint(s.Attributes["rgb_color"]) == want }
	}
	h.WaitFor(t, kitchen.Ring(), "orange", color("[255 165 0]"))
	h.Turn(t, kitchen, "anticlockwise")
	h.WaitFor(t, kitchen.Ring(), "light red", color("[255 0 0]"))
	h.Press(t, kitchen, "long_press")
	if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictDeny {
		t.Errorf("by dial: %+v", r.Decision)
	}
	h.WaitSaid(t, kitchen, "announce", "It stays on.")
	rig.Until(t, "the volume to be what it was", func() bool { return volume() == before }, func() string { return volume() + " was " + before })
	for _, line := range h.Warnings() { // a question that is withdrawn ends without an answer, and Home Assistant says so
		if !strings.Contains(line, "No answer from question") {
			t.Errorf("Home Assistant warns: %s", line)
		}
	}
}
