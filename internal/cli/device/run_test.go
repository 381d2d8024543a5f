package device

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"nod/internal/cli/console"
	"nod/internal/client"
)

// runner runs the commands of this package in a pipe.
type runner struct {
	env map[string]string
	hub *client.Client // nil: the command needs none
}

func (r runner) nod(t *testing.T, args ...string) (out, messages string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c := console.New(console.Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Now: time.Now,
		Getenv:   func(name string) string { return r.env[name] },
		Hostname: func() (string, error) { return "Desk.example.org", nil },
		Client:   func(string) (*client.Client, error) { return r.hub, nil },
	})
	root := c.Root()
	root.AddCommand(Command(c), HomeAssistantCommand(c))
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

// refuses checks that each of these command lines is an error.
func (r runner) refuses(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, _, err := r.nod(t, strings.Fields(line)...); err == nil {
			t.Errorf("nod %s works", line)
		}
	}
}
