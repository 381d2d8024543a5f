package voicepe_test

import (
	"strconv"
	"testing"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/talk/scripted"
)

// Scenario 2: one approval, in both forms of the answer.
func TestOneApproval(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		g.asks("r1", "kubectl get nodes")
		g.response(`{"type":"approval","requestId":"r1","command":"kubectl get nodes","conversationId":"agent-1","agent":"build","speech":"Run kubectl get nodes?"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
		g.settled("r1", "allow by "+g.name())

		g.rests()
		g.asks("r2", "ls")
		g.response(`{"type":"approval","requestId":"r2"}`)
		g.send("claude/approval-response", `{"requestId":"r2","approved":false,"source":"voice_pe_dial"}`)
		g.settled("r2", "deny by "+g.name())

		g.asks("r3", "ls")
		g.response(`{"type":"approval","requestId":"r3"}`)
		g.send("claude/approval-response", `{"requestId":"r3","approved":"true"}`)
		g.settled("r3", "allow by "+g.name())
		g.silent()
	})
}

// The command is exact, for a screen and for programs; what is spoken is in speech, in the language of the voice.
func TestCommandIsExact(t *testing.T) {
	const script = "printf 'a  b' |\n\ttee \\\n  out.txt"
	for language, speech := range map[string]string{
		"en": "Run kubectl apply, file manifest.yaml?", "pl": "Uruchomić kubectl apply, plik manifest.yaml?", "ja": "kubectl apply、ファイル manifest.yaml を実行しますか?",
	} {
		g := newRig(t, wires()[0], setup{change: func(o *options) { o.Language, o.Homelab = language, true }})
		g.asks("r1", "kubectl apply -f manifest.yaml")
		g.response(`{"type":"approval","requestId":"r1","command":"kubectl apply -f manifest.yaml","speech":` + text(speech) + `}`)
		g.hears("approval-request", `{"requestId":"r1","input":{"command":"kubectl apply -f manifest.yaml","description":`+text(speech)+`}}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"rejected"}`)
		g.settled("r1", "deny by "+g.name())
		g.asks("r2", script)
		g.response(`{"type":"approval","requestId":"r2","command":` + text(script) + `}`)
	}
}

// Scenario 3: several approvals of one agent come one after the other, and one
// no ends them all.
func TestSeveralApprovals(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		g.asks("r1", "one")
		g.response(`{"type":"approval","requestId":"r1"}`)
		g.asks("r2", "two")
		g.asks("r3", "three")
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
		g.response(`{"type":"multi_approval","requestId":"r2","approvalIndex":2,"approvalTotal":3,"command":"two","speech":"2 of 3: run two?"}`)
		g.send("claude/approval-response", `{"requestId":"r2","type":"rejected","reason":"user_reject"}`)
		g.settled("r2", "deny by "+g.name())
		g.Hub.Look(func(s *nod.State) {
			if d := s.Requests["r2"].Decision; !d.Stop {
				t.Error("the task was not told to stop")
			}
		})
	})
}

// Claude Code asks one at a time: the second is counted within the task, until the agent rests.
func TestApprovalsOfATaskAreCounted(t *testing.T) {
	for language, speech := range map[string]string{
		"en": "Second of this task: run two?", "pl": "Druga zgoda w tym zadaniu: uruchomić two?", "ja": "この作業の2件目。two を実行しますか?",
	} {
		g := newRig(t, wires()[0], setup{change: func(o *options) { o.Language = language }})
		g.asks("r1", "one")
		g.response(`{"type":"approval","requestId":"r1"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
		g.settled("r1", "allow by "+g.name())
		g.asks("r2", "two")
		g.response(`{"type":"multi_approval","requestId":"r2","approvalIndex":2,"approvalTotal":2,"speech":` + text(speech) + `}`)
		g.send("claude/approval-response", `{"requestId":"r2","type":"approved"}`)
		g.settled("r2", "allow by "+g.name())
		g.rests()
		g.asks("r3", "three")
		g.response(`{"type":"approval","requestId":"r3"}`)
	}
}

