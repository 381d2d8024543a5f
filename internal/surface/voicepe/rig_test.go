package voicepe_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
	"nod/internal/surface/voicepe"
	"nod/internal/talk"
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

// rig is a hub with the surface, a broker, and a device beyond it.
type rig struct {
	t      *testing.T
	wire   wire
	hub    *hub.Hub
	link   hub.Link
	url    *url.URL
	bus    mqttd.Bus
	other  *mosquitto.Broker
	device *mqttd.Client
	heard  map[string]chan map[string]any
	log    *logged
}

type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.b.Bytes(), []byte(text))
}

// setup is what a test wants otherwise than usual.
type setup struct {
	script func(*scripted.Turn)
	change func(*voicepe.Options)
	policy hub.Policy
	proof  []string
}

func newRig(t *testing.T, w wire, s setup) *rig {
	t.Helper()
	h, err := hub.Open(t.Context(), mem.New(), hub.Options{Policy: s.policy, Proof: s.proof, Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, wire: w, hub: h, link: h.Link("test"), heard: map[string]chan map[string]any{}, log: &logged{}}
	o := voicepe.Options{Hub: h, Owner: voicepe.ByHomeAssistant, Trusted: true, Proof: s.proof, Log: slog.New(slog.NewTextHandler(g.log, nil))}
	if s.script != nil {
		scripted.New(t, h, s.script)
		o.Asker = talk.New(hub.Deps{Hub: h}, time.Minute)
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

// noted tells when a subscription is made.
type noted struct {
	mqttd.Bus
	made chan string
}

func (n noted) Subscribe(ctx context.Context, filter string, f func(mqttd.Message)) error {
	defer func() { n.made <- filter }()
	return n.Bus.Subscribe(ctx, filter, f)
}

// serve runs the surface, and waits until it listens.
func (g *rig) serve(o voicepe.Options) {
	g.t.Helper()
	n := noted{g.bus, make(chan string, 10)}
	o.Bus = n
	running(g.t, voicepe.New(o).Run)
	topics := 2
	if o.Homelab {
		topics++
	}
	if o.Owner == voicepe.ByNod {
		topics++
	}
	for range topics {
		within(g.t, n.made, "a subscription")
	}
}

func (g *rig) broker(o voicepe.Options) {
	g.t.Helper()
	if g.wire.own {
		b := mqttd.NewBroker(mqttd.BrokerOptions{
			Listen: "127.0.0.1:0", Rules: voicepe.Rules("claude", o.Homelab), Log: o.Log,
			Admit: func(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
				who, ok := tokens()[password]
				if !ok {
					return nil, nod.Actor{}, nil, nod.Errorf(nod.Unauthorized, "unknown")
				}
				return ctx, who, func() {}, nil
			},
			Refused: func(by nod.Actor, topic string) {
				by.Rights = 0
				_ = g.hub.Desk(by).Allowed(context.Background(), nod.Answering, "publish to "+topic)
			},
		})
		addr, err := b.Listen()
		if err != nil {
			g.t.Fatal(err)
		}
		g.url, g.bus = &url.URL{Scheme: "mqtt", Host: addr.String()}, b
		running(g.t, b.Run)
		g.up(b)
		return
	}
	g.other = mosquitto.Start(g.t)
	g.url = g.other.URL()
	g.bus = g.connect("hub", "")
}

func (g *rig) connect(id, password string) *mqttd.Client {
	g.t.Helper()
	o := mqttd.Options{URL: g.url, Version: g.wire.version, ClientID: id, Retry: 300 * time.Millisecond}
	if password != "" {
		o.Username, o.Password = "device", password
	}
	c, err := mqttd.NewClient(o)
	if err != nil {
		g.t.Fatal(err)
	}
	running(g.t, c.Run)
	g.up(c)
	return c
}

func (g *rig) up(b mqttd.Bus) {
	g.t.Helper()
	ctx, cancel := context.WithCancel(g.t.Context())
	defer cancel()
	seen := make(chan struct{})
	var once sync.Once
	b.Watch(ctx, func(up bool) {
		if up {
			once.Do(func() { close(seen) })
		}
	})
	within(g.t, seen, "the connection")
}

func running(t *testing.T, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { run(ctx) })
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return stop
}

func within[T any](t *testing.T, c <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
	}
	return v
}

func (g *rig) listen(c *mqttd.Client, topic string) {
	g.t.Helper()
	got := make(chan map[string]any, 1000)
	g.heard[topic] = got
	err := c.Subscribe(g.t.Context(), topic, func(m mqttd.Message) {
		var v map[string]any
		if json.Unmarshal(m.Payload, &v) != nil || v == nil {
			v = map[string]any{"type": "no JSON", "text": string(m.Payload)}
		}
		got <- v
	})
	if err != nil {
		g.t.Fatal(err)
	}
}

// hears waits for the next message of a topic and compares the fields that are named.
func (g *rig) hears(topic, want string) map[string]any {
	g.t.Helper()
	got := within(g.t, g.heard["claude/"+topic], "a message on "+topic+" like "+want)
	var fields map[string]any
	if err := json.Unmarshal([]byte(want), &fields); err != nil {
		g.t.Fatalf("%s: %v", want, err)
	}
	for k, v := range fields {
		if a, b := text(got[k]), text(v); a != b {
			g.t.Fatalf("on %s came %s\nwant %s: %s is %s", topic, text(got), want, k, a)
		}
	}
	return got
}

// response waits for the next response.
func (g *rig) response(want string) map[string]any { g.t.Helper(); return g.hears("response", want) }

// silent fails if anything came on a topic until now: a fence is sent after it.
func (g *rig) silent() {
	g.t.Helper()
	g.send("claude/approval-response", `{"requestId":"fence"}`) // without a type: it is answered
	g.response(`{"type":"error","code":"PARSE_ERROR","message":"type","requestId":"fence"}`)
}

func text(v any) string { b, _ := json.Marshal(v); return string(b) }

func (g *rig) send(topic, payload string) {
	g.t.Helper()
	if err := g.device.Publish(g.t.Context(), mqttd.Message{Topic: topic, Payload: []byte(payload), QoS: 1}); err != nil {
		g.t.Fatalf("%s: %v", topic, err)
	}
}

// asks raises a request for a command.
func (g *rig) asks(id, command string, change ...func(*nod.Request)) {
	g.t.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	r := nod.Request{
		ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "agent-1"}, Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: " + command,
		Input: input, OneTap: true, Risk: &nod.Risk{Level: "write"},
	}
	for _, f := range change {
		f(&r)
	}
	err := g.link.Report(g.t.Context(), hub.Agent(r.Agent.ID, func(a *nod.Agent, now time.Time) { a.Name = "build"; a.Enter(nod.AgentWorking, now) }))
	if err == nil {
		_, err = g.link.Ask(g.t.Context(), r)
	}
	if err != nil {
		g.t.Fatal(err)
	}
}

// settled waits until a request is, and says how.
func (g *rig) settled(id, want string) {
	g.t.Helper()
	within(g.t, g.link.Settled(nod.RequestID(id)), id+" to be settled")
	g.status(id, want)
}

func (g *rig) status(id, want string) {
	g.t.Helper()
	got := "unknown"
	g.hub.Look(func(s *nod.State) {
		if r := s.Requests[nod.RequestID(id)]; r != nil {
			got = string(r.Status)
			if r.Decision != nil {
				got = string(r.Decision.Verdict) + " by " + r.Decision.By + " via " + r.Decision.Via
			}
		}
	})
	if got != want {
		g.t.Errorf("%s is %q, want %q", id, got, want)
	}
}

// name is whom the log names for an answer of the device.
func (g *rig) name() string {
	if g.wire.own {
		return "kitchen via voicepe"
	}
	return "voice puck via voicepe"
}

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

func loggerOf(l *logged) *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }
