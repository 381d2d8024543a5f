package voicepe_test

import (
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/surface/voicepe"
	"nod/internal/talk/scripted"
)

func byHouse(o *voicepe.Options) { o.Owner = voicepe.ByHomeAssistant }

// An agent in a terminal has no words for the puck: that it is done turns the
// light off.
func TestAnAgentComesToRest(t *testing.T) {
	g := newRig(t, wires()[0], setup{change: byHouse})
	g.asks("r1", "make")
	g.response(`{"type":"approval","requestId":"r1"}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	g.settled("r1", "allow by "+g.name())
	g.agent(nod.AgentIdle)
	g.response(`{"type":"finished","requestId":"r1","agent":"build"}`)
	g.agent(nod.AgentWorking)
	g.agent(nod.AgentIdle) // somebody else's work
	g.silent()
}

func TestAPuckStopsWhatItAllowed(t *testing.T) {
	g := newRig(t, wires()[0], setup{change: byHouse})
	g.asks("r1", "make")
	g.response(`{"type":"approval","requestId":"r1"}`)
	g.send("claude/approval-response", `{"requestId":"r1","type":"approved"}`)
	g.settled("r1", "allow by "+g.name())
	g.send("claude/approval-response", `{"requestId":"r1","type":"cancelled","reason":"user_cancel"}`)
	g.stops("agent-1")
}

func TestAPuckStopsWhatItAsked(t *testing.T) {
	begun, end := make(chan nod.AgentID, 1), make(chan struct{})
	g := newRig(t, wires()[0], setup{change: byHouse, script: func(turn *scripted.Turn) {
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

// agent lets the agent of asks change its state.
func (g *rig) agent(state nod.AgentState) {
	g.t.Helper()
	err := g.hub.Link("test").Report(g.t.Context(), hub.Agent("agent-1", func(a *nod.Agent, now time.Time) { a.Enter(state, now) }))
	if err != nil {
		g.t.Fatal(err)
	}
}

// stops waits until an agent is told to stop.
func (g *rig) stops(id nod.AgentID) {
	g.t.Helper()
	for e, err := range g.hub.Link("test").Follow(g.t.Context(), 0) {
		if err != nil {
			g.t.Fatal(err)
		}
		if e.Kind == nod.StopPressed && e.AgentID == id {
			return
		}
	}
}
