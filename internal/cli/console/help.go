package console

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// help draws the help page of a command. Examples come first, because people look
// for those.
func (c *Console) help(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n  %s\n", cmd.Short, c.Say(words.HelpUsage), usageLine(cmd))
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpExamples), cmd.Example)
	}
	if rows := subcommands(cmd); len(rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpCommands), term.TwoColumns(rows))
	}
	if rows := flags(cmd); len(rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpFlags), term.TwoColumns(rows))
	}
	if cmd.Annotations["decides"] != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Say(words.HelpOutcome))
	}
	if cmd.Annotations["asks"] != "" {
		fmt.Fprintf(&b, "\n%s\n", c.Say(words.HelpAsk))
	}
	if !cmd.HasParent() {
		fmt.Fprintf(&b, "\n%s\n", c.Say(words.HelpMore))
	}
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

func usageLine(cmd *cobra.Command) string {
	line := cmd.UseLine()
	if !cmd.HasParent() {
		line += " COMMAND"
	}
	return line
}

func subcommands(cmd *cobra.Command) (rows [][2]string) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			rows = append(rows, [2]string{sub.Name(), sub.Short})
		}
	}
	return rows
}

func flags(cmd *cobra.Command) (rows [][2]string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "    --" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", --" + f.Name
		}
		rows = append(rows, [2]string{name + valueOf(f), f.Usage})
	})
	return rows
}

// valueOf names the value of a flag.
func valueOf(f *pflag.Flag) string {
	switch {
	case f.Value.Type() == "bool":
		return ""
	case f.Value.Type() == "int":
		return " N"
	case f.Value.Type() == "time":
		return " 20m"
	case f.NoOptDefVal != "":
		return "[=" + strings.ToUpper(f.Name) + "]"
	}
	return " TEXT"
}
