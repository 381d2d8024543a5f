package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
	"nod/internal/client"
)

// runner runs nod in-process against a fake hub.
type runner struct {
	*clitest.Hub
	patience time.Duration
}

func NewRunner(t *testing.T) *runner {
	t.Helper()
	return &runner{clitest.NewHub(t), time.Minute}
}

// nod runs one command line. env entries are "KEY=value".
func (h *runner) nod(columns int, env []string, args ...string) clitest.Result {
	var out, errs bytes.Buffer
	e := h.env(columns, env)
	e.Stdout, e.Stderr = &out, &errs
	exit := Run(h.T.Context(), e, args)
	return clitest.Result{Exit: exit, Out: out.String(), Err: errs.String()}
}

// env is a world with this hub in it; columns 0 is a pipe.
func (h *runner) env(columns int, vars []string) console.Env {
	return console.Env{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
		Getenv: func(key string) string {
			for _, v := range vars {
				if value, ok := strings.CutPrefix(v, key+"="); ok {
					return value
				}
			}
			return ""
		},
		Now:      func() time.Time { return clitest.Noon.Add(12 * time.Second) },
		Client:   func(via string) (*client.Client, error) { return client.Local(h.Socket, via), nil },
		Terminal: func() (int, bool) { return columns, columns > 0 },
		Patience: h.patience,
		Getwd:    func() (string, error) { return "/nowhere/src/api", nil },
		Hostname: func() (string, error) { return "desk", nil },
	}
}
