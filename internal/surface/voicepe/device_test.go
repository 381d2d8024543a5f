package voicepe_test

import (
	"testing"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/talk/scripted"
)

func byNod(o *options) { o.Owner = "nod" }

// nod runs the puck: the dial selects, the button confirms.
func TestNodRunsThePuck(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{change: byNod})
		g.asks("r1", "kubectl get nodes")
		g.light("solid", "orange")
		g.said("approval_prompt", "Run kubectl get nodes?")
		g.response(`{"type":"approval","requestId":"r1"}`) // for those who follow; not told any more once it is answered
		g.send("claude/input", `{"event":"dial_cw"}`)
		g.light("solid", "")
		g.status("r1", "pending")
		g.send("claude/input", `{"event":"button"}`)
		g.settled("r1", "allow by voice puck via voicepe")
	})
}

func TestNodRunsThePuckByVoice(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		asked := make(chan struct{}) // an answer that is there at once is said instead
		g := newRig(t, w, setup{change: byNod, script: func(turn *scripted.Turn) { <-asked; turn.Reply("Four.") }})
		g.send("claude/request", `{"text":"what is two plus two"}`)
		g.said("asking_claude", "")
		close(asked)
		g.said("answer", "Four.")
		g.response(`{"type":"response","text":"Four."}`)
		g.asks("r1", "ls")
		g.said("approval_prompt", "Run ls?")
		g.send("claude/input", `{"event":"voice","text":"no"}`)
		g.settled("r1", "deny by voice puck via voicepe")
		g.said("cancelled", "")
	})
}

// Only what people do may come over the wire, not what agents and timers do.
func TestOnlyHumanInputsAreAccepted(t *testing.T) {
	g := newRig(t, wires()[0], setup{change: byNod})
	g.asks("r1", "ls")
	g.response(`{"type":"approval"}`)
	for _, c := range [][2]string{{`"response"`, "event"}, {`"timeout"`, "event"}, {`"voice"`, "text"}, {`"voice_option"`, "option"}} {
		g.send("claude/input", `{"event":`+c[0]+`}`)
		g.response(`{"type":"error","code":"PARSE_ERROR","message":"` + c[1] + `"}`)
	}
	wall := g.connect("wall", "views")
	_ = wall.Publish(t.Context(), mqttd.Message{Topic: "claude/input", Payload: []byte(`{"event":"voice_yes"}`), QoS: 1})
	g.status("r1", "pending")
	if !g.refused("wall") {
		t.Error("nothing in the log says that wall tried")
	}
}

// What is dangerous is not allowed by turning and pressing.
func TestDangerousRequestCannotBeAllowedByPuck(t *testing.T) {
	g := newRig(t, wires()[0], setup{change: byNod})
	g.asks("r1", "rm -rf /", func(r *nod.Request) { r.OneTap = false })
	g.said("approval_on_screen", "")
	g.send("claude/input", `{"event":"voice_yes"}`)
	g.said("on_screen", "")
	g.status("r1", "pending")
}

// light waits until the ring is lit like this.
func (g *rig) light(mode, color string) {
	g.Helper()
	for {
		m := within(g.TB, g.heard["claude/led"], "a light "+mode+" "+color)
		if ring, _ := m["ring"].([]any); len(ring) != 12 {
			g.Errorf("the ring has %d LEDs", len(ring))
		}
		if m["mode"] == mode && (color == "" || m["color"] == color) {
			return
		}
	}
}

// said waits until something is said.
func (g *rig) said(key, words string) {
	g.Helper()
	for {
		m := within(g.TB, g.heard["claude/voice"], "the words "+key)
		if m["key"] == key && (words == "" || m["text"] == words) {
			return
		}
	}
}
