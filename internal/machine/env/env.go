// Package env is what the commands of this machine share: the streams and the
// environment they were started with, and what they ask the system.
package env

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nod/internal/agent/claude/hookprogram"
	"nod/internal/agent/claude/settings"
	"nod/internal/app"
	layout "nod/internal/cli/term"
	"nod/internal/client"
	"nod/internal/config"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// Env is where nod was started. Tests bring answers of their own.
type Env struct {
	words.Printer
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	DataDir        string
	Version        string

	Now        func() time.Time
	Executable func() (string, error)
	LookPath   func(name string) (string, error)
	BuildHook  func(ctx context.Context, to string) error
	Terminal   func() (columns int, ok bool)
	Attended   func() bool // a person is there who can be asked
	ManagedDir string      // where managed settings are; empty: the system's own place
}

// HubTimeout is more than a hub that is there needs.
const HubTimeout = 2 * time.Second

// New is the environment of this process.
func New(data, version string) *Env {
	return &Env{
		Printer: words.For(os.Getenv), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, DataDir: data, Version: version,
		Now: time.Now, Executable: os.Executable, LookPath: exec.LookPath, BuildHook: hookprogram.Build, Terminal: stdoutTerminal, Attended: bothTerminals,
	}
}

func stdoutTerminal() (columns int, ok bool) {
	fd := int(os.Stdout.Fd())
	if !term.IsTerminal(fd) {
		return 0, false
	}
	columns, _, err := term.GetSize(fd)
	if err != nil || columns <= 0 {
		columns = 80
	}
	return columns, true
}

func bothTerminals() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}

// Command is a command with its texts from the catalogue.
func (e *Env) Command(use string, topic words.Topic) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: e.Say(topic.Short), Example: layout.Examples(e.Printer, topic),
		DisableFlagsInUseLine: true,
	}
}

// Page is standard output.
func (e *Env) Page() console.Page {
	columns, ok := e.Terminal()
	if !ok {
		return console.Page{Writer: e.Stdout}
	}
	return console.Page{Writer: e.Stdout, Columns: columns, Colours: e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb"}
}

// PrintJSON writes for scripts.
func (e *Env) PrintJSON(v any) error {
	enc := json.NewEncoder(e.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Client opens the hub that this machine's environment points at: the one at
// NOD_URL, or the one of the data directory.
func (e *Env) Client(via string) (*client.Client, error) {
	if address := e.Getenv("NOD_URL"); address != "" {
		cl, err := client.Remote(address, e.Getenv("NOD_TOKEN"), via)
		if ca := e.Getenv("NOD_CA"); err == nil && ca != "" {
			err = cl.Trust(ca)
		}
		return cl, err
	}
	return client.Local(app.Socket(e.DataDir), via), nil
}

// Load reads the configuration of a data directory, or the file that was named
// by flag or environment, which then must be there.
func (e *Env) Load(data, file string) (app.Config, []config.Setting, error) {
	named := file != "" || e.Getenv("NOD_CONFIG") != ""
	return app.LoadConfig(e.ConfigFile(data, file), named, e.Getenv)
}

// ConfigFile is the file that Load reads.
func (e *Env) ConfigFile(data, file string) string {
	return cmp.Or(file, e.Getenv("NOD_CONFIG"), filepath.Join(data, "nod.toml"))
}

// Home is where the person's own files are.
func (e *Env) Home() (string, error) {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := e.Getenv(name); dir != "" {
		return dir, nil
	}
	return "", errors.New(name + " is not set, so nod cannot tell where your files are")
}

// ClaudePaths is where Claude Code looks for settings when started here.
func (e *Env) ClaudePaths() (settings.Paths, error) {
	home, err := e.Home()
	if err != nil {
		return settings.Paths{}, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return settings.Paths{}, err
	}
	p := settings.DefaultPaths(e.Getenv, home, cwd)
	p.LookPath = e.LookPath
	if e.ManagedDir != "" {
		p.ManagedDir = e.ManagedDir
	}
	return p, nil
}

// PluginDir is where the plugin for Claude Code is written.
func (e *Env) PluginDir() string { return filepath.Join(e.DataDir, "claude-plugin") }
