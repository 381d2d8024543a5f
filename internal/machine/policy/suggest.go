package policy

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// suggest derives rules from a person's decisions. The hub has tried each of them
// on past requests.
func (c commands) suggest() *cobra.Command {
	cmd := c.Command("suggest [--since 30d] [--save RULE|NUMBER] [--json]", words.TopicPolicySuggest)
	cmd.Args = cobra.NoArgs
	since := cmd.Flags().String("since", "30d", c.Say(words.FlagSince))
	save := cmd.Flags().String("save", "", c.Say(words.FlagSaveRule))
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		days, err := c.days(*since)
		if err != nil {
			return err
		}
		hub, err := c.Client("terminal")
		if err != nil {
			return err
		}
		found, err := hub.SuggestedRules(cmd.Context(), days)
		switch {
		case err != nil:
			return err
		case *save != "":
			return c.saveRule(cmd, hub, found, *save)
		case *asJSON:
			return json.NewEncoder(c.Stdout).Encode(found)
		}
		c.printSuggestions(c.Page(), found)
		return nil
	}
	return cmd
}

func (c commands) printSuggestions(p console.Page, found v1.RuleSuggestions) {
	if len(found.Suggestions) == 0 {
		p.Print(0, c.Say(words.NothingSuggested, found.Looked, found.Days))
		return
	}
	for i, s := range found.Suggestions {
		fmt.Fprintf(p, "%s  %s\n", p.Paint(console.Bold, strconv.Itoa(i+1)), p.Paint(console.Bold, nod.OneLine(s.Rule)))
		p.Print(3, c.Say(words.SuggestionAllowed, s.Allowed, s.WouldAllow))
		if n := len(s.WouldAllowDenied); n > 0 {
			p.Print(3, p.Paint(console.Yellow, c.Say(words.SuggestionDenied, n)))
			for _, d := range s.WouldAllowDenied {
				fmt.Fprintf(p, "     %s\n", p.Paint(console.Faint, nod.Fold(nod.OneLine(d.Title), 70)))
			}
		}
	}
	fmt.Fprintln(p)
	p.Print(0, c.Say(words.SuggestionSave))
}

// saveRule takes suggestions only: a rule that was not tried on past requests is
// written by hand.
func (c commands) saveRule(cmd *cobra.Command, hub *client.Client, found v1.RuleSuggestions, wanted string) error {
	for i, s := range found.Suggestions {
		if wanted != s.Rule && wanted != strconv.Itoa(i+1) {
			continue
		}
		if err := hub.AddRule(cmd.Context(), "allow", s.Rule); err != nil {
			return err
		}
		c.Page().Print(0, c.Say(words.RuleSaved, nod.OneLine(s.Rule), s.WouldAllow, len(s.WouldAllowDenied)))
		return nil
	}
	return c.Failed(words.NoSuchSuggestion, nod.OneLine(wanted))
}

// days reads 30d, 2w or a number of days.
func (c commands) days(text string) (int, error) {
	factor, number := 1, text
	if n := len(text); n > 1 {
		switch text[n-1] {
		case 'd':
			number = text[:n-1]
		case 'w':
			factor, number = 7, text[:n-1]
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n*factor > 365 {
		return 0, c.Misused(words.WrongSince, nod.OneLine(text))
	}
	return n * factor, nil
}
