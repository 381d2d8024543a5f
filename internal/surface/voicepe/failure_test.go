package voicepe_test

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/talk/scripted"
)

// clock is a time that a test moves.
type clock struct{ c chan time.Time }

func (c clock) now() time.Time {
	t := <-c.c
	c.c <- t
	return t
}

func (c clock) pass(d time.Duration) { c.c <- (<-c.c).Add(d) }

// Scenario 5: every failure has its code, and a sentence that fits it.
func TestFailuresSayWhatFailed(t *testing.T) {
	refuses := func(turn *scripted.Turn) {
		switch turn.Message.Text {
		case "limit":
			turn.Fail(nod.TroubleLimit, "usage limit")
		case "login":
			turn.Fail(nod.TroubleLogin, "not signed in")
		case "crash":
			turn.Fail(nod.TroubleProgram, "exit 1")
		default:
			turn.Reply("Fine.")
		}
	}
	clock := clock{make(chan time.Time, 1)}
	clock.c <- time.Now()
	g := newRig(t, wires()[0], setup{script: refuses, change: func(o *options) { o.Now = clock.now }})
	for _, c := range []struct{ topic, payload, want string }{
		{"request", `{"text":7}`, `{"code":"PARSE_ERROR","message":"text","text":"The message on claude request cannot be read. Check its field text."}`},
		{"request", `{`, `{"code":"PARSE_ERROR","message":"message","text":"The message on claude request is not JSON."}`},
		{"request", `{"text":7,"language":"pl"}`, `{"code":"PARSE_ERROR","message":"text"}`},
		{"approval-response", `{"requestId":"r1"}`, `{"code":"PARSE_ERROR","message":"type","text":"The message on claude approval-response cannot be read. Check its field type."}`},
		{"request", `{"text":"login"}`, `{"code":"HTTP_ERROR","message":"503"}`},
		{"request", `{"text":"limit"}`, `{"code":"HTTP_ERROR","message":"503"}`},
		{"request", `{"text":"crash"}`, `{"code":"HTTP_ERROR","message":"503"}`},
	} {
		clock.pass(time.Second) // only a few errors are told in a second
		g.send("claude/"+c.topic, c.payload)
		m := g.response(c.want)
		if said, _ := m["text"].(string); m["type"] != "error" || said == "" || strings.Contains(said, "Automation") || strings.Contains(said, "Claude returned") {
			t.Errorf("%s: it says %v", c.payload, m)
		}
	}
}

func TestTooManyQuestions(t *testing.T) {
	g := newRig(t, wires()[0], setup{script: func(turn *scripted.Turn) { turn.Reply("Fine.") }, change: func(o *options) { o.Rate = 1 }})
	g.send("claude/request", `{"text":"one"}`)
	g.response(`{"type":"question"}`)
	g.send("claude/request", `{"text":"two"}`)
	g.response(`{"type":"error","code":"HTTP_ERROR","message":"429","text":"Too many questions at once. Wait a moment."}`)
}

func TestWithoutAnAssistant(t *testing.T) {
	g := newRig(t, wires()[0], setup{})
	g.send("claude/request", `{"text":"hello"}`)
	g.response(`{"type":"error","code":"HTTP_ERROR","message":"503","text":"No assistant is set up for this device."}`)
}

// Scenario 7: a conversation whose ring is dark is gone back to by its name, and goes on.
func TestResume(t *testing.T) {
	c := clock{make(chan time.Time, 1)}
	c.c <- time.Now()
	g := newRig(t, wires()[0], setup{
		script: func(turn *scripted.Turn) { turn.Reply("You said " + turn.Message.Text + ".") },
		change: func(o *options) { o.Now = c.now },
	})
	g.send("claude/request", `{"text":"to resume","source":"pe"}`)
	g.response(`{"type":"question","text":"There is no conversation to go back to."}`)
	g.send("claude/request", `{"text":"how is the cluster","source":"pe"}`)
	first := g.response(`{"type":"question","turnNumber":1}`)["conversationId"]
	c.pass(5 * time.Minute)
	g.send("claude/request", `{"text":"Resume.","source":"pe"}`)
	g.response(`{"type":"resumed","text":"how is the cluster","turnNumber":1,"conversationId":` + text(first) + `}`)
	g.send("claude/request", `{"text":"and now","source":"pe"}`)
	g.response(`{"type":"question","text":"You said and now.","turnNumber":2,"conversationId":` + text(first) + `}`)
	c.pass(5 * time.Minute)
	g.send("claude/request", `{"text":"something else","source":"pe"}`)
	if m := g.response(`{"type":"question","text":"You said something else."}`); m["conversationId"] == first {
		t.Error("a dark ring continues without being asked to")
	}
}
