package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// termFlags adds the flags of a lease to an allow; the result reads them.
func termFlags(c *console.Console, cmd *cobra.Command) func(*cobra.Command) (*nod.Terms, error) {
	b := addLeaseFlags(c, cmd)
	where := cmd.Flags().String("where", string(nod.ReachSession), c.Say(words.FlagWhere))
	return func(cmd *cobra.Command) (*nod.Terms, error) {
		changed := cmd.Flags().Changed
		switch {
		case !changed("for") && (changed("times") || changed("where")):
			return nil, c.Misuse(cmd, c.Say(words.FlagNeeded, "for"))
		case !changed("for"):
			return nil, nil
		case changed("always") || changed("edit") || changed("mode"):
			return nil, c.Misuse(cmd, c.Say(words.LeaseAlone))
		case !slices.Contains([]nod.Reach{nod.ReachSession, nod.ReachFolder, nod.ReachHost}, nod.Reach(*where)):
			return nil, c.Misuse(cmd, c.Say(words.WrongWhere, *where))
		}
		minutes, err := leaseMinutes(c, cmd, b)
		return &nod.Terms{Minutes: minutes, Times: b.times, Where: nod.Reach(*where)}, err
	}
}

// printDecided says what was decided; with a lease, also its exact terms.
func printDecided(ctx context.Context, c *console.Console, cl *client.Client, r *nod.Request, d *nod.Decision) error {
	p := c.Page()
	if d.Lease == nil {
		return c.Println(show.DecidedText(p, r, d.Answer))
	}
	plain := d.Answer
	plain.Lease = nil
	l := d.Lease.Lease("", r, answer.LeaseRules(r, d.Lease), nod.Actor{Name: d.By, Via: d.Via}, d.At)
	if list, err := cl.Leases(ctx); err == nil {
		for _, known := range list {
			if known.Request == r.ID {
				l = known
			}
		}
	}
	return c.Println(show.DecidedText(p, r, plain) + "\n" + p.Wrap(show.GrantedText(p, l, map[nod.AgentID]string{r.Agent.ID: r.Agent.Name})))
}
