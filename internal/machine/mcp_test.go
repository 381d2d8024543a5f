package machine

import (
	"strings"
	"testing"
)

func TestAnAgentIsKnownByItsSession(t *testing.T) {
	w := newWorld(t)
	w.env["CLAUDE_CODE_SESSION_ID"], w.env["CLAUDE_PROJECT_DIR"] = "s1", "/home/anna/proj"
	if c := w.caller(); c.Agent != "s1" || c.Cwd != "/home/anna/proj" {
		t.Errorf("%+v", c)
	}
	delete(w.env, "CLAUDE_CODE_SESSION_ID")
	if one, two := w.caller(), w.caller(); !strings.HasPrefix(one.Agent, "mcp-") || one.Agent == two.Agent {
		t.Errorf("%+v %+v", one, two)
	}
}
