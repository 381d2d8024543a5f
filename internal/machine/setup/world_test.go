package setup

import (
	"testing"

	"github.com/spf13/cobra"

	"nod/internal/machine/env/envtest"
)

type world struct{ *envtest.World }

func newWorld(t *testing.T) *world {
	w := envtest.New(t)
	w.Commands = func() []*cobra.Command { return []*cobra.Command{Command(w.Env)} }
	return &world{w}
}
