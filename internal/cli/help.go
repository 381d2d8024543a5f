package cli

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"nod/internal/present/words"
)

// help draws a command's page: what it does, examples first, because they are
// what people look for.
func (c *console) help(cmd *cobra.Command, _ []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n  %s\n", cmd.Short, c.Say(words.HelpUsage), usageLine(cmd))
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpExamples), cmd.Example)
	}
	if rows := subcommands(cmd); len(rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpCommands), twoColumns(rows))
	}
	if rows := flags(cmd); len(rows) > 0 {
		fmt.Fprintf(&b, "\n%s\n%s", c.Say(words.HelpFlags), twoColumns(rows))
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

// Examples is the part of a help page that people look for.
func Examples(say words.Printer, t words.Topic) string {
	rows := make([][2]string, len(t.Examples))
	for i, e := range t.Examples {
		rows[i] = [2]string{e.Line, say.Say(e.Says)}
	}
	return twoColumns(rows)
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

// valueOf is what has to follow a flag.
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

// twoColumns draws two columns, aligned by what is seen: Japanese is twice as wide as it is long.
func twoColumns(rows [][2]string) string {
	widest := 0
	for _, r := range rows {
		if w := lipgloss.Width(r[0]); w <= 34 { // a long line stands alone
			widest = max(widest, w)
		}
	}
	var b strings.Builder
	for _, r := range rows {
		gap := widest - lipgloss.Width(r[0])
		if gap < 0 {
			fmt.Fprintf(&b, "  %s\n  %s  %s\n", r[0], strings.Repeat(" ", widest), r[1])
			continue
		}
		fmt.Fprintf(&b, "  %s%s  %s\n", r[0], strings.Repeat(" ", gap), r[1])
	}
	return b.String()
}
