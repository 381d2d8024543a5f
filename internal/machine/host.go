package machine

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"time"

	"golang.org/x/term"

	"nod/internal/agent/claude/settings"
)

// host is what the commands ask this machine. Tests bring answers of their own.
type host struct {
	now        func() time.Time
	executable func() (string, error)
	lookPath   func(name string) (string, error)
	terminal   func() (columns int, ok bool)
	attended   func() bool // somebody is there who can be asked
	managed    string      // where managed settings are; empty: the system's own place
}

func thisHost() host {
	return host{
		now: time.Now, executable: os.Executable, lookPath: exec.LookPath, terminal: stdoutTerminal, attended: bothTerminals,
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

// home is where the person's own files are.
func (m *Machine) home() (string, error) {
	name := "HOME"
	if runtime.GOOS == "windows" {
		name = "USERPROFILE"
	}
	if dir := m.Getenv(name); dir != "" {
		return dir, nil
	}
	return "", errors.New(name + " is not set, so nod cannot tell where your files are")
}

// claudePaths is where Claude Code looks for settings when started here.
func (m *Machine) claudePaths() (settings.Paths, error) {
	home, err := m.home()
	if err != nil {
		return settings.Paths{}, err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return settings.Paths{}, err
	}
	p := settings.DefaultPaths(m.Getenv, home, cwd)
	p.LookPath = m.host.lookPath
	if m.host.managed != "" {
		p.ManagedDir = m.host.managed
	}
	return p, nil
}
