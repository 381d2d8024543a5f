package entities

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

const (
	mostCommand = 64 << 10
	readTime    = time.Second     // a request that is shown for a shorter time was not read
	repeatTime  = 3 * time.Second // the same text within this time is a redelivery
)

// commands handles what Home Assistant orders.
type commands struct {
	adapter.Deps
	Needs
	topics   topics
	present  presenter
	devices  *devices
	prompts  recentPrompts
	warnOnce sync.Once // a broker that does not say who publishes is logged once
}

// order is what a button or a list sends. A bare press carries nothing.
type order struct {
	Request nod.RequestID `json:"request"`
	Option  string        `json:"option"`
}

// handle handles what was pressed, chosen or typed.
func (c *commands) handle(ctx context.Context, m mqttd.Message) {
	name, verb, ok := c.topics.command(m.Topic)
	if !ok || m.Retain || len(m.Payload) > mostCommand { // a retained order is old
		return
	}
	agent := c.devices.named(name)
	if agent == "" && name != hubName {
		return
	}
	by, ok := c.actor(m)
	if !ok {
		c.warnOnce.Do(func() { c.Log.Warn(words.In(words.English).Say(words.EntityUntrusted), "topic", m.Topic) })
		c.refuse(ctx, name, "", c.Say.Say(words.EntityUntrusted))
		return
	}
	desk := c.Hub.Desk(by)
	if name == hubName {
		if verb == "stop" {
			_, err := desk.StopAll(ctx)
			c.log("everything could not be stopped", err)
		}
		return
	}
	var o order
	if verb != "prompt" && verb != "notify" && json.Unmarshal(m.Payload, &o) != nil {
		o = order{}
	}
	if problem := c.perform(ctx, desk, agent, verb, o, m.Payload); problem != "" {
		c.refuse(ctx, name, o.Request, problem)
	}
}

// perform does what was ordered. If it cannot, it returns the reason in words for a
// person.
func (c *commands) perform(ctx context.Context, desk hub.Desk, agent nod.AgentID, verb string, o order, words []byte) string {
	var err error
	switch verb {
	case "allow", "deny", "choice":
		return c.decide(ctx, desk, agent, verb, o)
	case "stop":
		_, err = desk.Interrupt(ctx, agent)
	case "prompt", "notify":
		text := string(words)
		if strings.TrimSpace(text) == "" || !c.prompts.first(string(agent)+"\n"+text, c.Now()) {
			return ""
		}
		_, err = desk.Say(ctx, nod.Message{ID: nod.MessageID(strings.ToLower(rand.Text())), Agent: agent, Text: text})
	}
	c.log("something from Home Assistant was not done", err)
	if err != nil {
		return nod.MessageOf(err)
	}
	return ""
}

// decide answers the request that the device shows, and no other.
func (c *commands) decide(ctx context.Context, desk hub.Desk, agent nod.AgentID, verb string, o order) string {
	shown := c.devices.shown(agent)
	switch {
	case shown.request == "":
		return c.Say.Say(words.EntityNothing)
	case o.Request != "" && o.Request != shown.request, !shown.changedAt.IsZero() && c.Now().Sub(shown.changedAt) < readTime:
		return c.Say.Say(words.EntityLookAgain)
	}
	answer := nod.Answer{Verdict: nod.VerdictDeny}
	switch verb {
	case "allow":
		// Checked again here, because any client can publish to a topic.
		if v := c.present.look(agent, ""); v == nil || v.asked == nil || v.asked.ID != shown.request {
			return c.Say.Say(words.EntityLookAgain)
		} else if !v.allow {
			return c.Say.Say(words.EntityOnScreen)
		}
		answer.Verdict = nod.VerdictAllow
	case "choice":
		chosen, known := shown.choices[o.Option]
		if !known {
			return c.Say.Say(words.EntityNoChoice)
		}
		answer = chosen
	}
	_, err := desk.Decide(ctx, shown.request, answer)
	c.log("an answer from Home Assistant did not count", err)
	if err != nil {
		return nod.MessageOf(err)
	}
	return ""
}

// actor is who published a message. Another broker does not say: it counts only if its
// accounts are trusted.
func (c *commands) actor(m mqttd.Message) (nod.Actor, bool) {
	by := m.By
	if !c.Bus.Owned() {
		by = nod.Actor{Kind: nod.ActorDevice, Name: "Home Assistant", ID: "mqtt", Rights: nod.RightsOf(nod.View, nod.Answering)}
		if !c.Trusted {
			return nod.Actor{}, false
		}
	}
	by.Via = via
	return by, true
}

// refuse publishes to the event entity why an order was not carried out.
func (c *commands) refuse(ctx context.Context, name string, id nod.RequestID, why string) {
	body := marshal(map[string]any{"event_type": "refused", "message": cut(why, mostState), "request": cut(string(id), mostState)})
	hurry, stop := context.WithTimeout(ctx, publishTime)
	defer stop()
	if err := c.Bus.Publish(hurry, mqttd.Message{Topic: c.topics.of(name, "event"), Payload: body, QoS: 1}); err != nil {
		c.Log.Debug("a refusal was not told", "err", err)
	}
}

func (c *commands) log(what string, err error) {
	if err != nil {
		c.Log.Info(what, "err", err)
	}
}

// recentPrompts are those of the last seconds: a broker may deliver one twice.
type recentPrompts struct {
	mu sync.Mutex
	of map[string]time.Time
}

func (h *recentPrompts) first(what string, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string]time.Time{}
	}
	for old, at := range h.of {
		if now.Sub(at) > repeatTime {
			delete(h.of, old)
		}
	}
	_, twice := h.of[what]
	h.of[what] = now
	return !twice
}