// Scenario 6: at most five options, one question at a time.
func TestChoice(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		choices := func(labels ...string) (list []nod.Choice) {
			for _, l := range labels {
				list = append(list, nod.Choice{Label: l})
			}
			return list
		}
		g.asks("q1", "", func(r *nod.Request) {
			r.Kind, r.Tool, r.Input, r.Title = nod.KindQuestion, "AskUserQuestion", nil, "Which service?"
			r.Questions = []nod.Question{
				{Text: "Which service?", Choices: choices("nginx", "postgres", "redis", "a", "b", "c")},
				{Text: "Now?", Choices: choices("Yes", "Later")},
			}
		})
		g.response(`{"type":"choice","requestId":"q1","question":"Which service?","options":["nginx","postgres","redis","a","b"]}`)
		g.send("claude/approval-response", `{"requestId":"q1","type":"choice","selectedOption":6}`)
		g.response(`{"type":"error","code":"PARSE_ERROR","message":"selectedOption"}`)
		g.send("claude/approval-response", `{"requestId":"q1","type":"choice","selectedOption":2}`)
		g.response(`{"type":"choice","requestId":"q1.2","question":"Now?","options":["Yes","Later"]}`)
		g.send("claude/approval-response", `{"requestId":"q1","type":"choice","selectedOption":2}`) // again: it answers nothing
		g.send("claude/approval-response", `{"requestId":"q1.2","type":"choice","selectedOption":"later"}`)
		g.settled("q1", "answer by "+g.name())
		g.Hub.Look(func(s *nod.State) {
			a := s.Requests["q1"].Decision.Answers
			if a["Which service?"].Joined() != "postgres" || a["Now?"].Joined() != "Later" {
				t.Errorf("answers %v", a)
			}
		})
		g.silent()
	})
}

// Scenarios 1 and 4: a question, and one that goes on.
func TestConversation(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		asked := 0
		g := newRig(t, w, setup{script: func(turn *scripted.Turn) {
			if asked++; asked == 1 {
				turn.Reply("**Four.**")
				return
			}
			turn.Ask(nod.Request{ID: nod.RequestID("r" + strconv.Itoa(asked)), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: uptime", Input: []byte(`{"command":"uptime"}`), OneTap: true, Risk: &nod.Risk{Level: "read"}})
			turn.Reply("All three nodes are ready.")
		}})
		g.send("claude/request", `{"text":"what is two plus two","source":"voice_pe"}`)
		first := g.response(`{"type":"question","text":"Four."}`)
		g.send("claude/request", `{"text":"and the nodes","source":"voice_pe"}`)
		g.response(`{"type":"approval","requestId":"r2","command":"uptime","conversationId":` + text(first["conversationId"]) + `}`)
		g.send("claude/approval-response", `{"requestId":"r2","type":"approved"}`)
		g.response(`{"type":"response","text":"All three nodes are ready.","turnNumber":2,"conversationId":` + text(first["conversationId"]) + `}`)
		g.send("claude/request", `{"text":"go on","conversationId":`+text(first["conversationId"])+`}`)
		g.response(`{"type":"approval","requestId":"r3"}`)
	})
}

// After a number of turns a new conversation begins.
func TestNewConversationAfterMostTurns(t *testing.T) {
	g := newRig(t, wires()[0], setup{
		script: func(turn *scripted.Turn) { turn.Reply("Yes.") },
		change: func(o *options) { o.Turns = 2 },
	})
	var ids []any
	for _, words := range []string{"one", "two", "three"} {
		g.send("claude/request", `{"text":"`+words+`"}`)
		ids = append(ids, g.response(`{"type":"question"}`)["conversationId"])
	}
	if ids[0] != ids[1] || ids[1] == ids[2] {
		t.Errorf("conversations %v", ids)
	}
}

// A timeout at the puck is no answer: the request waits for another surface.
func TestPuckTimeout(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		g.asks("r1", "one")
		g.response(`{"type":"approval","requestId":"r1"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"rejected","reason":"timeout"}`)
		g.silent()
		g.status("r1", "pending")
		g.asks("r2", "two", func(r *nod.Request) { r.Agent.ID = "agent-2" })
		g.response(`{"type":"approval","requestId":"r2"}`) // and is not shown again
	})
	t.Run("unless it is told otherwise", func(t *testing.T) {
		g := newRig(t, wires()[0], setup{change: func(o *options) { o.TimeoutDenies = true }})
		g.asks("r1", "one")
		g.response(`{"type":"approval"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"rejected","reason":"timeout"}`)
		g.settled("r1", "deny by kitchen via voicepe")
	})
}

