// Package console is what every command of nod needs: its surroundings, its help,
// its errors and exit codes, and how it finds and prints things.
package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"nod/internal/client"
	"nod/internal/present/words"
)

// Env is what a command knows of the outside. Tests replace it.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time

	// Client connects to the hub; via names the surface: "terminal", "watch".
	Client func(via string) (*client.Client, error)

	// Terminal is the width of Stdout if it is a terminal; nil asks Stdout.
	Terminal func() (columns int, ok bool)

	// Person says whether a person reads Stderr and types on Stdin, and how wide
	// their terminal is; nil asks those.
	Person func() (columns int, ok bool)

	// Signals are Ctrl+C and SIGTERM, for commands that handle them themselves; nil
	// asks the operating system.
	Signals func() (heard <-chan os.Signal, stop func())

	// Patience is how long a command waits for an effect; 0 means five seconds.
	Patience time.Duration

	// Getwd and Hostname are nil for those of the operating system.
	Getwd    func() (string, error)
	Hostname func() (string, error)

	// Commands are added to those of this package: they need more than the client.
	Commands []*cobra.Command
}

// Console is one run of nod.
type Console struct {
	Env
	words.Printer
}

func New(env Env) *Console {
	if env.Patience == 0 {
		env.Patience = 5 * time.Second
	}
	if env.Getwd == nil {
		env.Getwd = os.Getwd
	}
	if env.Hostname == nil {
		env.Hostname = os.Hostname
	}
	return &Console{Env: env, Printer: words.For(env.Getenv)}
}

// Run executes one command line of nod with these commands and those of Env.
func (c *Console) Run(ctx context.Context, args []string, commands ...*cobra.Command) int {
	root := c.Root()
	root.AddCommand(commands...)
	root.AddCommand(c.Commands...)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	text, exit := c.Explain(err)
	if ctx.Err() != nil && exit <= endedBySignal { // otherwise the code says which signal it was
		exit = ExitInterrupted
	}
	if text != "" && ctx.Err() == nil {
		fmt.Fprintln(c.Stderr, c.Page().Wrap(text))
	}
	return exit
}

// Root is nod without its commands.
func (c *Console) Root() *cobra.Command {
	root := c.Group("nod", words.Root, "")
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, Run: func(*cobra.Command, []string) { _ = root.Help() }})
	root.SetHelpFunc(c.help)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return c.Misuse(cmd, c.Say(words.WrongUse, err))
	})
	root.PersistentFlags().BoolP("help", "h", false, c.Say(words.FlagHelp))
	return root
}
