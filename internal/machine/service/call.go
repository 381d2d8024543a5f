package service

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"nod/internal/present/words"

	"nod"
)

// runTimeout: a manager may have to stop a hub with its agents first.
const runTimeout = time.Minute

// run starts a program of the system. Its output is in English and in UTC, so that
// it can be parsed.
func (s *system) run(ctx context.Context, name string, args ...string) (string, error) {
	path, err := s.LookPath(name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	out, err := cmd.Output()
	return string(out), err
}

// tool is the program that controls a service manager.
type tool struct {
	*system
	name  string
	flags []string // before every command
}

func (t tool) ask(ctx context.Context, args ...string) (string, error) {
	return t.run(ctx, t.name, slices.Concat(t.flags, args)...)
}

// must is ask with an error for the person.
func (t tool) must(ctx context.Context, args ...string) error {
	if _, err := t.ask(ctx, args...); err != nil {
		return t.callFailed(err, args...)
	}
	return nil
}

func (t tool) callFailed(err error, args ...string) error {
	line := slices.Concat([]string{t.name}, t.flags, args)
	return t.Failed(words.ServiceCallFailed, strings.Join(line, " "), detail(err))
}

// detail is what a program printed about its failure.
func detail(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if text := strings.Join(strings.Fields(string(exit.Stderr)), " "); text != "" {
			return nod.OneLine(text)
		}
	}
	return nod.OneLine(err.Error())
}
