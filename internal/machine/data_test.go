package machine

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// A data directory that only the setting terminal knows must reach the hooks.
func TestHooksKnowTheirDataDirectory(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ env, want string }{
		{"", "hook"},
		{w.DataDir, "hook --data " + w.DataDir},
	} {
		w.env["NOD_DATA"] = c.env
		for _, h := range w.hooks("/bin/nod") {
			if got := strings.Join(h.Args, " "); got != c.want {
				t.Errorf("NOD_DATA=%q: %s is called with %q, want %q", c.env, h.Event, got, c.want)
			}
		}
	}
}

func TestAHookWithoutAHomeIsSilent(t *testing.T) {
	var out bytes.Buffer
	m := &Machine{Stdin: strings.NewReader(`{"hook_event_name":"Stop","session_id":"s"}`), Stdout: &out, Getenv: func(string) string { return "" }}
	m.Hook(nil)
	dir := t.TempDir()
	m.Hook([]string{dataFlag, dir})
	if m.DataDir != dir || out.Len() != 0 {
		t.Errorf("%q wrote %q", m.DataDir, out.String())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("it left %v, %v", entries, err)
	}
}
