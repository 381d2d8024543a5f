package setup

import (
	"testing"

	"nod/internal/machine/env/envtest"
)

type world struct{ *envtest.World }

func newWorld(t *testing.T) *world { return &world{envtest.New(t, Command)} }
