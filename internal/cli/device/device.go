// Package device is everything about small screens, keyboards and Home Assistant:
// devices simulated in a terminal, and the files that real ones need.
package device

import (
	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/present/words"
)

// Command is `nod device`.
func Command(c *console.Console) *cobra.Command {
	return c.Group("device m5stack|keyboard|esphome", words.TopicDevice, "device ", m5stackCommand(c), keyboardCommand(c), esphomeCommand(c))
}
