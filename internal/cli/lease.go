package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

func leasesCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("leases [--json]", words.TopicLeases)
	asJSON := c.JSONFlag(cmd)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, _ []string) error {
		list, err := cl.Leases(ctx)
		if err != nil {
			return err
		}
		p := c.Page()
		switch {
		case *asJSON:
			return c.PrintJSON(console.OrEmpty(list))
		case len(list) == 0:
			return c.Println(p.Wrap(c.Say(words.NoLeases)))
		}
		agents, err := cl.Agents(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(c.Stdout, show.LeaseList(p, list, show.NamesOf(agents)))
		return err
	})
	return cmd
}

func leaseCommand(c *console.Console) *cobra.Command {
	return c.Group("lease grant|revoke", words.TopicLease, "lease ", leaseGrantCommand(c), leaseRevokeCommand(c))
}

func leaseRevokeCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("revoke ID|--all", words.TopicLeaseRevoke)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagRevokeAll))
	cmd.Args = oneOrAll(c, all, words.RevokeWhat)
	cmd.RunE = c.WithHub(func(ctx context.Context, cl *client.Client, args []string) error {
		if *all {
			return revokeAllLeases(ctx, c, cl)
		}
		l, err := cl.RevokeLease(ctx, nod.LeaseID(args[0]))
		if err != nil && nod.CodeOf(err) == nod.NotFound {
			return console.Fail(console.ExitGone, c.Say(words.NoSuchLease, args[0]))
		}
		if err != nil {
			return err
		}
		return c.Println(c.Page().Wrap(c.Say(words.LeaseRevoked, nod.OneLine(string(l.ID)), l.Used, l.Limit)))
	})
	return cmd
}

// revokeAllLeases revokes the leases that there are now. One that ends by itself
// meanwhile is no failure.
func revokeAllLeases(ctx context.Context, c *console.Console, cl *client.Client) error {
	list, err := cl.Leases(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return c.Println(c.Page().Wrap(c.Say(words.NoLeases)))
	}
	for _, l := range list {
		if _, err := cl.RevokeLease(ctx, l.ID); err != nil && nod.CodeOf(err) != nod.NotFound {
			return err
		}
	}
	return c.Println(c.Page().Wrap(c.Count(words.LeasesRevoked, len(list))))
}
