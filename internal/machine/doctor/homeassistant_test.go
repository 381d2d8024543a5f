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

// dwelling is a Home Assistant with a satellite and somebody's broker, and a
// machine that knows both.
type dwelling struct {
	*world
	house  *fakehass.Server
	puck   *fakehass.Puck
	broker *mqttd.Broker
	toml   string
	call   *housecall
}

func newDwelling(t *testing.T) *dwelling {
	t.Helper()
	d := &dwelling{world: newWorld(t), house: fakehass.New("token")}
	d.StartHub()
	d.house.Speak = 0
	d.puck = d.house.VoicePE("09f5a3", true)
	server := httptest.NewServer(d.house)
	t.Cleanup(server.Close)
	t.Cleanup(d.house.Drop)
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
	d.house.On("mqtt.publish", func(c fakehass.Call) {
		topic, _ := c.Data["topic"].(string)
		_ = d.broker.Publish(ctx, mqttd.Message{Topic: topic, Payload: []byte("hello")})
	})
	d.toml = fmt.Sprintf("[homeassistant]\nurl = %q\ntoken_file = %q\n[mqtt]\nurl = %q\nusername = \"nod\"\npassword_file = %q\n",
		server.URL, d.Write("token", "token\n"), "mqtt://"+at.String(), d.Write("password", "open\n"))
	d.call = &housecall{checkup: &checkup{Doctor: d.doctor}, failed: map[string]words.Message{}}
	d.call.ask = func(context.Context) (asked, error) { return asked{text: "project"}, nil }
	return d
}

func (d *dwelling) walk() []Check {
	d.T.Helper()
	d.Write("data/nod.toml", d.toml)
	ctx, cancel := context.WithTimeout(d.T.Context(), time.Minute)
	defer cancel()
	return d.call.walk(ctx)
}

// replacePort: nobody listens on port 1.
func replacePort(toml, before string) string {
	head, tail, _ := strings.Cut(toml, before)
	return head + before + "1" + tail[strings.Index(tail, "\""):]
}

// states are the legs that were walked, as one line.
func states(checks []Check) string {
	var parts []string
	for _, c := range checks {
		parts = append(parts, c.ID+"="+string(c.State))
	}
	return strings.Join(parts, " ")
}

func TestTheWholeWayOfAVoiceIsWalked(t *testing.T) {
	d := newDwelling(t)
	for _, c := range d.walk() {
		if c.State != OK || c.Fix != "" {
			t.Errorf("%+v", c)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if said, ok := d.puck.Next(ctx); !ok || said.Text != words.LegHello.EN {
		t.Errorf("nobody hears it: %+v", said)
	}
}

// The first leg that fails is the one to mend; what lies behind it is not tried.
func TestTheFirstLegThatFailsIsNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		harm  func(d *dwelling)
		first string
		says  string
		left  []string // legs that are not tried
	}{
		"nothing is set":       {func(d *dwelling) { d.toml = "" }, "settings", "neither", []string{"broker", "home_assistant", "answer", "speech"}},
		"nonsense is set":      {func(d *dwelling) { d.toml = "[homeassistant]\nurl = \"x\"\n" }, "settings", "homeassistant.url", []string{"broker", "speech"}},
		"no broker":            {func(d *dwelling) { d.toml = replacePort(d.toml, "mqtt://127.0.0.1:") }, "broker", "no connection", []string{"messages", "home_assistant_mqtt"}},
		"no Home Assistant":    {func(d *dwelling) { d.toml = replacePort(d.toml, "http://127.0.0.1:") }, "home_assistant", "no connection", []string{"home_assistant_mqtt", "satellites", "speech"}},
		"a wrong token":        {func(d *dwelling) { d.Write("token", "wrong") }, "home_assistant", "does not take the token", []string{"satellites", "speech"}},
		"no token":             {func(d *dwelling) { d.toml = strings.Replace(d.toml, "/token", "/nothing", 1) }, "home_assistant", "cannot be read", []string{"speech"}},
		"no MQTT in the house": {func(d *dwelling) { d.house.Components = nil }, "home_assistant_mqtt", "no MQTT integration", nil},
		"Claude Code is silent": {func(d *dwelling) {
			d.call.ask = func(context.Context) (asked, error) { return asked{}, nod.Errorf(nod.Unavailable, "not logged in") }
		}, "answer", "not logged in", nil},
		"a mute satellite": {func(d *dwelling) { d.house.Break("assist_satellite.announce", "home_assistant_error", "TTS failed") }, "speech", "did not speak", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDwelling(t)
			tt.harm(d)
			checks := d.walk()
			first := slices.IndexFunc(checks, func(c Check) bool { return c.State == Fail })
			if first < 0 || checks[first].ID != tt.first || !strings.Contains(checks[first].Found, tt.says) || checks[first].Fix == "" {
				t.Fatalf("%s\n%+v", states(checks), checks)
			}
			for _, c := range checks {
				if slices.Contains(tt.left, c.ID) && c.State != Skip {
					t.Errorf("%s is tried: %+v", c.ID, c)
				}
				if strings.Contains(c.Found+c.Fix, "token-of") {
					t.Errorf("a secret is told: %+v", c)
				}
			}
		})
	}
}

func TestWhatIsNotConfiguredIsSaid(t *testing.T) {
	d := newDwelling(t)
	d.toml, _, _ = strings.Cut(d.toml, "[mqtt]")
	if got := states(d.walk()); got != "settings=ok broker=skip messages=skip home_assistant=ok home_assistant_mqtt=skip satellites=ok hub=ok answer=ok speech=ok" {
		t.Error(got)
	}
}

func TestAPersonInTheWayIsSaid(t *testing.T) {
	d := newDwelling(t)
	d.call.ask = func(context.Context) (asked, error) { return asked{person: true}, nil }
	i := slices.IndexFunc(d.walk(), func(c Check) bool { return c.ID == "answer" && c.State == Warn && strings.Contains(c.Fix, "read_only") })
	if i < 0 {
		t.Error("nothing is said of it")
	}
}

func TestTheFlagWalks(t *testing.T) {
	w := newWorld(t)
	out, err := w.run("doctor", "--homeassistant")
	if envtest.ExitOf(err) != 1 || !strings.Contains(out, "neither [homeassistant] url nor [mqtt] is set") {
		t.Errorf("%v\n%s", err, out)
	}
}
