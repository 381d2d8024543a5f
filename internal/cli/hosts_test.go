package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
)

// With one machine its name is not shown; with a second it is.
func TestHostIsNamedIfThereAreSeveral(t *testing.T) {
	h := NewRunner(t)
	h.Agent(&nod.Agent{ID: "a-api", Name: "api", Host: "desk", Cwd: "/src", State: nod.AgentWorking, Since: clitest.Noon})
	h.Raise(clitest.PushRequest())
	for _, args := range [][]string{{"agents"}, {"requests"}, {"show", "7f3a"}} {
		if got := h.nod(100, nil, args...); got.Exit != 0 || strings.Contains(got.Out, "api on desk") || !strings.Contains(got.Out, "api") {
			t.Errorf("nod %s on one machine:\n%s%s", args[0], got.Out, got.Err)
		}
	}
	h.Agent(&nod.Agent{ID: "a-far", Name: "web", Host: "laptop", Hub: nod.LinkRoom + "laptop", Cwd: "/src", State: nod.AgentIdle, Since: clitest.Noon})
	h.Add(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Since: clitest.Noon.Add(-time.Hour)}})
	for _, args := range [][]string{{"agents"}, {"requests"}, {"show", "7f3a"}} {
		if got := h.nod(100, nil, args...); !strings.Contains(got.Out, "api on desk") || strings.Contains(got.Out, "away") != (args[0] == "agents") {
			t.Errorf("nod %s on two:\n%s", args[0], got.Out)
		}
	}
}

// The command does not wait for a receipt from a machine that is away.
func TestAnswerForAHostThatIsAway(t *testing.T) {
	h := NewRunner(t)
	h.AfterDecide, h.patience = nil, time.Hour
	h.Agent(&nod.Agent{ID: "a-api", Name: "api", Host: "laptop", Hub: nod.LinkRoom + "laptop", State: nod.AgentWaiting, Since: clitest.Noon})
	h.Add(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Since: clitest.Noon}})
	h.Raise(clitest.PushRequest())
	clitest.Check(t, h.nod(100, nil, "allow", "7f3a"), 0, "Allowed", "laptop is away: your answer waits until it is back.")
}
