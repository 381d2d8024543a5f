// Package machine holds the commands that touch this machine rather than a hub
// somewhere: to serve, to set an agent up, to find out what is wrong.
package machine

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"nod/internal/config"
	"nod/internal/hook"
	"nod/internal/machine/doctor"
	"nod/internal/machine/env"
	"nod/internal/machine/policy"
	"nod/internal/machine/service"
	"nod/internal/machine/setup"
	"nod/internal/machine/store"
)

// Machine is where nod was started.
type Machine struct{ *env.Env }

// New looks at this machine.
func New() (*Machine, error) {
	data, err := config.DataDir(os.Getenv, runtime.GOOS)
	return &Machine{env.New(data, version())}, err
}

// dataFlag names the data directory to a hook.
const dataFlag = "--data"

// Hook runs as a hook of Claude Code.
func (m *Machine) Hook(args []string) {
	if len(args) == 2 && args[0] == dataFlag {
		m.DataDir = args[1]
	}
	if m.DataDir == "" {
		return // no home, no hub
	}
	hook.Run(hook.Env{Stdin: m.Stdin, Stdout: m.Stdout, Getenv: m.Getenv, DataDir: m.DataDir})
}

// Commands are the commands of this package and of those below it.
func (m *Machine) Commands() []*cobra.Command {
	return []*cobra.Command{
		m.serve(), m.link(), m.wrap(), setup.Command(m.Env), doctor.New(m.Env).Command(), m.config(),
		policy.Command(m.Env), service.Command(m.Env), store.Command(m.Env), m.mcp(),
	}
}

// version is that of the module, or of the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}
