package voicepe_test

import (
	"context"
	"encoding/json"
	"net/url"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
	"nod/internal/surface/voicepe"
	"nod/internal/talk/scripted"
)

const patience = 20 * time.Second

// wire is a broker and the version that the device speaks.
type wire struct {
	name    string
	own     bool
	version mqttd.Version
}

func wires() []wire {
	return []wire{
		{"own broker, 5", true, mqttd.V5}, {"own broker, 3.1.1", true, mqttd.V311},
		{"mosquitto, 5", false, mqttd.V5}, {"mosquitto, 3.1.1", false, mqttd.V311},
	}
}

// over runs a test on every wire.
func over(t *testing.T, f func(*testing.T, wire)) {
	for _, w := range wires() {
		t.Run(w.name, func(t *testing.T) { f(t, w) })
	}
}

// tokens of nod's own broker, by password.
func tokens() map[string]nod.Actor {
	device := func(name string, rs ...nod.Right) nod.Actor {
		return nod.Actor{Kind: nod.ActorDevice, Name: name, ID: "id of " + name, Via: "mqtt", Rights: nod.RightsOf(rs...)}
	}
	return map[string]nod.Actor{"answers": device("kitchen", nod.View, nod.Answering), "views": device("wall", nod.View)}
}

// rig is a hub with the surface, a broker, and a device at that broker.
type rig struct {
	*hubtest.Rig
	wire   wire
	url    *url.URL
	bus    mqttd.Bus
	other  *mosquitto.Broker
	device *mqttd.Client
	heard  map[string]chan map[string]any
}

// options are everything that a test can change before the surface is made.
type options struct {
	voicepe.Config
	adapter.Deps
	voicepe.Needs
}

// setup is how a test differs from the usual.
type setup struct {
	script func(*scripted.Turn)
	change func(*options)
	proof  []string
}

func newRig(t *testing.T, w wire, s setup) *rig {
	t.Helper()
	h := hub.Options{Proof: s.proof, Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}}
	g := &rig{Rig: hubtest.New(t, hubtest.Options{Options: h}), wire: w, heard: map[string]chan map[string]any{}}
	o := g.options()
	o.Demo = s.script == nil
	if s.script != nil {
		scripted.New(t, g.Hub, s.script)
	}
	if s.change != nil {
		s.change(&o)
	}
	g.broker(o)
	g.serve(o)
	g.device = g.connect("device", "answers")
	for _, topic := range []string{"claude/response", "claude/led", "claude/voice", "claude/home/response", "claude/approval-request"} {
		g.listen(g.device, topic)
	}
	return g
}

// options are the usual ones, with a puck that Home Assistant runs.
func (g *rig) options() options {
	o := options{Deps: adapter.Deps{Deps: g.Deps()}, Needs: voicepe.Needs{Trusted: true, Turn: 10 * time.Minute}}
	o.Defaults()
	o.Owner = "homeassistant"
	return o
}

// noted reports when a subscription is made.
type noted struct {
	mqttd.Bus
	made chan string
}

func (n noted) Subscribe(ctx context.Context, filter string, f func(mqttd.Message)) error {
	defer func() { n.made <- filter }()
	return n.Bus.Subscribe(ctx, filter, f)
}

// serve runs the surface, and waits until it listens.
func (g *rig) serve(o options) {
	g.Helper()
	n := noted{g.bus, make(chan string, 10)}
	o.Bus = n
	g.Run(voicepe.New(o.Config, o.Deps, o.Needs).Run)
	topics := 2
	if o.Homelab {
		topics++
	}
	if o.Owner == "nod" {
		topics++
	}
	for range topics {
		within(g.TB, n.made, "a subscription")
	}
}

func (g *rig) broker(o options) {
	g.Helper()
	if g.wire.own {
		b := mqttd.NewBroker(mqttd.BrokerOptions{
			Listen: "127.0.0.1:0", Rules: o.Rules(), Log: o.Log,
			Admit: func(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
				who, ok := tokens()[password]
				if !ok {
					return nil, nod.Actor{}, nil, nod.Errorf(nod.Unauthorized, "unknown")
				}
				return ctx, who, func() {}, nil
			},
			Refused: func(by nod.Actor, topic string) {
				by.Rights = 0
				_ = g.Hub.Desk(by).Allowed(context.Background(), nod.Answering, "publish to "+topic)
			},
		})
		addr, err := b.Listen()
		if err != nil {
			g.Fatal(err)
		}
		g.url, g.bus = &url.URL{Scheme: "mqtt", Host: addr.String()}, b
		g.Run(b.Run)
		g.up(b)
		return
	}
	g.other = mosquitto.Start(g.TB)
	g.url = g.other.URL()
	g.bus = g.connect("hub", "")
}

