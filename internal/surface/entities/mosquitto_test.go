package entities

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
)

// With a real broker: stale retained announcements are found and removed, Home
// Assistant's birth message is answered, a press counts, and nod says goodbye.
func TestMosquitto(t *testing.T) {
	for _, version := range []mqttd.Version{mqttd.V5, mqttd.V311} {
		t.Run(string(version), func(t *testing.T) { overMosquitto(t, version) })
	}
}

func overMosquitto(t *testing.T, version mqttd.Version) {
	broker := mosquitto.Start(t)
	g := hubtest.New(t, hubtest.Options{Options: hub.Options{Policy: byTool}})
	g.Agent("shop", nod.AgentWorking)

	background := func(work func(context.Context)) {
		var running sync.WaitGroup
		running.Go(func() { work(t.Context()) })
		t.Cleanup(running.Wait)
	}
	home := connect(t, background, mqttd.Options{URL: broker.URL(), Version: version, ClientID: "home"})
	const old = "homeassistant/device/nod_desk/old/config"
	if err := home.Publish(t.Context(), mqttd.Message{Topic: old, Payload: []byte(`{"left":"over"}`), QoS: 1, Retain: true}); err != nil {
		t.Fatal(err)
	}
	heard := make(chan mqttd.Message, 1000)
	for _, filter := range []string{"homeassistant/device/#", "nod/#"} {
		if err := home.Subscribe(t.Context(), filter, func(m mqttd.Message) { heard <- m }); err != nil {
			t.Fatal(err)
		}
	}
	var before []mqttd.Message // what was heard so far, in whatever order
	await := func(what string, is func(mqttd.Message) bool) {
		t.Helper()
		patience := time.After(20 * time.Second)
		for !slices.ContainsFunc(before, is) {
			select {
			case m := <-heard:
				before = append(before, m)
			case <-patience:
				t.Fatalf("no sign of %s", what)
			}
		}
	}
	on := func(topic, text string) func(mqttd.Message) bool {
		return func(m mqttd.Message) bool { return m.Topic == topic && strings.Contains(string(m.Payload), text) }
	}
	await("what is left over", on(old, "left"))

	ours := connect(t, g.Run, mqttd.Options{URL: broker.URL(), Version: version, ClientID: "nod", Status: mqttd.StatusTopic})
	o := optionsOf(g, ours)
	o.Trusted = true
	s := New(o.Config, o.Deps, o.Needs)
	s.delay = func() time.Duration { return time.Millisecond }
	g.Run(s.Run)
	await("the announcement", on("homeassistant/device/nod_desk/shop/config", `"unique_id":"nod_desk_shop_allow"`))
	await("the state", on("nod/nod_desk/shop/state", `"state":"working"`))
	await("the end of what was left over", func(m mqttd.Message) bool { return m.Topic == old && len(m.Payload) == 0 })

	before = nil
	if err := home.Publish(t.Context(), mqttd.Message{Topic: "homeassistant/status", Payload: []byte("online")}); err != nil {
		t.Fatal(err)
	}
	await("the announcement after the birth", on("homeassistant/device/nod_desk/shop/config", "shop"))

	g.Ask(hubtest.Approval("r1", func(r *nod.Request) { r.Agent = nod.AgentRef{ID: "shop"} }))
	await("the request", on("nod/nod_desk/shop/state", `"id":"r1"`))
	if err := home.Publish(t.Context(), mqttd.Message{Topic: "nod/nod_desk/shop/allow/set", Payload: []byte(`{"request":"r1"}`), QoS: 1}); err != nil {
		t.Fatal(err)
	}
	r, err := g.Link.Await(t.Context(), "r1")
	if err != nil || r.Status != nod.Decided || r.Decision.Verdict != nod.VerdictAllow {
		t.Fatalf("%+v, %v", r, err)
	}
	await("the event", on("nod/nod_desk/shop/event", `"event_type":"allowed"`))
	g.Stop()
	await("the goodbye", on(mqttd.StatusTopic, mqttd.Offline))
}

// connect starts a client, and waits until it is connected.
func connect(t *testing.T, run func(func(context.Context)), o mqttd.Options) *mqttd.Client {
	t.Helper()
	c, err := mqttd.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	run(c.Run)
	up := make(chan struct{}, 1)
	watching, stop := context.WithCancel(t.Context())
	defer stop()
	c.Watch(watching, func(yes bool) {
		if yes {
			select {
			case up <- struct{}{}:
			default:
			}
		}
	})
	select {
	case <-up:
	case <-time.After(20 * time.Second):
		t.Fatal("the broker does not answer")
	}
	return c
}
