package setup

import (
	"strings"
	"testing"
)

// A data directory that only the setting terminal knows must reach the hooks.
func TestHooksKnowTheirDataDirectory(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ env, want string }{
		{"", ""},
		{w.DataDir, "--data " + w.DataDir},
	} {
		w.Vars["NOD_DATA"] = c.env
		for _, h := range (&Setup{w.Env}).hookProgram(t.Context(), program{path: w.Self}).hooks() {
			if got := strings.Join(h.Args, " "); got != c.want {
				t.Errorf("NOD_DATA=%q: %s is called with %q, want %q", c.env, h.Event, got, c.want)
			}
		}
	}
}