func (g *rig) connect(id, password string) *mqttd.Client {
	g.Helper()
	o := mqttd.Options{URL: g.url, Version: g.wire.version, ClientID: id, Retry: 300 * time.Millisecond}
	if password != "" {
		o.Username, o.Password = "device", password
	}
	c, err := mqttd.NewClient(o)
	if err != nil {
		g.Fatal(err)
	}
	g.Run(c.Run)
	g.up(c)
	return c
}

func (g *rig) up(b mqttd.Bus) {
	g.Helper()
	ctx, cancel := context.WithCancel(g.Context())
	defer cancel()
	seen := make(chan struct{})
	var once sync.Once
	b.Watch(ctx, func(up bool) {
		if up {
			once.Do(func() { close(seen) })
		}
	})
	within(g.TB, seen, "the connection")
}

func within[T any](t testing.TB, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
	}
	return v
}

func (g *rig) listen(c *mqttd.Client, topic string) {
	g.Helper()
	got := make(chan map[string]any, 1000)
	g.heard[topic] = got
	err := c.Subscribe(g.Context(), topic, func(m mqttd.Message) {
		var v map[string]any
		if json.Unmarshal(m.Payload, &v) != nil || v == nil {
			v = map[string]any{"type": "no JSON", "text": string(m.Payload)}
		}
		got <- v
	})
	if err != nil {
		g.Fatal(err)
	}
}

// hears waits for the next message of a topic and compares the fields that are named.
func (g *rig) hears(topic, want string) map[string]any {
	g.Helper()
	got := within(g.TB, g.heard["claude/"+topic], "a message on "+topic+" like "+want)
	var fields map[string]any
	if err := json.Unmarshal([]byte(want), &fields); err != nil {
		g.Fatalf("%s: %v", want, err)
	}
	for k, v := range fields {
		if a, b := text(got[k]), text(v); a != b {
			g.Fatalf("on %s came %s\nwant %s: %s is %s", topic, text(got), want, k, a)
		}
	}
	return got
}

// response waits for the next response.
func (g *rig) response(want string) map[string]any { g.Helper(); return g.hears("response", want) }

// silent fails if a response came before that to a fence, which it sends now.
func (g *rig) silent() {
	g.Helper()
	g.send("claude/approval-response", `{"requestId":"fence"}`) // without a type: it is answered
	g.response(`{"type":"error","code":"PARSE_ERROR","message":"type","requestId":"fence"}`)
}

func text(v any) string { b, _ := json.Marshal(v); return string(b) }

func (g *rig) send(topic, payload string) {
	g.Helper()
	if err := g.device.Publish(g.Context(), mqttd.Message{Topic: topic, Payload: []byte(payload), QoS: 1}); err != nil {
		g.Fatalf("%s: %v", topic, err)
	}
}

// asks raises a request for a command.
func (g *rig) asks(id, command string, change ...func(*nod.Request)) {
	g.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	r := hubtest.Approval(id, append([]func(*nod.Request){func(r *nod.Request) {
		r.Agent, r.Title, r.Input, r.Risk = nod.AgentRef{ID: "agent-1"}, "Bash: "+command, input, &nod.Risk{Level: "write"}
	}}, change...)...)
	g.Report(hub.Agent(r.Agent.ID, func(a *nod.Agent, now time.Time) { a.Name = "build"; a.Enter(nod.AgentWorking, now) }))
	g.Ask(r)
}

// rests ends the task of the agent after something was allowed, and waits until the surface says so.
func (g *rig) rests() {
	g.Helper()
	g.Report(hub.Agent("agent-1", func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentIdle, now) }))
	g.response(`{"type":"finished"}`)
}

// settled waits until a request is settled, and compares how.
func (g *rig) settled(id, want string) {
	g.Helper()
	within(g.TB, g.Link.Settled(nod.RequestID(id)), id+" to be settled")
	g.status(id, want)
}

func (g *rig) status(id, want string) {
	g.Helper()
	got := "unknown"
	g.Hub.Look(func(s *nod.State) {
		if r := s.Requests[nod.RequestID(id)]; r != nil {
			got = string(r.Status)
			if r.Decision != nil {
				got = string(r.Decision.Verdict) + " by " + r.Decision.By + " via " + r.Decision.Via
			}
		}
	})
	if got != want {
		g.Errorf("%s is %q, want %q", id, got, want)
	}
}

// name is who answered, in the log, if the device did.
func (g *rig) name() string {
	if g.wire.own {
		return "kitchen via voicepe"
	}
	return "voice puck via voicepe"
}
