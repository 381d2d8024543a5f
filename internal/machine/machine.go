// Package machine holds the commands that touch this machine rather than a hub
// somewhere: to serve, to set an agent up, to find out what is wrong.
package machine

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"nod/internal/machine/doctor"
	"nod/internal/machine/env"
	"nod/internal/machine/policy"
	"nod/internal/machine/service"
	"nod/internal/machine/setup"
	"nod/internal/machine/store"
	"nod/internal/sys/datadir"
	"nod/internal/sys/version"
)

// Machine is where nod was started.
type Machine struct{ *env.Env }

// New looks at this machine.
func New() (*Machine, error) {
	data, err := datadir.Find(os.Getenv, runtime.GOOS)
	return &Machine{env.New(data, version.String())}, err
}

// Commands are the commands of this package and of those below it.
func (m *Machine) Commands() []*cobra.Command {
	return []*cobra.Command{
		m.serve(), m.link(), m.wrap(), setup.Command(m.Env), doctor.New(m.Env).Command(), m.config(),
		policy.Command(m.Env), service.Command(m.Env), store.Command(m.Env), m.mcp(),
	}
}
