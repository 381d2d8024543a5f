package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
)

// puckWorld is a hub with a broker, its own or Mosquitto, and a device beyond it.
type puckWorld struct {
	*world
	at     *url.URL
	token  string
	device *mqttd.Client
	heard  map[string]chan map[string]any
}

// newPuckWorld writes the configuration and starts everything.
func newPuckWorld(t *testing.T, own bool, v mqttd.Version, settings string) *puckWorld {
	t.Helper()
	p := &puckWorld{world: worldWithoutHub(t, rig.Options{}), heard: map[string]chan map[string]any{}}
	section := ""
	if own {
		p.at = &url.URL{Scheme: "mqtt", Host: brokerAddress(t)}
		section = fmt.Sprintf("[mqtt]\nembedded = true\nlisten = %q\n", p.at.Host)
	} else {
		p.at = mosquitto.Start(t, mosquitto.Account{Name: "nod", Password: "hub's own"}, mosquitto.Account{Name: "device", Password: "puck's own"}).URL()
		password := filepath.Join(t.TempDir(), "password")
		if err := os.WriteFile(password, []byte("hub's own\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		section = fmt.Sprintf("[mqtt]\nurl = %q\nversion = %q\nusername = \"nod\"\npassword_file = %q\n", p.at, v, password)
		p.token = "puck's own"
	}
	p.configure(t, section+"[entities]\nenabled = false\n[voicepe]\nenabled = true\n"+settings)
	p.startHub(t)
	if own {
		p.token = p.secret(t, "kitchen puck", nod.View, nod.Answering)
	}
	p.device = p.connect(t, v, "device", p.token)
	status := mqttd.StatusTopic
	if !own {
		status = "nod/+/status" // where each hub has its own
	}
	for _, topic := range []string{"claude/response", "claude/led", "claude/voice", status} {
		got := make(chan map[string]any, 1000)
		p.heard[topic] = got
		err := p.device.Subscribe(t.Context(), topic, func(m mqttd.Message) {
			var v map[string]any
			if json.Unmarshal(m.Payload, &v) != nil {
				v = map[string]any{"is": string(m.Payload)}
			}
			got <- v
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	p.hears(t, status, map[string]any{"is": mqttd.Online}) // then it listens
	return p
}

func brokerAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func (p *puckWorld) secret(t *testing.T, name string, rights ...nod.Right) string {
	t.Helper()
	s, err := p.client.CreateToken(t.Context(), v1.NewToken{Name: name, Rights: nod.RightsOf(rights...)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Secret
}

func (p *puckWorld) connect(t *testing.T, v mqttd.Version, id, password string) *mqttd.Client {
	t.Helper()
	c, err := mqttd.NewClient(mqttd.Options{URL: p.at, Version: v, ClientID: id, Username: "device", Password: password, Retry: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { c.Run(ctx) })
	t.Cleanup(func() { cancel(); all.Wait() })
	up := make(chan struct{})
	var once sync.Once
	c.Watch(ctx, func(is bool) {
		if is {
			once.Do(func() { close(up) })
		}
	})
	select {
	case <-up:
	case <-time.After(rig.Patience):
		t.Fatal("the device does not reach the broker")
	}
	return c
}

// hears waits for a message with all these fields.
func (p *puckWorld) hears(t *testing.T, topic string, want map[string]any) map[string]any {
	t.Helper()
	patience := time.NewTimer(rig.Patience)
	defer patience.Stop()
	var last map[string]any
	for {
		select {
		case m := <-p.heard[topic]:
			fits := true
			for k, v := range want {
				fits = fits && fmt.Sprint(m[k]) == fmt.Sprint(v)
			}
			if last = m; fits {
				return m
			}
		case <-patience.C:
			t.Fatalf("nothing like %v came on %s; the last was %v", want, topic, last)
		}
	}
}

func (p *puckWorld) publish(t *testing.T, topic string, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.device.Publish(t.Context(), mqttd.Message{Topic: topic, Payload: text, QoS: 1}); err != nil {
		t.Fatal(err)
	}
}

func overBrokers(t *testing.T, f func(t *testing.T, own bool, v mqttd.Version)) {
	for _, own := range []bool{true, false} {
		for _, v := range []mqttd.Version{mqttd.V5, mqttd.V311} {
			t.Run(fmt.Sprintf("own=%v/%s", own, v), func(t *testing.T) {
				t.Parallel()
				f(t, own, v)
			})
		}
	}
}

// What Claude Code wants to run is asked at a puck that Home Assistant runs, and
// the answer of the puck lets it run.
func TestAPuckOfHomeAssistantAllows(t *testing.T) {
	t.Parallel()
	overBrokers(t, func(t *testing.T, own bool, v mqttd.Version) {
		p := newPuckWorld(t, own, v, "owner = \"homeassistant\"\n")
		call := fakeapi.Bash("touch made-by-the-puck")
		p.API.On("make it", fakeapi.Use(call), fakeapi.Say("made"))
		s := p.StartTUI(t)
		s.Prompt(t, "make it")
		r := p.one(t)
		m := p.hears(t, "claude/response", map[string]any{"type": "approval", "requestId": r.ID})
		if !strings.Contains(fmt.Sprint(m["command"]), "touch") {
			t.Errorf("the puck was told %v", m)
		}
		p.publish(t, "claude/approval-response", map[string]any{"requestId": r.ID, "type": "approved"})
		if got := s.WaitToolResult(t, call.ID); got.IsError {
			t.Errorf("the model was told %+v", got)
		}
		r = p.reached(t, r.ID, nod.StepApplied)
		if r.Decision == nil || r.Decision.Via != "voicepe" {
			t.Errorf("decided %+v", r.Decision)
		}
	})
}

// The same with a puck that nod runs: turning shows it, pressing means it.
func TestAPuckOfNodDenies(t *testing.T) {
	t.Parallel()
	overBrokers(t, func(t *testing.T, own bool, v mqttd.Version) {
		p := newPuckWorld(t, own, v, "")
		call := fakeapi.Bash("touch never-made")
		p.API.On("make it", fakeapi.Use(call), fakeapi.Say("not made"))
		s := p.StartTUI(t)
		s.Prompt(t, "make it")
		r := p.one(t)
		p.hears(t, "claude/led", map[string]any{"mode": "solid", "color": "orange"})
		p.hears(t, "claude/voice", map[string]any{"key": "approval_prompt"})
		p.publish(t, "claude/input", map[string]any{"event": "dial_ccw"})
		p.hears(t, "claude/led", map[string]any{"mode": "solid", "color": "lt_red"})
		p.publish(t, "claude/input", map[string]any{"event": "button"})
		r = p.settled(t, r.ID)
		if r.Decision == nil || r.Decision.Verdict != nod.VerdictDeny {
			t.Errorf("decided %+v", r.Decision)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "never-made")); err == nil {
			t.Error("it was run nevertheless")
		}
	})
}

// A client with only the right to view publishes an approval: refused, and in the log.
func TestAnApprovalOverMQTTWithoutTheRight(t *testing.T) {
	t.Parallel()
	p := newPuckWorld(t, true, mqttd.V5, "owner = \"homeassistant\"\n")
	p.API.On("make it", fakeapi.Use(fakeapi.Bash("touch made")), fakeapi.Say("made"))
	s := p.StartTUI(t)
	s.Prompt(t, "make it")
	r := p.one(t)
	p.hears(t, "claude/response", map[string]any{"type": "approval", "requestId": r.ID})
	wall := p.connect(t, mqttd.V5, "wall", p.secret(t, "wall", nod.View))
	text := fmt.Sprintf(`{"requestId":%q,"type":"approved"}`, r.ID)
	if err := wall.Publish(t.Context(), mqttd.Message{Topic: "claude/approval-response", Payload: []byte(text), QoS: 1}); err == nil {
		t.Error("the broker took it")
	}
	if again := p.one(t); again.ID != r.ID {
		t.Errorf("request %s became %s", r.ID, again.ID)
	}
	rig.Until(t, "a line in the log", func() bool {
		out := p.ok(t, "log")
		return strings.Contains(out, "wall") && strings.Contains(out, "approval-response")
	}, func() string { return p.ok(t, "log") })
	p.ok(t, "deny", string(r.ID))
}

// A question by voice, answered by Claude Code without a terminal.
func TestAQuestionOverMQTT(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{true, false} {
		t.Run(fmt.Sprintf("own=%v", own), func(t *testing.T) {
			t.Parallel()
			p := newPuckWorld(t, own, mqttd.V5, "owner = \"homeassistant\"\n[[assistant]]\nname = \"house\"\nprompt = \"You look after a house.\"\n")
			p.API.OnContaining("two plus two", fakeapi.Say("Four."))
			p.publish(t, "claude/request", map[string]any{"text": "what is two plus two", "source": "voice_pe"})
			p.hears(t, "claude/response", map[string]any{"type": "question", "text": "Four."})
		})
	}
}
