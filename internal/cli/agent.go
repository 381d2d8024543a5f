package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/present/words"
)

func agentsCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("agents [--all] [--json]", words.TopicAgents)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagEnded))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.Arguments(0, 0, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return listAgents(c, cmd.Context(), *all, *asJSON)
	}
	return cmd
}

func listAgents(c *console.Console, ctx context.Context, all, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	snap, err := cl.State(ctx)
	if err != nil {
		return err
	}
	list := snap.Agents
	if !all {
		list = show.Alive(list)
	}
	if asJSON {
		return c.PrintJSON(console.OrEmpty(list))
	}
	p := c.Page().With(snap)
	if len(list) == 0 {
		return c.Println(p.Say(words.NoAgents))
	}
	_, err = fmt.Fprint(c.Stdout, show.AgentList(p, list))
	return err
}
