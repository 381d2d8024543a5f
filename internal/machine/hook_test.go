package machine

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"nod/internal/machine/env"
)

func TestAHookWithoutAHomeIsSilent(t *testing.T) {
	var out bytes.Buffer
	m := &Machine{&env.Env{Stdin: strings.NewReader(`{"hook_event_name":"Stop","session_id":"s"}`), Stdout: &out, Getenv: func(string) string { return "" }}}
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
