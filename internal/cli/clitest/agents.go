package clitest

import (
	"time"

	"nod"
)

func SomeLeases() []*nod.Lease {
	return []*nod.Lease{
		{ID: "l42", Rules: []string{"Bash(go test:*)", "Bash(go vet:*)"}, Agent: "a-api", Folder: "/home/anna/src/api", Host: "desk",
			Granted: Noon.Add(-8 * time.Minute), Until: Noon.Add(12 * time.Minute), Limit: 30, Used: 23, By: "anna at desk", Via: "watch"},
		{ID: "l57", Rules: []string{"Edit(src/**)"}, Folder: "/home/anna/src", Host: "nas",
			Granted: Noon, Until: Noon.Add(time.Hour), Limit: 100, By: "kitchen phone", Via: "webapp"},
	}
}

// StoppingAgents are SomeAgents after a stop.
func StoppingAgents() []*nod.Agent {
	list := SomeAgents()
	list[0].Stopping = &nod.Stopping{By: "anna at desk", Via: "terminal", At: Noon}
	return list
}

func SomeAgents() []*nod.Agent {
	until := Noon.Add(2 * time.Hour)
	return []*nod.Agent{
		{ID: "a-api", Kind: "claude", Name: "api", Host: "desk", Cwd: "/home/anna/src/api", State: nod.AgentWorking, Since: Noon.Add(-130 * time.Second),
			Tool: "Bash: go test ./...", Mode: "default", Model: "opus", Subagents: []nod.Subagent{{ID: "1"}, {ID: "2"}}, Started: Noon.Add(-time.Hour)},
		{ID: "a-web", Kind: "claude", Name: "web", Host: "desk", Cwd: "/home/anna/src/web", State: nod.AgentIdle, Since: Noon.Add(-4 * time.Second),
			NeedsYou: "Claude is waiting for your input", Started: Noon.Add(-50 * time.Minute)},
		{ID: "a-docs", Kind: "claude", Name: "docs", Host: "nas", Cwd: "/srv/docs", State: nod.AgentLimited, Since: Noon.Add(-10 * time.Minute),
			Until: &until, Problem: "5-hour limit reached", Started: Noon.Add(-40 * time.Minute)},
		{ID: "a-old", Kind: "claude", Name: "old", Host: "desk", Cwd: "/tmp", State: nod.AgentEnded, Since: Noon.Add(-time.Hour), Started: Noon.Add(-2 * time.Hour)},
	}
}

// SomeHosts are two hubs on one machine, and a laptop that is away.
func SomeHosts() []*nod.Host {
	return []*nod.Host{
		{Name: "desk", Hub: "desk-1a2b3c", Up: true, Since: Noon.Add(-2 * time.Hour), Version: "1.4.0"},
		{Name: "laptop", Since: Noon.Add(-5 * time.Minute), Version: "1.4.0"},
		{Name: "nas", Hub: "nas-77aa01", Up: true, Since: Noon.Add(-2 * time.Hour), Version: "1.4.0"},
		{Name: "nas", Hub: "nas-77aa02", Since: Noon.Add(-3 * 24 * time.Hour), Version: "1.3.9"},
	}
}

func RemoteAgents() []*nod.Agent {
	agents := SomeAgents()
	agents[0].Hub = "desk-1a2b3c"
	agents[1].Host, agents[1].Hub = "laptop", nod.LinkRoom+"laptop"
	agents[2].Hub = "nas-77aa02"
	return agents
}

func RemoteSnapshot() nod.Snapshot {
	return nod.Snapshot{Seq: 1, Agents: RemoteAgents(), Requests: []*nod.Request{RemoteRequest(), GoTestRequest()}, Hosts: SomeHosts()}
}

// TalkingAgents are conversations, one working and one idle.
func TalkingAgents() []*nod.Agent {
	return []*nod.Agent{
		{ID: "c-4k7qh2mxw3", Kind: "claude", Name: "jarvis", Host: "desk", State: nod.AgentWorking, Since: Noon, Tool: "Bash: cat /sys/light",
			Talk: &nod.Conversation{Assistant: "jarvis", Room: "kitchen", User: "anna", Context: 300, Warm: true}},
		{ID: "c-9r2wz8pppp", Kind: "claude", Name: "the tests", Host: "desk", Cwd: "/home/anna/src/api", Model: "opus", State: nod.AgentIdle, Since: Noon.Add(-time.Hour),
			Talk: &nod.Conversation{Assistant: "coder"}},
	}
}