// A request that is answered elsewhere is withdrawn, and the next one is shown.
func TestAnsweredElsewhere(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{})
		g.asks("r1", "one")
		g.response(`{"type":"approval","requestId":"r1"}`)
		g.asks("r2", "two", func(r *nod.Request) { r.Agent.ID = "agent-2" })
		g.Decide("r1", nod.VerdictDeny)
		g.response(`{"type":"withdrawn","requestId":"r1"}`)
		g.response(`{"type":"approval","requestId":"r2"}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`) // too late
		g.silent()
		g.status("r1", "deny by anna via web")
		g.status("r2", "pending")
	})
}

// What is dangerous, or takes a passkey, cannot be allowed by a yes; a no counts.
func TestYesIsNotEnough(t *testing.T) {
	for name, change := range map[string]func(*nod.Request){
		"not one tap": func(r *nod.Request) { r.OneTap = false },
		"destructive": func(r *nod.Request) { r.Risk = &nod.Risk{Level: "destructive"} },
		"passkey":     func(r *nod.Request) { r.Risk = &nod.Risk{Level: "network"} },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, wires()[0], setup{proof: []string{"network"}})
			g.asks("r1", "rm -rf build", change)
			g.response(`{"type":"approval","requestId":"r1","onScreen":true}`)
			g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
			g.response(`{"type":"error","code":"ON_SCREEN","requestId":"r1"}`)
			g.status("r1", "pending")
			g.send("claude/approval-response", `{"requestId":"r1","type":"rejected"}`)
			g.settled("r1", "deny by kitchen via voicepe")
		})
	}
}

// The older homelab's topics.
func TestHomelabTopics(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{script: func(turn *scripted.Turn) { turn.Reply("Fine.") }, change: func(o *options) { o.Homelab = true }})
		g.asks("r1", "uptime")
		m := g.hears("approval-request", `{"requestId":"r1","toolName":"Bash","sessionId":"agent-1","sourceDevice":"nod"}`)
		if in, _ := m["input"].(map[string]any); in["command"] != "uptime" {
			t.Errorf("input %v", m["input"])
		}
		g.send("claude/approval-response", `{"requestId":"r1","approved":true,"source":"voice_pe_button"}`)
		g.settled("r1", "allow by "+g.name())
		g.send("claude/command", `{"command":"how are you","sourceDevice":"pe"}`)
		g.hears("home/response", `{"type":"answer","content":"Fine."}`)
		g.hears("home/response", `{"type":"complete"}`)
	})
}

// A request that arrives twice, because brokers redeliver, is asked once.
func TestDuplicateRequest(t *testing.T) {
	heard := make(chan string, 10)
	g := newRig(t, wires()[0], setup{script: func(turn *scripted.Turn) { heard <- turn.Message.Text; turn.Reply("Yes.") }})
	for range 3 {
		g.send("claude/request", `{"text":"turn it off"}`)
		g.send("claude/request", `{"text":"and on","requestId":"u1"}`)
	}
	g.response(`{"type":"question"}`)
	g.response(`{"type":"question"}`)
	g.silent()
	if n := len(heard); n != 2 {
		t.Errorf("the assistant heard %d messages", n)
	}
}

// The broker is killed while something waits: it is shown again when it is back,
// and answers count as before.
func TestBrokerRestart(t *testing.T) {
	for _, v := range []mqttd.Version{mqttd.V5, mqttd.V311} {
		t.Run(string(v), func(t *testing.T) {
			g := newRig(t, wire{"mosquitto", false, v}, setup{})
			g.asks("r1", "one")
			g.response(`{"type":"approval","requestId":"r1"}`)
			g.other.Kill()
			g.asks("r2", "two", func(r *nod.Request) { r.Agent.ID = "agent-2" })
			g.other.Begin()
			// The device may not be back in time for the first copy: the hub sends another
			// one at every reconnect.
			g.up(g.device)
			g.up(g.bus)
			g.sendUntil("claude/approval-response", `{"requestId":"r1","type":"approved"}`, "r1")
			g.status("r1", "allow by "+g.name())
			g.sendUntil("claude/approval-response", `{"requestId":"r2","type":"approved"}`, "r2")
		})
	}
}

func (g *rig) sendUntil(topic, payload, id string) {
	g.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		_ = g.device.Publish(g.Context(), mqttd.Message{Topic: topic, Payload: []byte(payload), QoS: 1})
		select {
		case <-g.Link.Settled(nod.RequestID(id)):
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	g.Fatalf("%s was never answered", id)
}
