//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
	"nod/internal/net/mqttd/mosquitto"
)

// homeWorld is one Home Assistant with a puck, and a hub that it reaches in every way
// there is: entities over MQTT, a conversation agent over Wyoming, and satellites.
type homeWorld struct {
	*world
	home     *homeassistant.Instance
	puck     homeassistant.Puck
	broker   *mosquitto.Broker
	talk     string // the address of the conversation agent
	password string // a file with the broker's
}

// newHomeWorld sets all of it up as a person would: by config flows and nod.toml.
func newHomeWorld(t *testing.T) *homeWorld {
	t.Helper()
	d := &homeWorld{puck: homeassistant.Puck{ID: "09f5a3", Area: "Kitchen"}, talk: brokerAddress(t)}
	d.home = homeassistant.Start(t, homeassistant.Options{Pucks: []homeassistant.Puck{d.puck}})
	d.broker = mosquitto.Start(t, mosquitto.Account{Name: "nod", Password: "hub's own"}, mosquitto.Account{Name: "house", Password: "house's own"})
	d.home.AddMQTT(t, d.broker.Address(), "house", "house's own")
	dir := t.TempDir()
	for name, text := range map[string]string{"token": d.home.Token, "password": "hub's own"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.password = filepath.Join(dir, "password")
	d.world = worldWithoutHub(t, rig.Options{})
	d.configure(t, fmt.Sprintf(`
[policy]
read_only = "allow"
[mqtt]
url = "mqtt://%s"
username = "nod"
password_file = %q
[wyoming]
listen = %q
wait = "2s"
[homeassistant]
url = %q
token_file = %q
[[assistant]]
name = "house"
prompt = "You look after a house."
language = "en"
`, d.broker.Address(), d.password, d.talk, d.home.URL, filepath.Join(dir, "token")))
	d.startHub(t)
	rig.Until(t, "the satellite to be attended", func() bool {
		health, err := d.client.Health(t.Context())
		return err == nil && health.Identity != nil && health.Rights.Has(nod.Admin) && !slices.ContainsFunc(health.Problems, func(p v1.Problem) bool { return p.Adapter == "homeassistant" })
	}, d.hubLog.String)
	return d
}

// A real Home Assistant, through every integration that nod has with it.
func TestHomeAssistantThroughEveryEndpoint(t *testing.T) {
	t.Parallel()
	d := newHomeWorld(t)
	s := d.StartTUI(t)
	for _, part := range []struct {
		name string
		f    func(*homeWorld, *testing.T, *rig.TUI)
	}{
		{"entities", (*homeWorld).entities},
		{"conversation", (*homeWorld).conversation},
		{"satellite", (*homeWorld).satellite},
		{"restart", (*homeWorld).restart},
		{"two hubs", (*homeWorld).twoHubs},
		{"own broker", (*homeWorld).ownBroker},
		{"doctor", (*homeWorld).doctor},
	} {
		if !t.Run(part.name, func(t *testing.T) { part.f(d, t, s) }) {
			break
		}
	}
}

// entity is one of the agent's own, by what it is: "allow", "pending". Home
// Assistant makes its id of the agent's name.
func (d *homeWorld) entity(t *testing.T, key string) (id string) {
	t.Helper()
	var list []struct {
		ID       string `json:"entity_id"`
		Unique   any    `json:"unique_id"`
		Platform string `json:"platform"`
	}
	rig.Until(t, "an entity for "+key, func() bool {
		d.home.Command(t, map[string]any{"type": "config/entity_registry/list"}, &list)
		for _, e := range list {
			unique := fmt.Sprint(e.Unique)
			if e.Platform == "mqtt" && strings.HasSuffix(unique, "_"+key) && !strings.Contains(unique, "_x_hub_") {
				id = e.ID
			}
		}
		return id != ""
	}, func() string { return fmt.Sprintf("%+v\n%s", list, d.home.Log()) })
	return id
}

// shows waits for an entity of the agent to have a state.
func (d *homeWorld) shows(t *testing.T, key, state string) homeassistant.State {
	t.Helper()
	return d.home.WaitState(t, d.entity(t, key), state)
}

// happened waits until the event entity has reported something about a request;
// earlier reports count.
func (d *homeWorld) happened(t *testing.T, kind string, r *nod.Request) {
	t.Helper()
	id := d.entity(t, "event")
	d.home.WaitEvent(t, "state_changed", func(data json.RawMessage) bool {
		var news struct {
			ID  string              `json:"entity_id"`
			New homeassistant.State `json:"new_state"`
		}
		return json.Unmarshal(data, &news) == nil && news.ID == id &&
			news.New.Attributes["event_type"] == kind && news.New.Attributes["request"] == string(r.ID)
	})
}

// usable waits until something can be pressed, chosen or typed.
func (d *homeWorld) usable(t *testing.T, key string) string {
	t.Helper()
	id := d.entity(t, key)
	d.home.WaitFor(t, id, "usable", func(s homeassistant.State) bool { return s.State != "unavailable" })
	return id
}

// wants makes the agent in the terminal want to run something.
func (d *homeWorld) wants(t *testing.T, s *rig.TUI, command string) (*nod.Request, fakeapi.Call) {
	t.Helper()
	call := fakeapi.Bash(command)
	d.API.On("please "+command, fakeapi.Use(call), fakeapi.Say("That was "+command))
	s.Prompt(t, "please "+command)
	return d.one(t), call
}

// released checks that the hook released Claude Code, and the tool ran.
func (d *homeWorld) released(t *testing.T, s *rig.TUI, r *nod.Request, call fakeapi.Call, via string) {
	t.Helper()
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	r = d.reached(t, r.ID, nod.StepApplied)
	if r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow || r.Decision.Via != via {
		t.Errorf("decided %+v", r.Decision)
	}
	s.WaitStatus(t, "idle")
}

// insists repeats an action until it takes effect: a press right after a request appears
// is ignored.
func (d *homeWorld) insists(t *testing.T, r *nod.Request, service string, data map[string]any) {
	t.Helper()
	rig.Until(t, service+" to count", func() bool {
		_ = d.home.TryCall(t.Context(), service, data, nil) // gone as soon as it was answered
		now, err := d.client.Request(t.Context(), string(r.ID))
		return err == nil && now.Settled()
	}, d.evidence)
}

// The agent is a device of Home Assistant: what it wants is seen and allowed there,
// it is stopped there, and spoken to.
func (d *homeWorld) entities(t *testing.T, s *rig.TUI) {
	r, call := d.wants(t, s, "touch seen-in-the-house")
	d.shows(t, "state", "waiting")
	d.shows(t, "pending", "1")
	if got := d.shows(t, "request", "touch seen-in-the-house"); got.Attributes["request"] != string(r.ID) || got.Attributes["tool"] != "Bash" {
		t.Errorf("the request is %+v", got)
	}
	d.happened(t, "approval", r)
	d.home.Call(t, "button.press", map[string]any{"entity_id": d.usable(t, "allow")})
	d.released(t, s, r, call, "entities")
	d.happened(t, "allowed", r)
	d.shows(t, "pending", "0")
	d.shows(t, "answer", "That was touch seen-in-the-house")
	d.home.WaitState(t, d.entity(t, "allow"), "unavailable")

	ask := questions(question("Which DB?", false, "Postgres", "SQLite"))
	d.API.On("choose for me", fakeapi.Use(ask), fakeapi.Say("So be it."))
	s.Prompt(t, "choose for me")
	r = d.one(t)
	list := d.home.WaitFor(t, d.entity(t, "choice"), "a choice", func(s homeassistant.State) bool {
		// The options come before what they belong to; until then a choice is refused.
		return strings.Contains(fmt.Sprint(s.Attributes["options"]), "SQLite") && s.Attributes["request"] == string(r.ID)
	})
	d.insists(t, r, "select.select_option", map[string]any{"entity_id": list.Entity, "option": "SQLite · about SQLite"})
	if got := s.WaitToolResult(t, ask.ID); !strings.Contains(got.Text, "SQLite") {
		t.Errorf("the model was told %+v", got)
	}
	d.happened(t, "answered", r)
	s.WaitStatus(t, "idle")

	for _, words := range []string{"typed in the house", "sent in the house"} {
		d.API.On(words, fakeapi.Say("I was "+words))
	}
	d.home.Call(t, "text.set_value", map[string]any{"entity_id": d.usable(t, "prompt"), "value": "typed in the house"})
	d.shows(t, "answer", "I was typed in the house")
	d.shows(t, "state", "idle")
	d.home.Call(t, "notify.send_message", map[string]any{"entity_id": d.usable(t, "notify"), "message": "sent in the house"})
	d.shows(t, "answer", "I was sent in the house")
	d.shows(t, "state", "idle")

	never := make(chan struct{})
	defer close(never)
	d.API.On("think for ever", fakeapi.Say("not yet").Until(never))
	s.Prompt(t, "think for ever")
	d.shows(t, "state", "working")
	d.home.Call(t, "button.press", map[string]any{"entity_id": d.usable(t, "stop")})
	d.shows(t, "state", "idle")
	s.WaitScreen(t, "think for ever")
	clearBox(t, s)
	s.WaitScreenWithout(t, "think for ever")
	d.quiet(t)
}

// quiet: Home Assistant has nothing to complain about. A question that is
// withdrawn ends without an answer, and it says so.
func (d *homeWorld) quiet(t *testing.T) {
	t.Helper()
	for _, line := range d.home.Warnings() {
		if !strings.Contains(line, "No answer from question") {
			t.Errorf("Home Assistant warns: %s", line)
		}
	}
}
