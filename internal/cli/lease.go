package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
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

// timeFlag is a duration as it was typed; it is parsed later, so that the error
// is in the person's language.
type timeFlag string

func (f *timeFlag) String() string     { return string(*f) }
func (f *timeFlag) Set(s string) error { *f = timeFlag(s); return nil }
func (f *timeFlag) Type() string       { return "time" }

// leaseFlags are how long a lease lasts and how often it may be used.
type leaseFlags struct {
	span  timeFlag
	times int
}

func addLeaseFlags(c *console.Console, cmd *cobra.Command) *leaseFlags {
	b := &leaseFlags{}
	cmd.Flags().Var(&b.span, "for", c.Say(words.FlagFor))
	cmd.Flags().IntVar(&b.times, "times", nod.DefaultTimes, c.Say(words.FlagTimes))
	return b
}

// leaseMinutes checks the flags. Half minutes are refused: rounded either way, the
// person would get something else than they asked for.
func leaseMinutes(c *console.Console, cmd *cobra.Command, b *leaseFlags) (int, error) {
	if b.span == "" {
		return 0, c.Misuse(cmd, c.Say(words.FlagNeeded, "for"))
	}
	d, err := time.ParseDuration(string(b.span))
	if err != nil || d < time.Minute || d > nod.MostMinutes*time.Minute || d%time.Minute != 0 {
		return 0, c.Misuse(cmd, c.Say(words.WrongSpan, string(b.span)))
	}
	if b.times < 1 || b.times > nod.MostTimes {
		return 0, c.Misuse(cmd, c.Say(words.WrongTimes, nod.MostTimes))
	}
	return int(d / time.Minute), nil
}

func leaseGrantCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("grant RULE… --for 20m [--times N] [--folder DIR|--agent ID|--here]", words.TopicLeaseGrant)
	b := addLeaseFlags(c, cmd)
	folder := cmd.Flags().String("folder", "", c.Say(words.FlagFolder))
	agent := cmd.Flags().String("agent", "", c.Say(words.FlagAgent))
	cmd.Flags().Bool("here", false, c.Say(words.FlagHere))
	cmd.Args = c.Arguments(1, -1, "RULE…")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		reaches := 0
		for _, name := range []string{"folder", "agent", "here"} {
			if cmd.Flags().Changed(name) {
				reaches++
			}
		}
		if reaches > 1 {
			return c.Misuse(cmd, c.Say(words.OneReach))
		}
		minutes, err := leaseMinutes(c, cmd, b)
		if err != nil {
			return err
		}
		cl, err := c.Hub()
		if err != nil {
			return err
		}
		return grantLease(cmd.Context(), c, cl, v1.NewLease{Rules: args, Minutes: minutes, Times: b.times}, *folder, *agent)
	}
	return cmd
}

func grantLease(ctx context.Context, c *console.Console, cl *client.Client, n v1.NewLease, folder, agent string) error {
	names := map[nod.AgentID]string{}
	var err error
	if agent != "" {
		a, err := c.FindAgent(ctx, cl, agent)
		if err != nil {
			return err
		}
		// The session may change its folder; what was allowed stays in this one.
		n.Agent, n.Folder, n.Host = a.ID, a.Cwd, a.Host
		names[a.ID] = a.Name
	} else if n.Folder, n.Host, err = folderHere(c, folder); err != nil {
		return err
	}
	l, err := cl.Grant(ctx, n)
	if err != nil {
		return err
	}
	p := c.Page()
	return c.Println(p.Wrap(show.GrantedText(p, l, names)))
}

// folderHere is the real path of a folder on this machine: leases compare paths
// letter by letter, and agents report real ones.
func folderHere(c *console.Console, folder string) (dir, host string, err error) {
	if !filepath.IsAbs(folder) {
		cwd, err := c.Getwd()
		if err != nil {
			return "", "", console.Fail(console.ExitFailed, c.Say(words.NoFolder, nod.Visible(err.Error())))
		}
		folder = filepath.Join(cwd, folder)
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	host, err = c.Hostname()
	return filepath.Clean(folder), host, err
}
