package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
)

func working(id nod.AgentID, name string) *nod.Agent {
	return &nod.Agent{ID: id, Kind: "claude", Name: name, Host: "desk", Cwd: "/src/" + name, State: nod.AgentWorking, Since: clitest.Noon, Started: clitest.Noon}
}

func TestStop(t *testing.T) {
	h := NewRunner(t)
	h.StopsWhenTold = []nod.AgentID{"a-api", "b-web"}
	h.BeforeServe = h.StopAgents
	h.Agent(working("a-api", "api"))
	h.Agent(working("b-web", "web"))
	for _, l := range clitest.SomeLeases() {
		h.Grant(l)
	}
	h.Raise(clitest.GoTestRequest())
	clitest.Check(t, h.nod(0, nil, "stop", "--all"), 0,
		"Stopped: 2 leases ended, 1 request refused, 2 agents told to stop.\napi has stopped.\nweb has stopped.\n", "")
	clitest.Check(t, h.nod(0, nil, "stop", "--all"), 0, "There was nothing to stop", "")
}

func TestStopOneAgent(t *testing.T) {
	h := NewRunner(t)
	h.StopsWhenTold = []nod.AgentID{"a-api"}
	h.BeforeServe = h.StopAgents
	h.Agent(working("a-api", "api"))
	h.Agent(working("b-web", "web"))
	got := h.nod(0, nil, "stop", "API")
	if got.Out != "Stopped: 0 leases ended, 0 requests refused, 1 agent told to stop.\napi has stopped.\n" || got.Exit != 0 {
		t.Errorf("%d: %s%s", got.Exit, got.Out, got.Err)
	}
	clitest.Check(t, h.nod(0, nil, "agents"), 0, "⋯ Working  web", "")
}

// A stop request is not yet a stop: agents that still run are named, with a remedy.
func TestAgentThatDoesNotStopYet(t *testing.T) {
	h := NewRunner(t)
	h.patience = 10 * time.Millisecond // nothing will come, however long one waits
	h.StopsWhenTold, h.StopsBefore = []nod.AgentID{"b-web"}, "/v1/state"
	h.BeforeServe = h.StopAgents
	h.Agent(working("a-api", "api"))
	h.Agent(working("b-web", "web"))
	got := h.nod(0, nil, "stop", "--all")
	clitest.Check(t, got, 0, "2 agents told to stop.\n", "api has not stopped yet: it stops at its next step. Esc in its terminal on desk stops it at once.")
	if strings.Contains(got.Out, "stopped.\n") || strings.Contains(got.Err, "web") {
		t.Errorf("%s%s", got.Out, got.Err)
	}
	clitest.Check(t, h.nod(0, nil, "agents"), 0, "⋯ Stopping…  api", "")
}

// An agent that stopped before the command could check counts as stopped.
func TestAgentsThatStopAtOnce(t *testing.T) {
	for args, want := range map[string]string{"stop --all": "All agents have stopped.\n", "stop api": "api has stopped.\n"} {
		h := NewRunner(t)
		h.StopsWhenTold, h.StopsBefore = []nod.AgentID{"a-api"}, "/v1/state"
		h.BeforeServe = h.StopAgents
		h.Agent(working("a-api", "api"))
		clitest.Check(t, h.nod(0, nil, strings.Fields(args)...), 0, want, "")
	}
}

func TestHubDisconnectsWhileStopping(t *testing.T) {
	h := NewRunner(t)
	h.HangUp = true
	h.Agent(working("a-api", "api"))
	clitest.Check(t, h.nod(0, nil, "stop", "a-api"), 0, "1 agent told to stop", "The hub went quiet")
}

