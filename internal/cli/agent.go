package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

func agentsCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("agents [--all] [--json]", words.TopicAgents)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagEnded))
	asJSON := c.JSONFlag(cmd)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		snap, err := cl.State(ctx)
		if err != nil {
			return err
		}
		list := snap.Agents
		if !*all {
			list = show.Alive(list)
		}
		switch {
		case *asJSON:
			return c.PrintJSON(console.OrEmpty(list))
		case len(list) == 0:
			return c.Println(c.Say(words.NoAgents))
		}
		_, err = fmt.Fprint(c.Stdout, show.AgentList(c.Page().With(snap), list))
		return err
	})
	return cmd
}
