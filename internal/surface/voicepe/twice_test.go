package voicepe_test

import (
	"testing"

	"nod"
	"nod/internal/talk/scripted"
)

func destructive(r *nod.Request) { r.Risk = &nod.Risk{Level: "destructive"} }

func unknown(r *nod.Request) { r.Risk = &nod.Risk{Level: "unknown"} }

// A destructive command that the person named is read back, and a second yes allows it.
func TestNamedCommandTakesASecondYes(t *testing.T) {
	over(t, func(t *testing.T, w wire) {
		g := newRig(t, w, setup{change: func(o *options) { o.Allow = []string{"kubectl apply"} }})
		g.asks("r1", "kubectl apply -f manifest.yaml", destructive)
		g.response(`{"type":"approval","requestId":"r1","speech":"Run kubectl apply, file manifest.yaml?","onScreen":null}`)
		g.send("claude/approval-response", `{"requestId":"r1.sure","type":"approved"}`) // not asked yet
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
		g.response(`{"type":"approval","requestId":"r1.sure","command":"kubectl apply -f manifest.yaml","speech":"Sure? kubectl apply, file manifest.yaml. Say yes again."}`)
		g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`) // the first one, delivered again
		g.silent()
		g.status("r1", "pending")
		g.send("claude/approval-response", `{"requestId":"r1.sure","type":"approved"}`)
		g.settled("r1", "allow by "+g.name())
		g.asks("r2", "kubectl delete -f manifest.yaml", destructive) // not named
		g.response(`{"requestId":"r2","onScreen":true}`)
		g.send("claude/approval-response", `{"requestId":"r2","type":"approved"}`)
		g.response(`{"type":"error","code":"ON_SCREEN"}`)
		g.status("r2", "pending")
	})
}

// Without the setting it needs a screen.
func TestUnnamedCommandNeedsAScreen(t *testing.T) {
	g := newRig(t, wires()[0], setup{})
	g.asks("r1", "kubectl apply -f manifest.yaml", destructive)
	g.response(`{"type":"approval","requestId":"r1","onScreen":true}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	g.response(`{"type":"error","code":"ON_SCREEN"}`)
	g.status("r1", "pending")
}

// What nod cannot look into takes two, in words too; a no counts at once.
func TestUnknownRiskTakesASecondYes(t *testing.T) {
	g := newRig(t, wires()[0], setup{script: func(turn *scripted.Turn) { turn.Reply("Fine.") }})
	g.asks("r1", "make test", unknown)
	g.response(`{"type":"approval","requestId":"r1"}`)
	g.send("claude/request", `{"text":"yes"}`)
	g.response(`{"type":"approval","requestId":"r1.sure","speech":"Sure? make test. Say yes again."}`)
	g.status("r1", "pending")
	g.send("claude/request", `{"text":"Yes, please."}`)
	g.settled("r1", "allow by "+g.name())
	g.rests()
	g.asks("r2", "make test", unknown)
	g.response(`{"type":"approval","requestId":"r2"}`)
	g.send("claude/approval-response", `{"requestId":"r2","type":"approved"}`)
	g.response(`{"requestId":"r2.sure"}`)
	g.Decide("r2", nod.VerdictDeny)
	g.response(`{"type":"withdrawn","requestId":"r2.sure"}`)
}

// Where nod runs the puck, its own table asks again.
func TestSecondYesAtNodsPuck(t *testing.T) {
	g := newRig(t, wires()[0], setup{change: func(o *options) { byNod(o); o.Allow = []string{"kubectl apply"} }})
	g.asks("r1", "kubectl apply -f manifest.yaml", destructive)
	g.said("approval_prompt", "Run kubectl apply, file manifest.yaml?")
	g.send("claude/input", `{"event":"voice","text":"yes"}`)
	g.said("approval_twice", "Sure? kubectl apply, file manifest.yaml. Say yes again.")
	g.status("r1", "pending")
	g.send("claude/input", `{"event":"voice","text":"yes"}`)
	g.settled("r1", "allow by voice puck via voicepe")
}
