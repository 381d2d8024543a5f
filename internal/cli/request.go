package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"nod"
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
	asJSON := c.JSONFlag(cmd)
	cmd.Args = c.Arguments(0, 1, "ID")
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		if len(args) == 1 {
			return showRequest(ctx, c, cl, args[0], *asJSON)
		}
		return listRequests(ctx, c, cl, *all, *asJSON)
	})
	return cmd
}

// showCommand is what people type when they want to see one request.
func showCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("show ID [--json]", words.TopicRequests)
	cmd.Hidden = true
	asJSON := c.JSONFlag(cmd)
	cmd.Args = c.Arguments(1, 1, "ID")
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		return showRequest(ctx, c, cl, args[0], *asJSON)
	})
	return cmd
}

func listRequests(ctx context.Context, c *console.Console, cl *client.Client, all, asJSON bool) error {
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

func showRequest(ctx context.Context, c *console.Console, cl *client.Client, id string, asJSON bool) error {
	r, err := c.FindRequest(ctx, cl, id)
	if err != nil {
		return err
	}
	if asJSON {
		return c.PrintJSON(r)
	}
	p := c.Page()
	if snap, err := cl.State(ctx); err == nil { // without it only the agent's location is missing
		p = p.With(snap)
	}
	if err := c.Println(strings.Join(show.RequestDetails(p, r, id[:min(8, len(id))]), "\n")); err != nil {
		return err
	}
	if p.Terminal {
		console.ReportShown(ctx, cl, []*nod.Request{r})
	}
	return nil
}