func TestAgentsAreFoundByNameAndPrefix(t *testing.T) {
	h := NewRunner(t)
	h.Agent(working("5e55-one", "api"))
	h.Agent(working("5e55-two", "api"))
	h.Agent(working("77aa-web", "web"))
	h.Agent(working("88bb-webby", "webby"))
	ended := working("99cc-web", "web")
	ended.State = nod.AgentEnded
	h.Agent(ended)
	tests := []struct {
		text string
		exit int
		want string // the id, or what stderr holds
	}{
		{"5e55-two", 0, "5e55-two"}, {"5e55-t", 0, "5e55-two"}, {"web", 0, "77aa-web"}, {"WEBB", 0, "88bb-webby"}, {"99cc", 0, "99cc-web"},
		{"api", 1, "5e55-t  api on desk · /src/api"}, {"5e55", 1, `"5e55" fits more than one agent`}, {"nope", 4, `There is no agent "nope"`}, {"77a", 4, "type at least 4 characters"}, {"w", 4, "type at least 4 characters"}, {"", 4, "There is no agent"},
	}
	for _, tt := range tests {
		c := console.New(h.env(0, nil))
		cl, err := c.Client("terminal")
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.FindAgent(t.Context(), cl, tt.text)
		if err != nil {
			text, exit := c.Explain(err)
			if exit != tt.exit || !strings.Contains(text, tt.want) {
				t.Errorf("%q: exit %d, want %d: %s", tt.text, exit, tt.exit, text)
			}
			continue
		}
		if string(a.ID) != tt.want || tt.exit != 0 {
			t.Errorf("%q is %s, want %s", tt.text, a.ID, tt.want)
		}
	}
	clitest.Check(t, h.nod(0, nil, "stop", "99cc"), 4, "", `There is no agent "99cc"`)
}

func TestSayTo(t *testing.T) {
	ended := working("a-old", "old")
	ended.State = nod.AgentEnded
	tests := []struct {
		name, args string
		hears      nod.MessageStatus
		mute       *nod.Error
		exit       int
		out, err   string
		sent       string // text and what to do while it is busy
	}{
		{"heard", "say api use make", nod.Delivered, nil, 0, "api has it.\n", "", "use make|queue"},
		{"lost", "say api x", nod.Failed, nil, 1, "", "api did not get it: its tmux pane is gone", "x|queue"},
		{"not yet", "say api x --when-busy interrupt", "", nil, 0, "", "not with api yet", "x|interrupt"},
		{"kept", "say api x --when-busy wait", "", nil, 0, "", "api hears it when it is idle", "x|wait"},
		{"no way", "say api x", "", nod.Errorf(nod.Unreachable, "no"), 1, "", "nothing was sent. Type into its own terminal on desk.", ""},
		{"ended", "say old x", "", nod.Errorf(nod.Unreachable, "no"), 1, "", "old has ended", ""},
		{"unknown", "say nobody x", "", nil, 4, "", "There is no agent", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := NewRunner(t)
			h.Agent(working("a-api", "api"))
			h.Agent(ended)
			h.MessageEnds, h.SayError = tt.hears, tt.mute
			if tt.hears == "" {
				h.patience = 10 * time.Millisecond // nothing will come, however long one waits
			}
			clitest.Check(t, h.nod(0, nil, strings.Fields(tt.args)...), tt.exit, tt.out, tt.err)
			sent := ""
			for _, m := range h.Said {
				sent += m.Text + "|" + string(m.WhenBusy)
			}
			if sent != tt.sent {
				t.Errorf("said %q, want %q", sent, tt.sent)
			}
		})
	}
}

func TestEveryMessageHasItsOwnID(t *testing.T) {
	h := NewRunner(t)
	h.MessageEnds = nod.Delivered
	h.Agent(working("a-api", "api"))
	h.nod(0, nil, "say", "api", "one")
	h.nod(0, nil, "say", "api", "one")
	if len(h.Said) != 2 || h.Said[0].ID == h.Said[1].ID || len(h.Said[0].ID) < 16 {
		t.Errorf("%v", h.Said)
	}
}

func TestHubDisconnectsWhileSaying(t *testing.T) {
	h := NewRunner(t)
	h.HangUp = true
	h.Agent(working("a-api", "api"))
	clitest.Check(t, h.nod(0, nil, "say", "api", "hello"), 0, "", "The hub went quiet before it could say whether api has it")
}
