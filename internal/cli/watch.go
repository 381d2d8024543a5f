package cli

import "github.com/spf13/cobra"
import "nod/internal/words"

func (c *console) watch() *cobra.Command {
	return c.command("watch", words.TopicWatch)
}
