package cli

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
)

// keyHub answers the one route that the fake hub has not, and lets a key work or
// not once the command follows the log.
func keyHub(t *testing.T, status int, follows nod.Event) *runner {
	h := NewRunner(t)
	h.patience = 50 * time.Millisecond // for what will not come
	inner := h.Server.Config.Handler
	h.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/keys") && status == http.StatusAccepted:
			w.WriteHeader(status)
			return
		case strings.HasSuffix(r.URL.Path, "/keys"):
			clitest.ReplyError(w, nod.Errorf(nod.Unreachable, "no way"))
			return
		case r.URL.Path == "/v1/events" && follows.Kind != "":
			h.Add(nod.Event{Kind: nod.TurnTaken, AgentID: "a-api", Turn: &nod.Turn{Agent: "a-api", Role: nod.TurnSystem, Text: "something else"}})
			h.Add(follows)
			follows.Kind = ""
		}
		inner.ServeHTTP(w, r)
	})
	a := working("a-api", "api")
	a.Tool, a.Mode = "Bash: make", "default"
	h.Agent(a)
	return h
}

func TestPress(t *testing.T) {
	changed := func(change func(a *nod.Agent)) nod.Event {
		a := working("a-api", "api")
		a.Tool, a.Mode = "Bash: make", "default"
		change(a)
		return nod.Event{Kind: nod.AgentChanged, AgentID: a.ID, Agent: a}
	}
	notice := func(key string) nod.Event {
		return nod.Event{Kind: nod.TurnTaken, AgentID: "a-api", Turn: &nod.Turn{Agent: "a-api", Role: nod.TurnSystem, Tool: key, Text: "A dialog is open."}}
	}
	for _, c := range []struct {
		name, args string
		status     int
		follows    nod.Event
		exit       int
		out, err   string
	}{
		{"the mode changes", "a-api mode", 202, changed(func(a *nod.Agent) { a.Mode = "plan" }), 0, "api is in the mode plan now.", ""},
		{"the tool goes on behind", "api background", 202, changed(func(a *nod.Agent) { a.Tool = "" }), 0, "What api was running goes on in the background.", ""},
		{"not pressed", "api mode", 202, notice("mode"), 1, "", "api: A dialog is open."},
		{"another key was not pressed", "api mode", 202, notice("background"), 0, "", "not known yet"},
		{"no way to it", "api mode", 409, nod.Event{}, 1, "", "Press it there, on desk."},
		{"nobody", "nope mode", 202, nod.Event{}, 4, "", `There is no agent "nope"`},
		{"no such key", "api ctrl-c", 202, nod.Event{}, 2, "", `There is no key "ctrl-c"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := keyHub(t, c.status, c.follows)
			env := h.env(0, nil)
			var out, errs strings.Builder
			env.Stdout, env.Stderr = &out, &errs
			env.Commands = []*cobra.Command{pressCommand(console.New(env))}
			exit := Run(t.Context(), env, append([]string{"press"}, strings.Fields(c.args)...))
			clitest.Check(t, clitest.Result{Out: out.String(), Err: errs.String(), Exit: exit}, c.exit, c.out, c.err)
		})
	}
}
