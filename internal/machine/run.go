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

// The exit codes of shells for a command that cannot be run.
const (
	exitNotRunnable = 126
	exitNotFound    = 127
)

// insideFlag is how the wrapper starts the process between itself and the program.
const insideFlag = "inside"

// wrap is `nod run`: it runs a program in a terminal that nod can type into.
func (m *Machine) wrap() *cobra.Command {
	cmd := m.Command("run -- COMMAND [ARGUMENT…]", words.TopicRun)
	cmd.Flags().SetInterspersed(false) // also without --, what follows COMMAND belongs to it
	inside := cmd.Flags().Bool(insideFlag, false, "")
	_ = cmd.Flags().MarkHidden(insideFlag)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return m.Misused(words.RunWhat)
		case *inside:
			exit, err := run.Inside(args, os.Environ())
			return m.ended(args[0], exit, err)
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
	in, out, ok := m.terminal()
	if !ok {
		// In a pipe there is no keyboard to share.
		exit, err := run.Exec(path, args, os.Environ())
		return m.ended(args[0], exit, err)
	}
	self, err := m.Executable()
	if err != nil {
		return m.ended(args[0], 0, err)
	}
	exit, err := run.Run(run.Options{
		Command: append([]string{path}, args[1:]...), Inside: []string{self, "run", "--" + insideFlag, "--"},
		Env: os.Environ(), Data: m.DataDir, Stdin: in, Stdout: out,
	})
	return m.ended(args[0], exit, err)
}

// terminal is the one that nod was started in, if it has both of its ends.
func (m *Machine) terminal() (in, out *os.File, ok bool) {
	in, isIn := m.Stdin.(*os.File)
	out, isOut := m.Stdout.(*os.File)
	return in, out, isIn && isOut && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd()))
}

// ended turns the end of a program into that of nod.
func (m *Machine) ended(name string, exit int, err error) error {
	var cause *exec.Error
	switch {
	case err == nil && exit == 0:
		return nil
	case err == nil:
		return &env.Error{Exit: exit} // the program has printed what is wrong
	case errors.Is(err, run.ErrUnsupported):
		return m.Failed(words.RunUnsupported, name)
	case errors.As(err, &cause), errors.Is(err, fs.ErrPermission) && nod.CodeOf(err) == nod.Internal:
		return &env.Error{Text: m.Say(words.RunFailed, name, nod.Visible(err.Error())), Exit: exitNotRunnable}
	}
	return m.Failed(words.RunFailed, name, nod.Visible(err.Error()))
}
