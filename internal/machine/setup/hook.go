package setup

import (
	"context"
	"os"
	"path/filepath"

	"nod/internal/agent/claude/hookprogram"
	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
)

// hookProgram is what Claude Code shall start at every event: nod-hook or, where
// there is none, `nod hook`.
type hookProgram struct {
	program
	args []string
	temp string // where it was built; empty: nowhere
}

func (h hookProgram) hooks() []settings.Hook { return hookprogram.Hooks(h.path, h.args) }

func (h hookProgram) cleanUp() {
	if h.temp != "" {
		_ = os.RemoveAll(h.temp)
	}
}

// hookProgram chooses the nod-hook beside nod. A nod that is copied into the data
// directory takes its nod-hook with it; `go run` has none, so one is built. No
// other nod builds one: the source in the working directory may be anybody's.
func (m *Setup) hookProgram(ctx context.Context, nod program) hookProgram {
	self, place := nod.path, ""
	if nod.from != "" {
		self, place = nod.from, filepath.Join(m.DataDir, "bin", hookprogram.Name())
	}
	beside, found := hookprogram.Beside(ctx, self, m.Getenv("PATH"))
	switch {
	case found && place == "":
		return hookProgram{program: program{path: beside}, args: m.hookArgs()}
	case found:
		return hookProgram{program: program{path: place, from: beside}, args: m.hookArgs()}
	}
	if place != "" && m.FromGoRun(self) {
		if built, temp, err := m.buildHook(ctx); err == nil {
			return hookProgram{program: program{path: place, from: built}, args: m.hookArgs(), temp: temp}
		}
	}
	return hookProgram{program: nod, args: append([]string{"hook"}, m.hookArgs()...)}
}

// hookArgs name a data directory that only this terminal knows of: Claude Code
// may be started from another one.
func (m *Setup) hookArgs() []string {
	if m.Getenv("NOD_DATA") == "" {
		return []string{}
	}
	return []string{wire.DataFlag, m.DataDir}
}

// buildHook builds a nod-hook, as long as nothing is placed yet in a folder that
// will be removed.
func (m *Setup) buildHook(ctx context.Context) (built, temp string, err error) {
	if _, err := m.LookPath("go"); err != nil {
		return "", "", err
	}
	if temp, err = os.MkdirTemp("", "nod-hook-"); err != nil {
		return "", "", err
	}
	built = filepath.Join(temp, hookprogram.Name())
	if err := m.BuildHook(ctx, built); err != nil {
		_ = os.RemoveAll(temp)
		return "", "", err
	}
	return built, temp, nil
}
