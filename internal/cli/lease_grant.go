package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// timeFlag is a length of time as it was typed; it is read where our own words
// can say what is wrong with it.
type timeFlag string

func (f *timeFlag) String() string { return string(*f) }

func (f *timeFlag) Set(s string) error { *f = timeFlag(s); return nil }

func (f *timeFlag) Type() string { return "time" }

// leaseFlags is how long and how often, as flags.
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

// leaseMinutes checks the box. Half minutes are refused: rounded either way, the
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
		return grantLease(c, cmd.Context(), client.NewLease{Rules: args, Minutes: minutes, Times: b.times}, *folder, *agent)
	}
	return cmd
}

func grantLease(c *console.Console, ctx context.Context, n client.NewLease, folder, agent string) error {
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	names := map[nod.AgentID]string{}
	if agent != "" {
		a, err := c.FindAgent(ctx, cl, agent)
		if err != nil {
			return err
		}
		// The session may move; the consent does not.
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

// folderHere is a folder on this machine, as the agents in it are known: by its real
// path, because leases compare letters.
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
