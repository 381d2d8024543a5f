package voicepe_test

import (
	"testing"

	"nod"
	"nod/internal/talk/scripted"
)

// An agent in a terminal does not speak through the puck, so that it is done only
// turns the light off.
func TestFinishedAgent(t *testing.T) {
	g := newRig(t, wires()[0], setup{})
	g.asks("r1", "make")
	g.response(`{"type":"approval","requestId":"r1"}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	g.settled("r1", "allow by "+g.name())
	g.agent(nod.AgentIdle)
	g.response(`{"type":"finished","requestId":"r1","agent":"build"}`)
	g.agent(nod.AgentWorking)
	g.agent(nod.AgentIdle) // work that the puck did not allow
	g.silent()
}

func TestCancelStopsAllowedWork(t *testing.T) {
	g := newRig(t, wires()[0], setup{})
	g.asks("r1", "make")
	g.response(`{"type":"approval","requestId":"r1"}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	g.settled("r1", "allow by "+g.name())
	g.send("claude/approval-response", `{"requestId":"r1","type":"cancelled","reason":"user_cancel"}`)
	g.stops("agent-1")
}

func TestCancelStopsSpokenRequest(t *testing.T) {
	begun, end := make(chan nod.AgentID, 1), make(chan struct{})
	g := newRig(t, wires()[0], setup{script: func(turn *scripted.Turn) {
		begun <- turn.Message.Agent
		<-end
		turn.Reply("Too late.")
	}})
	g.send("claude/request", `{"text":"count to a million","requestId":"spoken-1"}`)
	id := within(t, begun, "the question")
	g.send("claude/approval-response", `{"requestId":"spoken-1","type":"cancelled","reason":"user_cancel"}`)
	g.stops(id)
	close(end)
	g.silent()
}

// agent changes the state of the agent of asks.
func (g *rig) agent(state nod.AgentState) { g.Helper(); g.Agent("agent-1", state) }

// stops waits until an agent is told to stop.
func (g *rig) stops(id nod.AgentID) {
	g.Helper()
	g.Await(func(e *nod.Event) bool { return e.Kind == nod.StopPressed && e.AgentID == id })
}
