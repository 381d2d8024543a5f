package console

import (
	"github.com/spf13/cobra"

	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// Command is a cobra command that speaks the person's language.
func (c *Console) Command(use string, topic words.Topic) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: c.Say(topic.Short), Example: term.Examples(c.Printer, topic),
		DisableFlagsInUseLine: true,
	}
}

// Arguments checks how many there are, in words: names tells what they are.
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
