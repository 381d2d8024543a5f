// Package machine holds the commands that touch this machine rather than a hub
// somewhere: to serve, to set an agent up, to find out what is wrong.
package machine

import (
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"nod/internal/app"
	"nod/internal/cli"
	"nod/internal/client"
	"nod/internal/config"
	"nod/internal/hook"
	"nod/internal/machine/console"
	"nod/internal/machine/doctor"
	"nod/internal/machine/env"
	"nod/internal/machine/service"
	"nod/internal/machine/store"
	"nod/internal/present/words"
)

// Machine is where nod was started.
type Machine struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	DataDir        string
	Version        string

	say  words.Printer
	host host
}

// New looks at this machine.
func New() (*Machine, error) {
	data, err := config.DataDir(os.Getenv, runtime.GOOS)
	return &Machine{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		DataDir: data, Version: version(), say: words.For(os.Getenv), host: thisHost(),
	}, err
}

// dataFlag names the data directory to a hook.
const dataFlag = "--data"

// Hook runs as a hook of Claude Code.
func (m *Machine) Hook(args []string) {
	if len(args) == 2 && args[0] == dataFlag {
		m.DataDir = args[1]
	}
	if m.DataDir == "" {
		return // no home, no hub
	}
	hook.Run(hook.Env{Stdin: m.Stdin, Stdout: m.Stdout, Getenv: m.Getenv, DataDir: m.DataDir})
}

// Client opens the hub that this machine's environment points at: the one at
// NOD_URL, or the one of the data directory.
func (m *Machine) Client(via string) (*client.Client, error) {
	if address := m.Getenv("NOD_URL"); address != "" {
		cl, err := client.Remote(address, m.Getenv("NOD_TOKEN"), via)
		if ca := m.Getenv("NOD_CA"); err == nil && ca != "" {
			err = cl.Trust(ca)
		}
		return cl, err
	}
	return client.Local(app.Socket(m.DataDir), via), nil
}

// Commands are the commands of this package.
func (m *Machine) Commands() []*cobra.Command {
	e := m.env()
	return []*cobra.Command{
		m.serve(), m.link(), m.wrap(), m.setup(), doctor.New(e).Command(), m.config(), m.policy(), service.Command(e, m.showDiffOn), store.Command(e), m.mcp(),
	}
}

// env is what the packages below this one get.
func (m *Machine) env() *env.Env {
	return &env.Env{
		Printer: m.say, Stdin: m.Stdin, Stdout: m.Stdout, Stderr: m.Stderr, Getenv: m.Getenv, DataDir: m.DataDir, Version: m.Version,
		Now: m.host.now, Executable: m.host.executable, LookPath: m.host.lookPath, Terminal: m.host.terminal, Attended: m.host.attended, ManagedDir: m.host.managed,
	}
}

func (m *Machine) showDiffOn(p console.Page, diff string) {
	m.showDiff(paper{p.Writer, p.Columns, p.Colours}, diff)
}

func (m *Machine) command(use string, topic words.Topic) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: m.say.Say(topic.Short), Example: cli.Examples(m.say, topic),
		DisableFlagsInUseLine: true,
	}
}

// version is that of the module, or of the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}
