package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/machine/env/envtest"
	"nod/internal/net/hass/fakehass"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// voiceWorld is a machine that knows a Home Assistant with a satellite, and a broker.
type voiceWorld struct {
	*world
	home   *fakehass.Server
	puck   *fakehass.Puck
	broker *mqttd.Broker
	toml   string
	path   *voicePath
}

func newVoiceWorld(t *testing.T) *voiceWorld {
	t.Helper()
	d := &voiceWorld{world: newWorld(t), home: fakehass.New("token")}
	d.StartHub()
	d.home.Speak = 0
	d.puck = d.home.VoicePE("09f5a3", true)
	server := httptest.NewServer(d.home)
	t.Cleanup(server.Close)
	t.Cleanup(d.home.Drop)
	d.broker = mqttd.NewBroker(mqttd.BrokerOptions{
		Listen: "127.0.0.1:0", Rules: mqttd.Rules{Read: []string{"#"}, Write: []string{"#"}},
		Admit: func(ctx context.Context, user, password string) (context.Context, nod.Actor, func(), error) {
			if password != "open" {
				return nil, nod.Actor{}, nil, errors.New("no")
			}
			return ctx, nod.Actor{Kind: nod.ActorDevice, Name: user, Rights: nod.RightsOf(nod.View, nod.Answering)}, func() {}, nil
		},
	})
	at, err := d.broker.Listen()
	envtest.Must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); d.broker.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	d.home.On("mqtt.publish", func(c fakehass.Call) {
		topic, _ := c.Data["topic"].(string)
		_ = d.broker.Publish(ctx, mqttd.Message{Topic: topic, Payload: []byte("hello")})
	})
	d.toml = fmt.Sprintf("[homeassistant]\nurl = %q\ntoken_file = %q\n[mqtt]\nurl = %q\nusername = \"nod\"\npassword_file = %q\n",
		server.URL, d.Write("token", "token\n"), "mqtt://"+at.String(), d.Write("password", "open\n"))
	d.path = newVoicePath(d.doctor)
	d.path.ask = func(context.Context) (asked, error) { return asked{text: "project"}, nil }
	return d
}

func (d *voiceWorld) checkAll() []Finding {
	d.T.Helper()
	d.Write("data/nod.toml", d.toml)
	ctx, cancel := context.WithTimeout(d.T.Context(), time.Minute)
	defer cancel()
	return d.path.Check(ctx)
}

// replacePort changes an address to port 1, where nothing listens.
func replacePort(toml, before string) string {
	head, tail, _ := strings.Cut(toml, before)
	return head + before + "1" + tail[strings.Index(tail, "\""):]
}

// states is one line for all findings.
func states(checks []Finding) string {
	var parts []string
	for _, c := range checks {
		parts = append(parts, c.ID+"="+string(c.State))
	}
	return strings.Join(parts, " ")
}

func TestVoicePathIsFine(t *testing.T) {
	d := newVoiceWorld(t)
	for _, c := range d.checkAll() {
		if c.State != OK || c.Fix != "" {
			t.Errorf("%+v", c)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if said, ok := d.puck.Next(ctx); !ok || said.Text != words.LegHello.EN {
		t.Errorf("it did not speak: %+v", said)
	}
}

// The first step that fails is the one to fix; what depends on it is not tried.
func TestVoicePathNamesTheFirstFailure(t *testing.T) {
	for name, tt := range map[string]struct {
		harm  func(d *voiceWorld)
		first string
		says  string
		left  []string // steps that are not tried
	}{
		"nothing is set":      {func(d *voiceWorld) { d.toml = "" }, "settings", "neither", []string{"broker", "home_assistant", "answer", "speech"}},
		"a wrong setting":     {func(d *voiceWorld) { d.toml = "[homeassistant]\nurl = \"x\"\n" }, "settings", "homeassistant.url", []string{"broker", "speech"}},
		"no broker":           {func(d *voiceWorld) { d.toml = replacePort(d.toml, "mqtt://127.0.0.1:") }, "broker", "no connection", []string{"messages", "home_assistant_mqtt"}},
		"no Home Assistant":   {func(d *voiceWorld) { d.toml = replacePort(d.toml, "http://127.0.0.1:") }, "home_assistant", "no connection", []string{"home_assistant_mqtt", "satellites", "speech"}},
		"a wrong token":       {func(d *voiceWorld) { d.Write("token", "wrong") }, "home_assistant", "does not take the token", []string{"satellites", "speech"}},
		"no token":            {func(d *voiceWorld) { d.toml = strings.Replace(d.toml, "/token", "/nothing", 1) }, "home_assistant", "cannot be read", []string{"speech"}},
		"no MQTT integration": {func(d *voiceWorld) { d.home.Components = nil }, "home_assistant_mqtt", "no MQTT integration", nil},
		"Claude Code is silent": {func(d *voiceWorld) {
			d.path.ask = func(context.Context) (asked, error) { return asked{}, nod.Errorf(nod.Unavailable, "not logged in") }
		}, "answer", "not logged in", nil},
		"a mute satellite": {func(d *voiceWorld) { d.home.Break("assist_satellite.announce", "home_assistant_error", "TTS failed") }, "speech", "did not speak", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newVoiceWorld(t)
			tt.harm(d)
			checks := d.checkAll()
			first := slices.IndexFunc(checks, func(c Finding) bool { return c.State == Fail })
			if first < 0 || checks[first].ID != tt.first || !strings.Contains(checks[first].Found, tt.says) || checks[first].Fix == "" {
				t.Fatalf("%s\n%+v", states(checks), checks)
			}
			for _, c := range checks {
				if slices.Contains(tt.left, c.ID) && c.State != Skip {
					t.Errorf("%s was tried: %+v", c.ID, c)
				}
				if strings.Contains(c.Found+c.Fix, "token-of") {
					t.Errorf("a secret is shown: %+v", c)
				}
			}
		})
	}
}

func TestVoicePathSkipsWhatIsNotConfigured(t *testing.T) {
	d := newVoiceWorld(t)
	d.toml, _, _ = strings.Cut(d.toml, "[mqtt]")
	if got := states(d.checkAll()); got != "settings=ok broker=skip messages=skip home_assistant=ok home_assistant_mqtt=skip satellites=ok hub=ok answer=ok speech=ok" {
		t.Error(got)
	}
}

func TestVoicePathWarnsWhenAPersonIsAsked(t *testing.T) {
	d := newVoiceWorld(t)
	d.path.ask = func(context.Context) (asked, error) { return asked{person: true}, nil }
	i := slices.IndexFunc(d.checkAll(), func(c Finding) bool {
		return c.ID == "answer" && c.State == Warn && strings.Contains(c.Fix, "read_only")
	})
	if i < 0 {
		t.Error("there is no warning")
	}
}

func TestVoicePathByFlag(t *testing.T) {
	w := newWorld(t)
	out, err := w.Run("doctor", "--homeassistant")
	if envtest.ExitOf(err) != 1 || !strings.Contains(out, "neither [homeassistant] url nor [mqtt] is set") {
		t.Errorf("%v\n%s", err, out)
	}
}
