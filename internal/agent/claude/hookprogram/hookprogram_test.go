package hookprogram

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"nod/internal/agent/claude/wire"
)

func TestAsk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs here are shell scripts")
	}
	for name, c := range map[string]struct {
		script string
		args   []string
		want   wire.Program
		err    error
	}{
		"nod-hook":             {`test "$*" = --version && echo nod-hook v1.2.3 protocol 2`, nil, wire.Program{Version: "v1.2.3", Protocol: 2}, nil},
		"nod hook":             {`test "$*" = "hook --version" && echo nod-hook dev protocol 3`, []string{"hook"}, wire.Program{Version: "dev", Protocol: 3}, nil},
		"a release before":     {`cat`, []string{"hook"}, wire.Program{}, ErrSilent},
		"something else":       {`echo tool 1.0`, nil, wire.Program{}, ErrOther},
		"one that says more":   {`echo nod-hook v1 protocol 2; echo hello`, nil, wire.Program{}, ErrOther},
		"one without a number": {`echo nod-hook v1 protocol two`, nil, wire.Program{}, ErrOther},
	} {
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if got, err := Ask(t.Context(), path, "/usr/bin:/bin", c.args...); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := Ask(t.Context(), filepath.Join(t.TempDir(), "missing"), ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// The real program, built as `go run` builds it, says what it is.
func TestBuildAndAsk(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name())
	if err := Build(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if got, err := Ask(t.Context(), path, ""); err != nil || got.Protocol != wire.Protocol || got.Version == "" {
		t.Errorf("%+v, %v", got, err)
	}
}
