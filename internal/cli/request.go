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

// listed is how many requests --all shows.
const listed = 50

func requestsCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("requests [ID] [--all] [--json]", words.TopicRequests)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagAll))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.Arguments(0, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return showRequest(c, cmd.Context(), args[0], *asJSON)
		}
		return listRequests(c, cmd.Context(), *all, *asJSON)
	}
	return cmd
}

// showCommand is what people type when they want to see one; it is the same command.
func showCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("show ID [--json]", words.TopicRequests)
	cmd.Hidden = true
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.Arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return showRequest(c, cmd.Context(), args[0], *asJSON)
	}
	return cmd
}

func listRequests(c *console.Console, ctx context.Context, all, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	snap, err := cl.State(ctx)
	if err != nil {
		return err
	}
	list := snap.Requests
	if all {
		if list, err = cl.Requests(ctx, client.Filter{Limit: listed}); err != nil {
			return err
		}
	}
	if asJSON {
		return c.PrintJSON(console.OrEmpty(list))
	}
	p := c.Page().With(snap)
	if _, err := fmt.Fprint(c.Stdout, show.RequestList(p, list, snap.Agents, all)); err != nil {
		return err
	}
	if p.Terminal {
		console.ReportShown(ctx, cl, list)
	}
	return nil
}
