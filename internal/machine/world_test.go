package machine

import (
	"testing"

	"nod/internal/machine/env/envtest"
)

type world struct {
	*envtest.World
	machine *Machine
}

func newWorld(t *testing.T) *world {
	w := envtest.New(t)
	m := &Machine{w.Env}
	w.Commands = m.Commands
	return &world{w, m}
}
