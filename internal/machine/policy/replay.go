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
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

// replay runs the rules of nod.toml, as they are written now, over what
// was recorded, so that a person can loosen them without guessing.
func (m commands) replay() *cobra.Command {
	cmd := m.Command("replay [--since 30d] [--config FILE] [--json]", words.TopicPolicyReplay)
	cmd.Args = cobra.NoArgs
	since := cmd.Flags().String("since", "30d", m.Say(words.FlagSince))
	file := cmd.Flags().String("config", "", m.Say(words.FlagRules))
	asJSON := cmd.Flags().Bool("json", false, m.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		days, err := m.days(*since)
		if err != nil {
			return err
		}
		c, _, err := m.Load(m.DataDir, *file)
		if err != nil {
			return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
		}
		rules, err := c.Policy.Policy()
		if err != nil {
			return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
		}
		past, err := m.recorded(cmd, days)
		if err != nil {
			return err
		}
		report := policy.Replay(past, rules)
		if *asJSON {
			return m.printReplay(report, days, len(past))
		}
		m.tellReplay(m.Page(), report, days, len(past))
		return nil
	}
	return cmd
}

// recorded reads approvals of the last days from the hub, with a sign of
// progress on a terminal.
func (m commands) recorded(cmd *cobra.Command, days int) ([]policy.Past, error) {
	hub, err := m.Client("terminal")
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir()
	host, _ := os.Hostname()
	paper := m.Page()
	var all []policy.Past
	q := client.Past{From: time.Now().AddDate(0, 0, -days), Limit: 500}
	for {
		page, err := hub.History(cmd.Context(), q)
		if err != nil {
			return nil, err
		}
		for _, r := range page.Requests {
			if r.Kind == nod.KindApproval {
				all = append(all, policy.Recorded(r, app.SubjectOf(r, home, host)))
			}
		}
		if q.Before = page.Next; page.Next == 0 {
			break
		}
		if paper.Columns > 0 {
			fmt.Fprintf(m.Stderr, "\r%s", m.Say(words.ReplayReading, len(all)))
		}
	}
	if paper.Columns > 0 {
		fmt.Fprint(m.Stderr, "\r\x1b[K")
	}
	return all, nil
}

// replayShown is how many of each kind of difference a person is shown.
const replayShown = 12

func (m commands) tellReplay(p console.Page, r policy.Report, days, looked int) {
	p.Print(0, m.Say(words.ReplaySame, looked, days, r.Same))
	if r.Alarms > 0 {
		p.Print(0, p.Paint(console.Red, m.Say(words.ReplayAlarm, r.Alarms)))
	}
	m.tellChanges(p, console.Green, m.Say(words.ReplayAllowed, len(r.Allowed)), r.Allowed, m.Say(words.ReplayYouDenied))
	m.tellChanges(p, console.Red, m.Say(words.ReplayDenied, len(r.Denied)), r.Denied, m.Say(words.ReplayYouAllowed))
	m.tellChanges(p, console.Yellow, m.Say(words.ReplayAsked, len(r.Asked)), r.Asked, "")
}

func (m commands) tellChanges(p console.Page, colour, title string, list []policy.Change, against string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(p, "\n%s\n", p.Paint(colour, title))
	for i, c := range list {
		if i == replayShown {
			p.Print(2, p.Paint(console.Faint, m.Say(words.ReplayMore, len(list)-i)))
			return
		}
		mark := ""
		if c.Against {
			mark = p.Paint(console.Red, "  ← "+against)
		}
		fmt.Fprintf(p, "  %s%s\n", nod.Fold(nod.OneLine(c.Past.Title), 70), mark)
		fmt.Fprintf(p, "      %s\n", p.Paint(console.Faint, nod.OneLine(c.Judgement.Rule)))
	}
}

// printReplay is the report for scripts.
func (m commands) printReplay(r policy.Report, days, looked int) error {
	type change struct {
		ID      string         `json:"id"`
		Title   string         `json:"title"`
		At      time.Time      `json:"asked_at"`
		Was     policy.Verdict `json:"was"` // what was decided; empty when nobody did
		Now     policy.Verdict `json:"now"`
		Rule    string         `json:"rule"`
		Against bool           `json:"against"` // a person had decided the opposite
	}
	changes := []change{}
	for _, list := range [][]policy.Change{r.Allowed, r.Denied, r.Asked} {
		for _, c := range list {
			changes = append(changes, change{c.Past.ID, c.Past.Title, c.Past.At, c.Past.Verdict, c.Judgement.Verdict, c.Judgement.Rule, c.Against})
		}
	}
	return json.NewEncoder(m.Stdout).Encode(map[string]any{
		"days": days, "looked": looked, "same": r.Same, "alarms": r.Alarms, "changes": changes,
	})
}
