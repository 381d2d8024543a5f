package machine

import (
	"strings"
	"testing"
)

func TestAnAgentIsKnownByItsSession(t *testing.T) {
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
