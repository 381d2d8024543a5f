//go:build full

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
	"nod/e2e/rig"
)

// exampleFiles are the files that people copy into their Home Assistant, with this hub's address and a token of its own.
func exampleFiles(t *testing.T, w *world) map[string]string {
	t.Helper()
	token := strings.TrimSpace(w.ok(t, "token", "create", "--name", "house", "--rights", "view,answer"))
	files := map[string]string{}
	for _, path := range []string{"packages/nod.yaml", "custom_sentences/en/nod.yaml", "custom_sentences/pl/nod.yaml", "secrets.yaml"} {
		text, err := os.ReadFile(filepath.Join(houseFiles, path))
		if err != nil {
			t.Fatal(err)
		}
		files[path] = string(text)
	}
	for old, own := range map[string]string{"http://127.0.0.1:8742": w.url, "nod_…": token} {
		if !strings.Contains(files["secrets.yaml"], old) {
			t.Fatalf("secrets.yaml does not name %q", old)
		}
		files["secrets.yaml"] = strings.ReplaceAll(files["secrets.yaml"], old, own)
	}
	// What the package expects people to have.
	files["packages/sensor.yaml"] = `
template:
  - sensor: [{name: Living room temperature, state: "21", unit_of_measurement: "°C"}]
`
	return files
}

func noWarnings(t *testing.T, h *homeassistant.Instance) {
	t.Helper()
	if list := h.Warnings(); len(list) != 0 {
		t.Errorf("Home Assistant has %d warnings:\n%s", len(list), strings.Join(list, "\n"))
	}
}

// The files of examples/homeassistant, in a real Home Assistant, from the puck to the model and back.
func TestHomeAssistantTalksToNod(t *testing.T) {
	t.Parallel()
	kitchen := homeassistant.Puck{ID: "09f5a3", Area: "Kitchen"}
	w, switched := switchWorld(t, "")
	h := homeassistant.Start(t, homeassistant.Options{Files: exampleFiles(t, w), Pucks: []homeassistant.Puck{kitchen}})
	if problems := h.CheckConfig(t); problems != "" {
		t.Error(problems)
	}

	w.API.OnContaining("is a window open", fakeapi.Say("All windows are closed."))
	if got := h.Converse(t, homeassistant.Conversation{Text: "nod, is a window open"}); got.Speech != "All windows are closed." {
		t.Errorf("typed: %+v", got)
	}
	w.API.OnContaining("czy jest północ", fakeapi.Say("Jest północ."))
	if got := h.Converse(t, homeassistant.Conversation{Text: "zapytaj klaudiusza czy jest północ", Language: "pl"}); got.Speech != "Jest północ." {
		t.Errorf("in Polish: %+v", got)
	}

	// Spoken in the kitchen: nod asks back, and the kitchen's next word is the answer.
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("The lamp is off."))
	h.Hear(t, kitchen, "ask nod to switch the lamp off")
	request := w.one(t)
	rig.Until(t, "the puck to ask", func() bool { return len(h.Said(kitchen)) == 1 }, func() string { return h.Log() })
	if said := h.Said(kitchen)[0]; said.Kind != "reply" || !strings.Contains(said.Message, "kitchen lamp") || len(switched()) != 0 {
		t.Errorf("the puck says %+v, switched %v", said, switched())
	}
	h.WaitState(t, kitchen.Satellite(), "idle")
	h.Hear(t, kitchen, "yes please")
	h.WaitSaid(t, kitchen, "reply", "The lamp is off.")
	if r := w.settled(t, request.ID); r.Decision == nil || len(switched()) != 1 {
		t.Errorf("the request is %+v, switched %v", r, switched())
	}
	noWarnings(t, h)
}

// A broker of Debian's, added in Home Assistant as a person adds it.
func TestHomeAssistantOverMQTT(t *testing.T) {
	t.Parallel()
	broker := homeassistant.Mosquitto(t)
	h := homeassistant.Start(t, homeassistant.Options{MQTT: broker, Files: map[string]string{"automations.yaml": `
- id: echo
  mode: queued
  triggers: [{trigger: mqtt, topic: test/to_house}]
  actions:
    - event: test_heard
      event_data: {id: "{{ trigger.payload_json.id }}"}
    - action: mqtt.publish
      data: {topic: test/from_house, payload: "{{ dict(ok=true, id=trigger.payload_json.id) | to_json }}"}
`}})
	if list := h.Entries(t, "mqtt"); len(list) != 1 || list[0].State != "loaded" {
		t.Fatalf("%+v", list)
	}
	got := make(chan string, 1)
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + broker).SetClientID("test"))
	wait := func(token mqtt.Token) {
		t.Helper()
		if !token.WaitTimeout(rig.Patience) || token.Error() != nil {
			t.Fatal("MQTT: ", token.Error())
		}
	}
	wait(client.Connect())
	defer client.Disconnect(0)
	wait(client.Subscribe("test/from_house", 1, func(_ mqtt.Client, m mqtt.Message) { got <- string(m.Payload()) }))
	// Home Assistant subscribes a moment after it reports that it runs.
	rig.Until(t, "the house to hear", func() bool {
		wait(client.Publish("test/to_house", 1, false, `{"id": "r1"}`))
		return len(h.Events("test_heard")) > 0
	}, h.Log)
	h.WaitEvent(t, "test_heard", func(data json.RawMessage) bool { return string(data) == `{"id":"r1"}` })
	if answer := <-got; answer != `{"ok":true,"id":"r1"}` {
		t.Errorf("the house publishes %s", answer)
	}
	noWarnings(t, h)
}
