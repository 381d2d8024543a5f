package voicepe_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/talk/scripted"
)

// A malformed message is answered with the field that is wrong.
func TestHostileMessages(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		now := time.Now()
		g := newRig(t, w, setup{script: func(turn *scripted.Turn) { turn.Reply("Yes.") }, change: func(o *options) {
			var mu sync.Mutex
			o.Now = func() time.Time { // errors are rate limited
				mu.Lock()
				defer mu.Unlock()
				now = now.Add(time.Second)
				return now
			}
		}})
		g.asks("r1", "one")
		g.response(`{"type":"approval"}`)
		for _, c := range []struct{ topic, payload, field string }{
			{"request", `{`, "message"}, {"request", `[]`, "message"}, {"request", `null`, "message"}, {"request", "\xff\xfe", "message"},
			{"request", `{}`, "text"}, {"request", `{"text":7}`, "text"}, {"request", `{"text":"  "}`, "text"},
			{"request", `{"text":"` + strings.Repeat("x", 5000) + `"}`, "text"},
			{"request", `{"text":"hi","conversationId":{}}`, "conversationId"},
			{"request", `{"text":"` + strings.Repeat("x", 70_000) + `"}`, "message"},
			{"request", strings.Repeat("[", 20_000), "message"},
			{"approval-response", `{"type":"approved"}`, "requestId"},
			{"approval-response", `{"requestId":"r1"}`, "type"},
			{"approval-response", `{"requestId":"r1","type":"APPROVED"}`, "type"},
			{"approval-response", `{"requestId":"r1","type":"approved","approved":false}`, "approved"},
			{"approval-response", `{"requestId":"r1","approved":1}`, "approved"},
			{"approval-response", `{"requestId":"r1","approved":"yes"}`, "approved"},
			{"approval-response", `{"requestId":"r1","type":"choice"}`, "selectedOption"},
			{"approval-response", `{"requestId":"r1","type":"choice","selectedOption":-1}`, "selectedOption"},
			{"approval-response", `{"requestId":"r1","type":"choice","selectedOption":1}`, "type"}, // it is no choice
			{"approval-response", `{"requestId":["r1"],"type":"approved"}`, "requestId"},
		} {
			g.send("claude/"+c.topic, c.payload)
			m := g.response(`{"type":"error","code":"PARSE_ERROR","message":"` + c.field + `"}`)
			if s, _ := m["text"].(string); !strings.Contains(s, c.field) {
				t.Errorf("%.60s: the sentence does not name the field: %q", c.payload, s)
			}
		}
		g.status("r1", "pending")
	})
}

// An answer to something that was not shown here is for another bridge, and no error.
// Nor can it answer what was not spoken yet.
func TestAnswersForAnotherBridgeAreIgnored(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		g.asks("r1", "one")
		g.response(`{"type":"approval","requestId":"r1"}`)
		g.asks("r2", "two", func(r *nod.Request) { r.Agent.ID = "agent-2" }) // waits behind it
		g.send("claude/approval-response", `{"requestId":"8c6d","type":"approved"}`)
		g.send("claude/approval-response", `{"requestId":"r2","type":"approved"}`)
		g.silent()
		g.status("r1", "pending")
		g.status("r2", "pending")
		// Two bridges of nod, each with a hub of its own: each acts on its own.
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"rejected"}`)
		g.settled("r1", "allow by "+g.name())
		g.response(`{"type":"approval","requestId":"r2"}`)
		g.silent()
		g.status("r1", "allow by "+g.name())
	})
}

// At nod's own broker a device that may only view cannot answer, and its attempt is in
// the log.
func TestAnswerWithoutTheRight(t *testing.T) {
	for _, w := range wires()[:2] {
		t.Run(w.name, func(t *testing.T) {
			g := newRig(t, w, setup{})
			g.asks("r1", "one")
			g.response(`{"type":"approval"}`)
			wall := g.connect("wall", "views")
			_ = wall.Publish(t.Context(), mqttd.Message{Topic: "claude/approval-response", Payload: []byte(`{"requestId":"r1","type":"approved"}`), QoS: 1})
			g.silent()
			g.status("r1", "pending")
			if !g.refused("wall") {
				t.Error("nothing in the log says that wall tried")
			}
		})
	}
}

func (g *rig) refused(name string) bool {
	events, err := g.Desk().Log(g.Context(), 0, 1000)
	if err != nil {
		g.Fatal(err)
	}
	return slices.ContainsFunc(events, func(e nod.Event) bool {
		return e.Kind == nod.AccessRefused && e.By != nil && e.By.Name == name
	})
}

// Answers from a broker without accounts do not count, unless the configuration says so.
func TestUntrustedBroker(t *testing.T) {
	g := newRig(t, wires()[2], setup{change: func(o *options) { o.Trusted = false }})
	g.asks("r1", "one")
	g.response(`{"type":"approval"}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	m := g.response(`{"type":"error","code":"HTTP_ERROR","requestId":"r1","text":"nod cannot know who answers. Give it an account at the MQTT broker."}`)
	g.status("r1", "pending")
	if why, _ := m["message"].(string); !strings.Contains(why, "trust_broker") {
		t.Errorf("the error does not say what to do: %q", why)
	}
}

// Retained messages are not acted on.
func TestRetainedMessagesAreIgnored(t *testing.T) {
	g := newRig(t, wire{"mosquitto", false, mqttd.V5}, setup{})
	g.asks("r1", "one")
	g.response(`{"type":"approval"}`)
	keep := func(topic, payload string) {
		if err := g.device.Publish(t.Context(), mqttd.Message{Topic: topic, Payload: []byte(payload), QoS: 1, Retain: true}); err != nil {
			t.Fatal(err)
		}
	}
	keep("test/approval-response", `{"requestId":"r1","type":"approved"}`)
	keep("test/request", "\x00\x01garbage")
	o := g.options()
	o.Prefix = "test"
	g.listen(g.device, "test/response")
	g.serve(o)
	within(t, g.heard["test/response"], "the approval on the other prefix")
	g.send("test/approval-response", `{"requestId":"fence"}`)
	if m := within(t, g.heard["test/response"], "the fence"); m["message"] != "type" {
		t.Errorf("got %v", m)
	}
	g.status("r1", "pending")
}

// A flood of malformed messages does not cause a flood of answers or log lines.
func TestFloodIsRateLimited(t *testing.T) {
	g := newRig(t, wires()[0], setup{})
	for range 200 {
		if err := g.device.Publish(t.Context(), mqttd.Message{Topic: "claude/request", Payload: []byte("{"), QoS: 0}); err != nil {
			t.Fatal(err)
		}
	}
	g.asks("r1", "one")
	n := 0
	for m := range g.heard["claude/response"] {
		if m["type"] == "approval" {
			break
		}
		n++
	}
	if lines := strings.Count(g.Logs.String(), "level=WARN"); n > 50 || lines > 20 {
		t.Errorf("%d answers, %d lines", n, lines)
	}
}
