package entities

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// wire is a bus that keeps what is published.
type wire struct {
	owned bool

	mu        sync.Mutex
	published []mqttd.Message
	retained  map[string][]byte
	subs      map[string]func(mqttd.Message)
	watch     func(bool)
	broken    bool
}

func (w *wire) Publish(_ context.Context, m mqttd.Message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return nod.Errorf(nod.Unavailable, "the broker is away")
	}
	w.published = append(w.published, m)
	if m.Retain {
		w.retained[m.Topic] = m.Payload
	}
	return nil
}

func (w *wire) Subscribe(_ context.Context, filter string, f func(mqttd.Message)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.subs[filter] = f
	return nil
}

func (w *wire) Watch(_ context.Context, f func(bool)) {
	w.watch = f
	go f(true)
}

func (w *wire) Owned() bool { return w.owned }

// deliver is a publish by another client.
func (w *wire) deliver(m mqttd.Message) {
	w.mu.Lock()
	var to []func(mqttd.Message)
	for filter, f := range w.subs {
		if mqttd.Matches(filter, m.Topic) {
			to = append(to, f)
		}
	}
	w.mu.Unlock()
	for _, f := range to {
		f(m)
	}
	synctest.Wait()
}

// took is what was published since the last call.
func (w *wire) took() []mqttd.Message {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.published
	w.published = nil
	return list
}

type rig struct {
	*hubtest.Rig
	wire *wire
	by   nod.Actor
}

// byTool judges by the tool's name alone.
var byTool = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	switch r.Tool {
	case "Wipe":
		return hub.Judgement{Risk: &nod.Risk{Level: "destructive"}}
	case "Pay":
		return hub.Judgement{Risk: &nod.Risk{Level: "network"}}
	case "Read":
		return hub.Judgement{Verdict: nod.VerdictAllow, Risk: &nod.Risk{Level: "read"}, Rule: "reads only"}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "write"}}
})

func newRig(t *testing.T, change ...func(*options, *wire)) *rig {
	t.Helper()
	g := &rig{wire: &wire{owned: true, retained: map[string][]byte{}, subs: map[string]func(mqttd.Message){}}}
	g.Rig = hubtest.New(t, hubtest.Options{Options: hub.Options{Policy: byTool, Proof: []string{"network"}}, Settle: synctest.Wait})
	g.by = nod.Actor{Kind: nod.ActorDevice, Name: "Home Assistant", ID: "token-1", Rights: nod.RightsOf(nod.View, nod.Answering)}
	o := optionsOf(g.Rig, g.wire)
	for _, f := range change {
		f(&o, g.wire)
	}
	s := New(o.Config, o.Deps, o.Needs)
	s.delay = func() time.Duration { return 2 * time.Second }
	g.Run(s.Run)
	return g
}

// options are everything that a test can change before the surface is made.
type options struct {
	Config
	adapter.Deps
	Needs
}

func optionsOf(g *hubtest.Rig, bus mqttd.Bus) options {
	o := options{
		Deps:  adapter.Deps{Deps: g.Deps(), Say: words.In(words.English), Address: func() string { return "http://desk:8742" }, Version: "1.2"},
		Needs: Needs{Bus: bus, ID: "desk", Status: mqttd.StatusTopic},
	}
	o.Defaults()
	return o
}

func (g *rig) agent(id string, state nod.AgentState) {
	g.Helper()
	g.Agent(nod.AgentID(id), state, func(a *nod.Agent) {
		a.Host, a.Cwd, a.Can = "desk", "/src/"+id, []nod.Ability{nod.CanSay, nod.CanInterrupt}
	})
}

func (g *rig) ask(r nod.Request) {
	g.Helper()
	if r.Kind == "" {
		r.Kind = nod.KindApproval
	}
	r.OneTap = r.Tool != "Long"
	if r.Input == nil {
		r.Input = json.RawMessage(`{}`)
	}
	g.Ask(r)
}

func (g *rig) status(id string) (status nod.Status, decision *nod.Decision) {
	g.Helper()
	r := g.Request(nod.RequestID(id))
	return r.Status, r.Decision
}

// press publishes an order, as Home Assistant does.
func (g *rig) press(name, verb, payload string) {
	g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/" + name + "/" + verb + "/set", Payload: []byte(payload), By: g.by})
}

// stateOf is the last state that was published of a device.
func (g *rig) stateOf(name string, list []mqttd.Message) map[string]any {
	g.Helper()
	var found map[string]any
	for _, m := range list {
		if m.Topic == "nod/nod_desk/"+name+"/state" {
			found = nil
			if err := json.Unmarshal(m.Payload, &found); err != nil {
				g.Fatal(err)
			}
		}
	}
	if found == nil {
		g.Fatalf("nothing was said of %s", name)
	}
	return found
}

// refusals are the messages of refused orders.
func refusals(list []mqttd.Message) (why []string) {
	for _, m := range list {
		var e struct {
			Type    string `json:"event_type"`
			Message string `json:"message"`
		}
		if strings.HasSuffix(m.Topic, "/event") && json.Unmarshal(m.Payload, &e) == nil && e.Type == "refused" {
			why = append(why, e.Message)
		}
	}
	return why
}

// lines are messages in a readable form.
func lines(list []mqttd.Message, whole bool) string {
	var b strings.Builder
	for _, m := range list {
		mark := ""
		if m.Retain {
			mark = " (retained)"
		}
		body := string(m.Payload)
		if strings.HasSuffix(m.Topic, "/config") && body != "" {
			var indented bytes.Buffer
			if err := json.Indent(&indented, m.Payload, "", "  "); err != nil {
				body = err.Error()
			} else if body = "…"; whole {
				body = indented.String()
			}
		}
		fmt.Fprintf(&b, "%s%s %s\n", m.Topic, mark, body)
	}
	return b.String()
}
