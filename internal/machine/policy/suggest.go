package policy

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	"nod/internal/machine/console"
	"nod/internal/present/words"
)

// suggest finds rules in what a person has decided, each tried against
// the past before it is offered.
func (m commands) suggest() *cobra.Command {
	cmd := m.Command("suggest [--since 30d] [--save RULE|NUMBER] [--json]", words.TopicPolicySuggest)
	cmd.Args = cobra.NoArgs
	since := cmd.Flags().String("since", "30d", m.Say(words.FlagSince))
	save := cmd.Flags().String("save", "", m.Say(words.FlagSaveRule))
	asJSON := cmd.Flags().Bool("json", false, m.Say(words.FlagJSON))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		days, err := m.days(*since)
		if err != nil {
			return err
		}
		hub, err := m.Client("terminal")
		if err != nil {
			return err
		}
		found, err := hub.SuggestedRules(cmd.Context(), days)
		switch {
		case err != nil:
			return err
		case *save != "":
			return m.saveRule(cmd, hub, found, *save)
		case *asJSON:
			return json.NewEncoder(m.Stdout).Encode(found)
		}
		m.tellSuggestions(m.Page(), found)
		return nil
	}
	return cmd
}

func (m commands) tellSuggestions(p console.Page, found client.Suggestions) {
	if len(found.Suggestions) == 0 {
		p.Print(0, m.Say(words.NothingSuggested, found.Looked, found.Days))
		return
	}
	for i, s := range found.Suggestions {
		fmt.Fprintf(p, "%s  %s\n", p.Paint(console.Bold, strconv.Itoa(i+1)), p.Paint(console.Bold, nod.OneLine(s.Rule)))
		p.Print(3, m.Say(words.SuggestionAllowed, s.Allowed, s.WouldAllow))
		if n := len(s.WouldAllowDenied); n > 0 {
			p.Print(3, p.Paint(console.Yellow, m.Say(words.SuggestionDenied, n)))
			for _, d := range s.WouldAllowDenied {
				fmt.Fprintf(p, "     %s\n", p.Paint(console.Faint, nod.Fold(nod.OneLine(d.Title), 70)))
			}
		}
	}
	fmt.Fprintln(p)
	p.Print(0, m.Say(words.SuggestionSave))
}

// saveRule makes one of the suggestions a rule; nothing else: a rule that was
// not tried against the past is written by hand.
func (m commands) saveRule(cmd *cobra.Command, hub *client.Client, found client.Suggestions, wanted string) error {
	for i, s := range found.Suggestions {
		if wanted != s.Rule && wanted != strconv.Itoa(i+1) {
			continue
		}
		if err := hub.AddRule(cmd.Context(), "allow", s.Rule); err != nil {
			return err
		}
		m.Page().Print(0, m.Say(words.RuleSaved, nod.OneLine(s.Rule), s.WouldAllow, len(s.WouldAllowDenied)))
		return nil
	}
	return m.Failed(words.NoSuchSuggestion, nod.OneLine(wanted))
}

// days reads 30d, 2w or a number of days.
func (m commands) days(text string) (int, error) {
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
		return 0, m.Misused(words.WrongSince, nod.OneLine(text))
	}
	return n * factor, nil
}
