package machine

import (
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
)

type world struct {
	*envtest.World
	machine *Machine
}

func newWorld(t *testing.T) *world {
	w := envtest.New(t, nil)
	m := &Machine{w.Env}
	w.Commands = m.Commands
	return &world{w, m}
}

func TestServeTakesOneCertificate(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{{"--tls", "--tls-cert", "x", "--tls-key", "y"}, {"--tls-cert", "x"}, {"--tls-key", "y"}} {
		if _, err := w.Run(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...); envtest.ExitOf(err) != 2 || !strings.Contains(err.Error(), "--tls-key") {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestAgentIsIdentifiedByItsSession(t *testing.T) {
	w := newWorld(t)
	w.Vars["CLAUDE_CODE_SESSION_ID"], w.Vars["CLAUDE_PROJECT_DIR"] = "s1", "/home/anna/proj"
	if c := w.machine.caller(); c.Agent != "s1" || c.Cwd != "/home/anna/proj" {
		t.Errorf("%+v", c)
	}
	delete(w.Vars, "CLAUDE_CODE_SESSION_ID")
	if one, two := w.machine.caller(), w.machine.caller(); !strings.HasPrefix(one.Agent, "mcp-") || one.Agent == two.Agent {
		t.Errorf("%+v %+v", one, two)
	}
}
