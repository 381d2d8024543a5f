package service

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"nod"
)

// callPatience is for a keeper that has to end a hub with agents first.
const callPatience = time.Minute

// call asks a program of the system, in English and in universal time, so that
// what it says can be read.
func (s *services) call(ctx context.Context, name string, args ...string) (string, error) {
	path, err := s.LookPath(name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, callPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	return string(out), err
}

// detail is what a program said before it failed.
func detail(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if text := strings.Join(strings.Fields(string(exit.Stderr)), " "); text != "" {
			return nod.OneLine(text)
		}
	}
	return nod.OneLine(err.Error())
}
