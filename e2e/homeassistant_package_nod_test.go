//go:build full

package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
	"nod/e2e/rig"
	"nod/internal/present/hasskit"
)

// Two pucks in a real Home Assistant, and two hubs at its broker: the kitchen's is run by Home Assistant, with the package; the
// bedroom's by nod, with the blueprint. For the person there is no difference.
func TestPackageAndBlueprintSideBySide(t *testing.T) {
	t.Parallel()
	kitchen := homeassistant.Puck{ID: "09f5a3", Area: "Kitchen", Dial: true}
	bed := homeassistant.Puck{ID: "0a11ce", Area: "Bedroom", Dial: true}
	broker := homeassistant.Mosquitto(t)
	files := map[string]string{"automations.yaml": fmt.Sprintf(`
- id: bed
  alias: bed
  use_blueprint:
    path: nod/voice_puck.yaml
    input: {satellite: %s, ring: %s, button: %s, dial: %s, media_player: %s, prefix: bed, sentences: ["ask claude {query}"]}
`, bed.Satellite(), bed.Ring(), bed.Button(), bed.DialEvent(), bed.Speaker())}
	for _, make := range []func(hasskit.Options) ([]hasskit.File, error){hasskit.Package, hasskit.Blueprint} {
		list, err := make(hasskit.Options{Device: kitchen.ID, Dial: kitchen.DialEvent()})
		if err != nil {
			t.Fatal(err)
		}
		files[list[0].Name] = string(list[0].Data)
	}
	h := homeassistant.Start(t, homeassistant.Options{Files: files, MQTT: broker, Pucks: []homeassistant.Puck{kitchen, bed}})
	settings := `
[mqtt]
url = "mqtt://%s"
client_id = "%s"
[voicepe]
enabled = true
prefix = "%s"
owner = "%s"
trust_broker = true
[entities]
enabled = %t
conversations = true
`
	online := make(chan struct{}, 10)
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("test"))
	for _, token := range []func() mqtt.Token{client.Connect, func() mqtt.Token {
		return client.Subscribe("nod/+/status", 1, func(_ mqtt.Client, m mqtt.Message) {
			if string(m.Payload()) == "online" {
				online <- struct{}{}
			}
		})
	}} {
		if done := token(); !done.WaitTimeout(rig.Patience) || done.Error() != nil {
			t.Fatal("MQTT: ", done.Error())
		}
	}
	defer client.Disconnect(0)
	for _, one := range []struct {
		puck   homeassistant.Puck
		prefix string
		owner  hasskit.Owner
	}{{kitchen, "claude", hasskit.ByHomeAssistant}, {bed, "bed", hasskit.ByNod}} {
		t.Run(string(one.owner), func(t *testing.T) {
			runs := one.owner == hasskit.ByHomeAssistant
			w, switched := switchWorld(t, fmt.Sprintf(settings, broker, one.prefix, one.prefix, one.owner, runs))
			select {
			case <-online:
			case <-time.After(rig.Patience):
				t.Fatal("nod is not at the broker")
			}
			shareAPuck(t, h, w, one.puck, switched)
			if runs {
				cardsHaveEntities(t, h)
			}
		})
	}
	noSurprise(t, h)
}

func shareAPuck(t *testing.T, h *homeassistant.Instance, w *world, p homeassistant.Puck, switched func() []string) {
	asks := func(n int) {
		t.Helper()
		rig.Until(t, fmt.Sprintf("the puck to ask %d times", n), func() bool {
			count := 0
			for _, s := range h.Said(p) {
				if s.Kind == "ask" && strings.Contains(s.Message, "kitchen lamp") {
					count++
				}
			}
			return count >= n
		}, func() string {
			return fmt.Sprintf("%+v\n%s\n%s", h.Said(p), strings.Join(h.Warnings(), "\n"), w.hubLog)
		})
		h.WaitState(t, p.Satellite(), "listening")
	}
	w.API.OnContaining("is a window open", fakeapi.Say("All windows are closed."))
	h.Hear(t, p, "ask claude is a window open")
	h.WaitSaid(t, p, "announce", "Asking Claude.")
	h.WaitSaid(t, p, "announce", "All windows are closed.")

	lampTurn(w, "the lamp off by voice", "The lamp is off.")
	h.WaitState(t, p.Satellite(), "idle")
	h.Hear(t, p, "ask claude to switch the lamp off by voice")
	r := w.one(t)
	asks(1)
	h.Hear(t, p, "Yes, please.")
	if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow || r.Decision.Via != "voicepe" {
		t.Errorf("by voice: %+v", r.Decision)
	}
	h.WaitSaid(t, p, "announce", "The lamp is off.")
	if len(switched()) != 1 {
		t.Errorf("switched %v", switched())
	}

	lampTurn(w, "the lamp off by dial", "It stays on.")
	h.WaitState(t, p.Satellite(), "idle")
	h.Hear(t, p, "ask claude to switch the lamp off by dial")
	r = w.one(t)
	asks(2)
	h.Turn(t, p, "anticlockwise")
	h.WaitFor(t, p.Ring(), "light red", func(s homeassistant.State) bool { return fmt.Sprint(s.Attributes["rgb_color"]) == "[255 0 0]" })
	h.Press(t, p, "double_press")
	if r = w.settled(t, r.ID); r.Decision == nil || r.Decision.Verdict != nod.VerdictDeny {
		t.Errorf("by dial: %+v", r.Decision)
	}
	h.WaitSaid(t, p, "announce", "Cancelled.")
}

// cardsHaveEntities: every entity that a card names is one that nod announced.
func cardsHaveEntities(t *testing.T, h *homeassistant.Instance) {
	t.Helper()
	agent := ""
	rig.Until(t, "an agent to be a device", func() bool {
		for _, s := range h.States(t) {
			if name, ok := strings.CutSuffix(s.Entity, "_last_answer"); ok {
				agent = strings.TrimPrefix(name, "sensor.")
			}
		}
		return agent != ""
	}, h.Log)
	files, err := hasskit.Lovelace(hasskit.Options{Owner: hasskit.ByHomeAssistant}, []string{agent})
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, s := range h.States(t) {
		there = append(there, s.Entity)
	}
	named := regexp.MustCompile(`entity(?:_id)?: (\S+)`).FindAllStringSubmatch(string(files[0].Data), -1)
	for _, m := range named {
		if !slices.Contains(there, m[1]) {
			t.Errorf("a card names %s, which is not there", m[1])
		}
	}
	if len(named) < 12 {
		t.Errorf("the cards name %d entities", len(named))
	}
}
