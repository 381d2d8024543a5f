// Package cli is nod in a terminal: every command, its help, its words and its
// exit code. It knows the hub only through the client, so whatever it can do
// any other program can do too.
package cli

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

// The exit codes that scripts rely on.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitLate   = 3 // someone else was first
	exitGone   = 4 // unknown, or nobody waits for it any more

	endedBySignal   = 128 // and the number of the signal
	exitInterrupted = 130
)

// Env is the world as a command sees it. Tests bring their own.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	Now    func() time.Time

	// Client opens the hub; via names the door that speaks: "terminal", "watch".
	Client func(via string) (*client.Client, error)

	// Terminal tells the width of Stdout if it is a terminal; nil asks Stdout.
	Terminal func() (columns int, ok bool)

	// Person tells whether somebody reads Stderr and types on Stdin, and how wide
	// their terminal is; nil asks those.
	Person func() (columns int, ok bool)

	// Signals are Ctrl+C and its like, for commands that do more about them than
	// end; nil asks the operating system.
	Signals func() (heard <-chan os.Signal, stop func())

	// Patience is how long a decision is followed; 0 means five seconds.
	Patience time.Duration

	// Getwd and Hostname tell where we are; nil asks the operating system.
	Getwd    func() (string, error)
	Hostname func() (string, error)

	// Commands are added to nod's own: those that need more than the client.
	Commands []*cobra.Command
}

// console is one run of nod.
type console struct {
	Env
	words.Printer
}

func newConsole(env Env) *console {
	if env.Patience == 0 {
		env.Patience = 5 * time.Second
	}
	env.onThisMachine()
	return &console{Env: env, Printer: words.For(env.Getenv)}
}

// Run executes one command line and returns the exit code of the process.
func Run(ctx context.Context, env Env, args []string) int {
	c := newConsole(env)
	return c.run(ctx, args,
		requestsCommand(c), showCommand(c), allowCommand(c), denyCommand(c), answerCommand(c), watchCommand(c), leasesCommand(c), leaseCommand(c),
		stopCommand(c), askCommand(c), chatCommand(c), sayCommand(c), pressCommand(c), agentsCommand(c), hostsCommand(c), logCommand(c), statusCommand(c),
		pairCommand(c), tokenCommand(c), deviceCommand(c), homeAssistantCommand(c))
}

// run executes one command line of nod with these commands and those of Env.
func (c *console) run(ctx context.Context, args []string, commands ...*cobra.Command) int {
	root := c.root()
	root.AddCommand(commands...)
	root.AddCommand(c.Commands...)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	text, exit := c.explain(err)
	if ctx.Err() != nil && exit <= endedBySignal { // otherwise it tells which signal it was
		exit = exitInterrupted
	}
	if text != "" && ctx.Err() == nil {
		fmt.Fprintln(c.Stderr, c.page().flow(text))
	}
	return exit
}

func (c *console) root() *cobra.Command {
	root := c.command("nod", words.Root)
	root.Args = cobra.ArbitraryArgs // unknown commands come to us, not to cobra's English
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.noSuchCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Use: "help", Hidden: true, Run: func(*cobra.Command, []string) { _ = root.Help() }})
	root.SetHelpFunc(c.help)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return c.misuse(cmd, c.Say(words.WrongUse, err))
	})
	root.PersistentFlags().BoolP("help", "h", false, c.Say(words.FlagHelp))
	return root
}

// command is a cobra command that speaks the person's language.
func (c *console) command(use string, topic words.Topic) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: c.Say(topic.Short), Example: Examples(c.Printer, topic),
		DisableFlagsInUseLine: true,
	}
}

// arguments checks how many there are, in words: names tells what they are.
func (c *console) arguments(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return c.misuse(cmd, c.Say(words.MissingArgument, names))
		case most >= 0 && len(args) > most:
			return c.misuse(cmd, c.Say(words.TooManyArguments, args[most]))
		}
		return nil
	}
}

// println ends a command's work with one line on stdout.
func (c *console) println(text string) error {
	_, err := fmt.Fprintln(c.Stdout, text)
	return err
}
