package policy

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/app"
	"nod/internal/client"
	"nod/internal/judge/policy"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// replay applies the current rules to past requests, so that a person sees what a
// change of the rules would do.
func (c commands) replay() *cobra.Command {
	cmd := c.Command("replay [--since 30d] [--config FILE] [--json]", words.TopicPolicyReplay)
	cmd.Args = cobra.NoArgs
	since := cmd.Flags().String("since", "30d", c.Say(words.FlagSince))
	file := cmd.Flags().String("config", "", c.Say(words.FlagRules))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		days, err := c.days(*since)
		if err != nil {
			return err
		}
		conf, _, err := c.Load(c.DataDir, *file)
		if err != nil {
			return invalid(err)
		}
		rules, err := conf.Policy.Policy()
		if err != nil {
			return invalid(err)
		}
		past, err := c.recorded(cmd, days)
		if err != nil {
			return err
		}
		report := policy.Replay(past, rules)
		if *asJSON {
			return c.printReportJSON(report, days, len(past))
		}
		c.printReport(c.Page(), report, days, len(past))
		return nil
	}
	return cmd
}

// recorded reads the approvals of the last days from the hub.
func (c commands) recorded(cmd *cobra.Command, days int) ([]policy.Past, error) {
	hub, err := c.Client("terminal")
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir()
	host, _ := os.Hostname()
	terminal := c.Page().Columns > 0
	var all []policy.Past
	q := client.Past{From: time.Now().AddDate(0, 0, -days), Limit: 500}
	for {
		page, err := hub.History(cmd.Context(), q)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Requests {
			if r.Kind == nod.KindApproval && !r.Unsure {
				all = append(all, policy.Recorded(r, app.SubjectOf(r, home, host)))
			}
		}
		if q.Before = page.Next; page.Next == 0 {
			break
		}
		if terminal {
			fmt.Fprintf(c.Stderr, "\r%s", c.Say(words.ReplayReading, len(all)))
		}
	}
	if terminal {
		fmt.Fprint(c.Stderr, "\r\x1b[K")
	}
	return all, nil
}

// replayShown limits each list on the page; --json has everything.
const replayShown = 12

func (c commands) printReport(p console.Page, r policy.Report, days, looked int) {
	p.Print(0, c.Say(words.ReplaySame, looked, days, r.Same))
	if r.Alarms > 0 {
		p.Print(0, p.Paint(console.Red, c.Say(words.ReplayAlarm, r.Alarms)))
	}
	c.printChanges(p, console.Green, c.Say(words.ReplayAllowed, len(r.Allowed)), r.Allowed, c.Say(words.ReplayYouDenied))
	c.printChanges(p, console.Red, c.Say(words.ReplayDenied, len(r.Denied)), r.Denied, c.Say(words.ReplayYouAllowed))
	c.printChanges(p, console.Yellow, c.Say(words.ReplayAsked, len(r.Asked)), r.Asked, "")
}

func (c commands) printChanges(p console.Page, colour, title string, list []policy.Change, against string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(p, "\n%s\n", p.Paint(colour, title))
	for i, change := range list {
		if i == replayShown {
			p.Print(2, p.Paint(console.Faint, c.Say(words.ReplayMore, len(list)-i)))
			return
		}
		mark := ""
		if change.Against {
			mark = p.Paint(console.Red, "  ← "+against)
		}
		fmt.Fprintf(p, "  %s%s\n", nod.Fold(nod.OneLine(change.Past.Title), 70), mark)
		fmt.Fprintf(p, "      %s\n", p.Paint(console.Faint, nod.OneLine(change.Judgement.Rule)))
	}
}

func (c commands) printReportJSON(r policy.Report, days, looked int) error {
	type change struct {
		ID      string         `json:"id"`
		Title   string         `json:"title"`
		At      time.Time      `json:"asked_at"`
		Was     policy.Verdict `json:"was"` // what was decided; empty: nothing
		Now     policy.Verdict `json:"now"`
		Rule    string         `json:"rule"`
		Against bool           `json:"against"` // a person had decided the opposite
	}
	changes := []change{}
	for _, list := range [][]policy.Change{r.Allowed, r.Denied, r.Asked} {
		for _, l := range list {
			changes = append(changes, change{l.Past.ID, l.Past.Title, l.Past.At, l.Past.Verdict, l.Judgement.Verdict, l.Judgement.Rule, l.Against})
		}
	}
	return json.NewEncoder(c.Stdout).Encode(map[string]any{
		"days": days, "looked": looked, "same": r.Same, "alarms": r.Alarms, "changes": changes,
	})
}
