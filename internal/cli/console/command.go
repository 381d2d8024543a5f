package console

import (
	"context"

	"github.com/spf13/cobra"

	"nod/internal/cli/term"
	"nod/internal/client"
	"nod/internal/present/words"
)

// Command is a cobra command that speaks the person's language. It takes no
// arguments unless its Args are set.
func (c *Console) Command(use string, topic words.Topic) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: c.Say(topic.Short), Example: term.Examples(c.Printer, topic),
		Args: c.Arguments(0, 0, ""), DisableFlagsInUseLine: true,
	}
}

// Group is a command that only has subcommands. prefix stands before an unknown
// one when the error names it.
func (c *Console) Group(use string, topic words.Topic, prefix string, commands ...*cobra.Command) *cobra.Command {
	cmd := c.Command(use, topic)
	cmd.Args = cobra.ArbitraryArgs // unknown commands come to us, not to cobra's English
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.NoSuchCommand(cmd, prefix+args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(commands...)
	return cmd
}

// Arguments checks how many there are; names tells the person what they are.
func (c *Console) Arguments(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return c.Misuse(cmd, c.Say(words.MissingArgument, names))
		case most >= 0 && len(args) > most:
			return c.Misuse(cmd, c.Say(words.TooManyArguments, args[most]))
		}
		return nil
	}
}

// JSONFlag adds --json.
func (c *Console) JSONFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
}

// Hub opens the hub as the terminal.
func (c *Console) Hub() (*client.Client, error) { return c.Client("terminal") }

// WithHub runs a command that needs the hub for all it does.
func (c *Console) WithHub(run func(ctx context.Context, cl *client.Client, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		return run(cmd.Context(), cl, args)
	}
}
