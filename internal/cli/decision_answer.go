package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/client"
	"nod/internal/present/words"
)

// chosenRule is the rule that --always means: the first, a number or an id.
func chosenRule(c *console.Console, r *nod.Request, wanted, id string) (nod.Remember, error) {
	if wanted == "" {
		return "", nil
	}
	rules := answer.Options(r, nod.OptionAlways)
	if len(rules) == 0 {
		return "", console.Fail(console.ExitFailed, c.Say(words.NoRuleOffered, id))
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(rules) {
		return nod.Remember(rules[n-1].ID), nil
	}
	if o, ok := r.Option(nod.OptionAlways, wanted); ok {
		return nod.Remember(o.ID), nil
	}
	return "", console.Fail(console.ExitFailed, c.Say(words.NoSuchRule, wanted)+"\n"+optionList(c, rules, true))
}

// checkAllow explains what the hub would just refuse.
func checkAllow(c *console.Console, r *nod.Request, a nod.Answer, id string) error {
	switch {
	case answer.IsQuestion(r):
		return questionError(c, words.QuestionNotYesNo, r, id)
	case a.Lease != nil && len(answer.Options(r, nod.OptionLease)) == 0:
		return console.Fail(console.ExitFailed, c.Say(words.NoLeaseOffered, id))
	case len(a.Input) > 0 && !r.CanEdit:
		return console.Fail(console.ExitFailed, c.Say(words.NotEditable))
	case a.Mode != "" && r.Kind == nod.KindPlan:
		if _, ok := r.Option(nod.OptionMode, a.Mode); !ok {
			return console.Fail(console.ExitFailed, c.Say(words.NoSuchMode, a.Mode)+"\n"+optionList(c, answer.Options(r, nod.OptionMode), false))
		}
	}
	return nil
}

func optionList(c *console.Console, options []nod.Option, numbered bool) string {
	p := c.Page()
	return strings.Join(show.OptionLines(p, options, func(i int, o nod.Option) string {
		if numbered {
			return strconv.Itoa(i + 1)
		}
		return nod.OneLine(o.ID)
	}), "\n")
}

// typedReplies assigns the arguments to the questions.
func typedReplies(c *console.Console, r *nod.Request, id string, typed, notes []string) (nod.Answer, error) {
	if !answer.IsQuestion(r) {
		return nod.Answer{}, console.Fail(console.ExitFailed, c.Say(words.NotAQuestion, id))
	}
	if len(typed) == 0 && len(r.Questions) > 0 {
		return nod.Answer{}, questionError(c, words.AnswersNeeded, r, id)
	}
	answers, err := nod.InOrder(r.Questions, typed)
	if err != nil {
		return nod.Answer{}, questionError(c, words.AnswersNeeded, r, id)
	}
	for i, note := range notes {
		if i >= len(r.Questions) {
			break
		}
		reply := answers[r.Questions[i].Key()]
		reply.Notes = note
		answers[r.Questions[i].Key()] = reply
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}

// questionError shows the questions and what to type.
func questionError(c *console.Console, m words.Message, r *nod.Request, id string) error {
	p := c.Page()
	lines := append([]string{c.Say(m)}, show.QuestionLines(p, r)...)
	return console.Fail(console.ExitFailed, strings.Join(append(lines, show.NextCommands(p, r, id)...), "\n"))
}

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
