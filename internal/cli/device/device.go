// Package device is everything about small screens, keyboards and Home Assistant:
// devices simulated in a terminal, and the files that real ones need.
package device

import (
	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/present/words"
)

func Command(c *console.Console) *cobra.Command {
	cmd := c.Command("device m5stack|keyboard|esphome", words.TopicDevice)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.NoSuchCommand(cmd, "device "+args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(m5stackCommand(c), keyboardCommand(c), esphomeCommand(c))
	return cmd
}
