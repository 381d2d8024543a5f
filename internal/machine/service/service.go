// Package service lets the system run the hub: from login on, and again when it ends.
package service

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"nod/internal/app"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/machine/env"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// Command is `nod service`.
func Command(e *env.Env) *cobra.Command {
	return (&commands{&system{Env: e, goos: runtime.GOOS, uid: os.Getuid(), pause: wait}}).command()
}

// system is the operating system with its service manager. Tests bring another one.
type system struct {
	*env.Env
	goos  string
	uid   int
	pause func(context.Context, time.Duration) error
}

func wait(ctx context.Context, d time.Duration) error {
	pause.For(ctx, d)
	return ctx.Err()
}

// commands are those of `nod service`.
type commands struct{ *system }

// manager is a service manager: systemd, launchd or the task scheduler.
type manager interface {
	// definition is the file that describes the service; equal specs give equal bytes.
	definition(spec) []byte
	// ready says why the manager cannot be used, or nil.
	ready(context.Context) error
	// start loads the file and starts the service; fresh: the file is new or has changed.
	start(ctx context.Context, fresh bool) error
	// remove stops the service, calls drop to delete its file and unloads both.
	remove(ctx context.Context, drop func() error) error
	// state also works, as far as it can, if the manager is not ready.
	state(context.Context) (state, error)
}

// state is how the service is.
type state struct {
	installed, foreign, running bool
	pid                         int       // 0: unknown
	since                       time.Time // zero: unknown
	failure                     string    // the last exit status, if the service keeps failing
}

// installation is nod's service at one manager.
type installation struct {
	manager
	name       string // "systemd"
	file       string
	log        string // the file that nod logs to; empty: the manager collects the log
	logCommand string // shows the log
}

// mark is in every file that nod writes: a file without it is not nod's.
const mark = "Written by `nod service install`"

// options are the flags.
type options struct {
	data, config     string
	json, dry, force bool
}

func (s *commands) command() *cobra.Command {
	cmd := s.Command("service", words.TopicService)
	cmd.AddCommand(
		s.subcommand("install [--data DIR] [--config FILE] [--dry-run] [--force] [--json]", words.TopicServiceInstall, s.install),
		s.subcommand("remove [--data DIR] [--dry-run] [--json]", words.TopicServiceRemove, s.remove),
		s.subcommand("status [--data DIR] [--json]", words.TopicServiceStatus, s.status),
	)
	return cmd
}

func (s *commands) subcommand(use string, topic words.Topic, do func(context.Context, installation, options) error) *cobra.Command {
	var o options
	cmd := s.Command(use, topic)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&o.data, "data", "", s.Say(words.FlagData))
	f.BoolVar(&o.json, "json", false, s.Say(words.FlagJSON))
	switch cmd.Name() {
	case "install":
		f.StringVar(&o.config, "config", "", s.Say(words.FlagConfig))
		f.BoolVar(&o.force, "force", false, s.Say(words.FlagServiceForce))
		fallthrough
	case "remove":
		f.BoolVar(&o.dry, "dry-run", false, s.Say(words.FlagDryRun))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if s.Getenv("SUDO_USER") != "" {
			return s.Misused(words.ServiceSudo)
		}
		var err error
		if o.data, err = filepath.Abs(cmp.Or(o.data, s.DataDir)); err != nil {
			return err
		}
		in, err := s.installation(o.data)
		if err != nil {
			return err
		}
		return do(cmd.Context(), in, o)
	}
	return cmd
}

// installation is the one for this operating system.
func (s *system) installation(data string) (installation, error) {
	home, err := s.Home()
	switch {
	case s.goos == "windows":
		return atSchtasks(s, data), nil
	case err != nil:
		return installation{}, err
	case s.goos == "linux":
		return atSystemd(s, home), nil
	case s.goos == "darwin":
		return atLaunchd(s, home), nil
	}
	return installation{}, s.Failed(words.ServiceUnsupported, s.goos)
}

// The exit codes of `nod service status`, as init scripts have them.
const (
	exitStopped = 3
	exitMissing = 4
)

// health is that of the hub in a data directory, or nil if none answers.
func (s *system) health(ctx context.Context, data string) *v1.Health {
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	h, err := client.Local(app.Socket(data), "service").Health(ctx)
	if err != nil {
		return nil
	}
	return h
}

func readIfExists(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
