package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
)

// ended is the exit status of a program that nod has run.
type ended int

func (ended) Error() string { return "" }

func (e ended) ExitCode() int { return int(e) }

// An interrupted command has the exit code of its signal, if it is known.
func TestExitCodeOfAnInterruptedCommand(t *testing.T) {
	h := NewRunner(t)
	for name, c := range map[string]struct {
		err  error
		told bool
		exit int
	}{
		"hung up":           {ended(129), true, 129},
		"terminated":        {ended(143), true, 143},
		"its own code":      {ended(5), false, 5},
		"its own code, cut": {ended(5), true, console.ExitInterrupted},
		"anything else":     {errors.New("cut off"), true, console.ExitInterrupted},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		env := h.env(0, nil)
		env.Commands = []*cobra.Command{{Use: "work", RunE: func(*cobra.Command, []string) error {
			if c.told {
				cancel()
			}
			return c.err
		}}}
		if exit := Run(ctx, env, []string{"work"}); exit != c.exit {
			t.Errorf("%s: exit %d, want %d", name, exit, c.exit)
		}
		cancel()
	}
}
