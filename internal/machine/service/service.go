// Package service lets the system run the hub: from login on, and again when it ends.
package service

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"nod/internal/app"
	"nod/internal/client"
	"nod/internal/machine/env"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// Command is `nod service`.
func Command(e *env.Env) *cobra.Command {
	return (&services{Env: e, goos: runtime.GOOS, uid: os.Getuid(), pause: wait}).command()
}

// services is `nod service` on one kind of system. Tests bring another one.
type services struct {
	*env.Env
	goos  string
	uid   int
	pause func(context.Context, time.Duration) error
}

func wait(ctx context.Context, d time.Duration) error {
	pause.For(ctx, d)
	return ctx.Err()
}

// serviceManager is the part of the system that keeps programs running.
type serviceManager interface {
	// page is the file that tells the keeper about nod; equal data give equal bytes.
	page(serving) []byte
	// ready is nil if the keeper can be asked to do something, and otherwise says why not.
	ready(context.Context) error
	// start makes the keeper take up the file, which has just been written if fresh.
	start(ctx context.Context, fresh bool) error
	// leave ends the service, drops its file and makes the keeper forget both.
	leave(ctx context.Context, drop func() error) error
	// look tells how the service is. It works without a keeper too, as far as it can.
	look(context.Context) (standing, error)
}

// standing is how a service is.
type standing struct {
	installed, foreign, running bool
	pid                         int       // 0: unknown
	since                       time.Time // zero: unknown
	ending                      string    // not empty: it ends again and again, and how
}

// post is where a keeper has what belongs to nod.
type post struct {
	serviceManager
	name string // "systemd"
	file string
	log  string // the file that nod writes its log into; empty: the keeper takes it
	read string // the command that shows the log
}

// mark is in every file that nod writes for a keeper: what lacks it is somebody else's.
const mark = "Written by `nod service install`"

// errand is what `nod service` was asked for.
type errand struct {
	data, config     string
	json, dry, force bool
}

func (s *services) command() *cobra.Command {
	cmd := s.Command("service", words.TopicService)
	cmd.AddCommand(
		s.errand("install [--data DIR] [--config FILE] [--dry-run] [--force] [--json]", words.TopicServiceInstall, s.install),
		s.errand("remove [--data DIR] [--dry-run] [--json]", words.TopicServiceRemove, s.remove),
		s.errand("status [--data DIR] [--json]", words.TopicServiceStatus, s.status),
	)
	return cmd
}

func (s *services) errand(use string, topic words.Topic, do func(context.Context, post, errand) error) *cobra.Command {
	var e errand
	cmd := s.Command(use, topic)
	cmd.Args = cobra.NoArgs
	f := cmd.Flags()
	f.StringVar(&e.data, "data", "", s.Say(words.FlagData))
	f.BoolVar(&e.json, "json", false, s.Say(words.FlagJSON))
	switch cmd.Name() {
	case "install":
		f.StringVar(&e.config, "config", "", s.Say(words.FlagConfig))
		f.BoolVar(&e.force, "force", false, s.Say(words.FlagServiceForce))
		fallthrough
	case "remove":
		f.BoolVar(&e.dry, "dry-run", false, s.Say(words.FlagDryRun))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if s.Getenv("SUDO_USER") != "" {
			return s.Misused(words.ServiceSudo)
		}
		var err error
		if e.data, err = s.wholePath(e.data, s.DataDir); err != nil {
			return err
		}
		p, err := s.post(e.data)
		if err != nil {
			return err
		}
		return do(cmd.Context(), p, e)
	}
	return cmd
}

// post is the keeper of this system.
func (s *services) post(data string) (post, error) {
	home, err := s.Home()
	if s.goos == "windows" {
		return s.schtasks(data), nil
	}
	if err != nil {
		return post{}, err
	}
	switch s.goos {
	case "linux":
		return s.systemd(home), nil
	case "darwin":
		return s.launchd(home), nil
	}
	return post{}, s.Failed(words.ServiceUnsupported, s.goos)
}

// The exit codes of `nod service status`, as they are usual for services.
const (
	exitStopped = 3
	exitMissing = 4
)

// hub is the one that answers in a data directory, or nil.
func (s *services) hub(ctx context.Context, data string) *client.Health {
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	h, err := client.Local(app.Socket(data), "service").Health(ctx)
	if err != nil {
		return nil
	}
	return h
}

// written is what stands in a file; nothing if there is none.
func written(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
