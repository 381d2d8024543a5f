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
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

const (
	mostCommand = 64 << 10
	readTime    = time.Second     // a request that is shown for less was not read
	repeatTime  = 3 * time.Second // the same words within this time were delivered twice
)

// order is what a button or a list sends. A bare press carries nothing.
type order struct {
	Request nod.RequestID `json:"request"`
	Option  string        `json:"option"`
}

// command handles what was pressed, chosen or typed.
func (s *Surface) command(ctx context.Context, m mqttd.Message) {
	name, verb, ok := s.commandOf(m.Topic)
	if !ok || m.Retain || len(m.Payload) > mostCommand { // a retained order is old
		return
	}
	s.mu.Lock()
	agent := s.named(name)
	s.mu.Unlock()
	if agent == "" && name != hubName {
		return
	}
	by, ok := s.actor(m)
	if !ok {
		s.refuse.Do(func() { s.Log.Warn(words.In(words.English).Say(words.EntityUntrusted), "topic", m.Topic) })
		s.complain(ctx, name, "", s.Say.Say(words.EntityUntrusted))
		return
	}
	desk := s.Hub.Desk(by)
	if name == hubName {
		if verb == "stop" {
			_, err := desk.StopAll(ctx)
			s.log("everything could not be stopped", err)
		}
		return
	}
	var o order
	if verb != "prompt" && verb != "notify" && json.Unmarshal(m.Payload, &o) != nil {
		o = order{}
	}
	if problem := s.obey(ctx, desk, agent, verb, o, m.Payload); problem != "" {
		s.complain(ctx, name, o.Request, problem)
	}
}

// obey does what was ordered, and returns why not, in words for a person.
func (s *Surface) obey(ctx context.Context, desk hub.Desk, agent nod.AgentID, verb string, o order, words []byte) string {
	var err error
	switch verb {
	case "allow", "deny", "choice":
		return s.decide(ctx, desk, agent, verb, o)
	case "stop":
		_, err = desk.Interrupt(ctx, agent)
	case "prompt", "notify":
		text := string(words)
		if strings.TrimSpace(text) == "" || !s.prompts.first(string(agent)+"\n"+text, s.Now()) {
			return ""
		}
		_, err = desk.Say(ctx, nod.Message{ID: nod.MessageID(strings.ToLower(rand.Text())), Agent: agent, Text: text})
	}
	s.log("something from Home Assistant was not done", err)
	if err != nil {
		return nod.MessageOf(err)
	}
	return ""
}

// decide answers the request that the device shows, and no other.
func (s *Surface) decide(ctx context.Context, desk hub.Desk, agent nod.AgentID, verb string, o order) string {
	s.mu.Lock()
	d := s.devices[agent]
	var shown nod.RequestID
	var parted time.Time
	var chosen nod.Answer
	known := false
	if d != nil {
		shown, parted = d.shown, d.parted
		chosen, known = d.choices[o.Option]
	}
	s.mu.Unlock()
	switch {
	case shown == "":
		return s.Say.Say(words.EntityNothing)
	case o.Request != "" && o.Request != shown, !parted.IsZero() && s.Now().Sub(parted) < readTime:
		return s.Say.Say(words.EntityLookAgain)
	}
	answer := nod.Answer{Verdict: nod.VerdictDeny}
	switch verb {
	case "allow":
		// Whether a press is enough is checked again: anybody can publish to a topic.
		if v := s.look(agent, ""); v == nil || v.asked == nil || v.asked.ID != shown {
			return s.Say.Say(words.EntityLookAgain)
		} else if !v.allow {
			return s.Say.Say(words.EntityOnScreen)
		}
		answer.Verdict = nod.VerdictAllow
	case "choice":
		if !known {
			return s.Say.Say(words.EntityNoChoice)
		}
		answer = chosen
	}
	_, err := desk.Decide(ctx, shown, answer)
	s.log("an answer from Home Assistant did not count", err)
	if err != nil {
		return nod.MessageOf(err)
	}
	return ""
}

func (s *Surface) commandOf(topic string) (name, verb string, ok bool) {
	rest, ok := strings.CutPrefix(topic, "nod/"+s.node+"/")
	name, rest, cut := strings.Cut(rest, "/")
	verb, set := strings.CutSuffix(rest, "/set")
	return name, verb, ok && cut && set
}

// actor is who publishes. Another broker does not say who that is: its accounts are
// what guards it, if it has any.
func (s *Surface) actor(m mqttd.Message) (nod.Actor, bool) {
	by := m.By
	if !s.Bus.Owned() {
		by = nod.Actor{Kind: nod.ActorDevice, Name: "Home Assistant", ID: "mqtt", Rights: nod.RightsOf(nod.View, nod.Answering)}
		if !s.Trusted {
			return nod.Actor{}, false
		}
	}
	by.Via = via
	return by, true
}

// complain publishes to the event entity why nothing happened.
func (s *Surface) complain(ctx context.Context, name string, id nod.RequestID, why string) {
	body := marshal(map[string]any{"event_type": "refused", "message": cut(why, mostState), "request": cut(string(id), mostState)})
	hurry, stop := context.WithTimeout(ctx, publishTime)
	defer stop()
	if err := s.Bus.Publish(hurry, mqttd.Message{Topic: s.topic(name, "event"), Payload: body, QoS: 1}); err != nil {
		s.Log.Debug("a refusal was not told", "err", err)
	}
}

func (s *Surface) log(what string, err error) {
	if err != nil {
		s.Log.Info(what, "err", err)
	}
}

// recentPrompts is what was said to agents just now: a broker may deliver twice.
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
