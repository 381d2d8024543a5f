package machine

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nod"
	"nod/internal/agent/terminal/run"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// What shells say about a command that cannot be run.
const (
	exitNotRunnable = 126
	exitNotFound    = 127
)

// insideFlag starts the process between the wrapper and the program.
const insideFlag = "inside"

// wrap is `nod run`: it puts a program into a terminal of nod's.
func (m *Machine) wrap() *cobra.Command {
	cmd := m.Command("run -- COMMAND [ARGUMENT…]", words.TopicRun)
	cmd.Flags().SetInterspersed(false) // also without the --: what follows COMMAND is its own
	inside := cmd.Flags().Bool(insideFlag, false, "")
	_ = cmd.Flags().MarkHidden(insideFlag) // for ourselves
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return m.Misused(words.RunWhat)
		case *inside:
			return m.ran(args[0])(run.Inside(args, os.Environ()))
		}
		return m.runCommand(args)
	}
	return cmd
}

func (m *Machine) runCommand(args []string) error {
	path, err := m.LookPath(args[0])
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &env.Error{Text: m.Say(words.RunNotFound, args[0]), Exit: exitNotRunnable}
	case err != nil:
		return &env.Error{Text: m.Say(words.RunNotFound, args[0]), Exit: exitNotFound}
	}
	in, out, ok := m.person()
	if !ok {
		// In a pipe there is nobody to share a keyboard with.
		return m.ran(args[0])(run.Exec(path, args, os.Environ()))
	}
	self, err := m.Executable()
	if err != nil {
		return m.ran(args[0])(0, err)
	}
	return m.ran(args[0])(run.Run(run.Options{
		Command: append([]string{path}, args[1:]...), Inside: []string{self, "run", "--" + insideFlag, "--"},
		Env: os.Environ(), Data: m.DataDir, Stdin: in, Stdout: out,
	}))
}

// person is the terminal that nod was started in, if both of its ends are there.
func (m *Machine) person() (in, out *os.File, ok bool) {
	in, isIn := m.Stdin.(*os.File)
	out, isOut := m.Stdout.(*os.File)
	return in, out, isIn && isOut && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// ran makes the end of a program our own.
func (m *Machine) ran(name string) func(exit int, err error) error {
	return func(exit int, err error) error {
		var cause *exec.Error
		switch {
		case err == nil && exit == 0:
			return nil
		case err == nil:
			return &env.Error{Exit: exit} // it has said itself what there was to say
		case errors.Is(err, run.ErrUnsupported):
			return m.Failed(words.RunUnsupported, name)
		case errors.As(err, &cause), errors.Is(err, fs.ErrPermission) && nod.CodeOf(err) == nod.Internal:
			return &env.Error{Text: m.Say(words.RunFailed, name, nod.Visible(err.Error())), Exit: exitNotRunnable}
		}
		return m.Failed(words.RunFailed, name, nod.Visible(err.Error()))
	}
}
