package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/present/words"
)

func leasesCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("leases [--json]", words.TopicLeases)
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.Args = c.Arguments(0, 0, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return listLeases(c, cmd.Context(), *asJSON)
	}
	return cmd
}

func listLeases(c *console.Console, ctx context.Context, asJSON bool) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	list, err := cl.Leases(ctx)
	if err != nil {
		return err
	}
	p := c.Page()
	switch {
	case asJSON:
		return c.PrintJSON(console.OrEmpty(list))
	case len(list) == 0:
		return c.Println(p.Wrap(p.Say(words.NoLeases)))
	}
	agents, err := cl.Agents(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(c.Stdout, show.LeaseList(p, list, show.NamesOf(agents)))
	return err
}

func leaseCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("lease grant|revoke", words.TopicLease)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return c.NoSuchCommand(cmd, "lease "+args[0])
		}
		return cmd.Help()
	}
	cmd.AddCommand(leaseGrantCommand(c), leaseRevokeCommand(c))
	return cmd
}

func leaseRevokeCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("revoke ID|--all", words.TopicLeaseRevoke)
	all := cmd.Flags().Bool("all", false, c.Say(words.FlagRevokeAll))
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if (len(args) == 1) == *all || len(args) > 1 {
			return c.Misuse(cmd, c.Say(words.RevokeWhat))
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *all {
			return revokeAllLeases(c, cmd.Context())
		}
		return revokeLease(c, cmd.Context(), args[0])
	}
	return cmd
}

func revokeLease(c *console.Console, ctx context.Context, id string) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	l, err := cl.RevokeLease(ctx, nod.LeaseID(id))
	if err != nil && nod.CodeOf(err) == nod.NotFound {
		return console.Fail(console.ExitGone, c.Say(words.NoSuchLease, id))
	}
	if err != nil {
		return err
	}
	return c.Println(c.Page().Wrap(c.Say(words.LeaseRevoked, nod.OneLine(string(l.ID)), l.Used, l.Limit)))
}

// revokeAllLeases takes back what there is now. One that ends by itself meanwhile is
// what was wanted.
func revokeAllLeases(c *console.Console, ctx context.Context) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
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
