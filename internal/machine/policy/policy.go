// Package policy holds the commands that show what the rules of nod.toml decide.
// Most need no hub: the rules are in the configuration, and judging touches nothing.
package policy

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/judge/policy"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
)

type commands struct{ *env.Env }

// Command is `nod policy`.
func Command(e *env.Env) *cobra.Command {
	c := commands{e}
	cmd := c.Command("policy", words.TopicPolicy)
	cmd.AddCommand(c.test(), c.check(), c.suggest(), c.replay())
	return cmd
}

// invalid is an error in the configuration.
func invalid(err error) error {
	return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
}

func (c commands) check() *cobra.Command {
	cmd := c.Command("check", words.TopicPolicyCheck)
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		conf, _, err := c.Load(c.DataDir, "")
		if err == nil {
			_, err = conf.Policy.Policy()
		}
		if err != nil {
			return invalid(err)
		}
		p := conf.Policy
		c.Page().Print(0, c.Say(words.PolicyFine, len(p.Allow), len(p.Ask), len(p.Deny), p.ReadOnly, len(p.Scope), len(p.Phrase)))
		return nil
	}
	return cmd
}

func (c commands) test() *cobra.Command {
	cmd := c.Command("test [--json] [--phrase] LINE", words.TopicPolicyTest)
	asJSON := cmd.Flags().Bool("json", false, c.Say(words.FlagJSON))
	spoken := cmd.Flags().Bool("phrase", false, c.Say(words.FlagPhrase))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Misused(words.PolicyLine)
		}
		conf, _, err := c.Load(c.DataDir, "")
		if err != nil {
			return invalid(err)
		}
		off := conf.Policy.ReadOnly != "allow"
		conf.Policy.ReadOnly = "allow" // shows what these rules would do if they were on
		p, err := conf.Policy.Policy()
		if err != nil {
			return invalid(err)
		}
		line := strings.Join(args, " ")
		j := p.Judge(c.subject(line))
		if *spoken {
			j, off = p.JudgePhrase(line), false
		}
		if *asJSON {
			return c.printJudgement(j)
		}
		c.explain(c.Page(), line, j, off)
		return nil
	}
	return cmd
}

// subject is a command line as the agent in this folder would run it.
func (c commands) subject(line string) policy.Subject {
	input, _ := json.Marshal(map[string]string{"command": line}) // a map of strings always works
	cwd, _ := os.Getwd()                                         // without a folder the policy asks more often
	host, _ := os.Hostname()
	return policy.Subject{Tool: "Bash", Input: input, Cwd: cwd, Home: c.Getenv("HOME"), Agent: "claude", Host: host}
}

func (c commands) printJudgement(j policy.Judgement) error {
	out := struct {
		Verdict policy.Verdict `json:"verdict"`
		Reason  string         `json:"reason"`
		Rule    string         `json:"rule"`
		Risk    nod.Risk       `json:"risk"`
	}{j.Verdict, j.Reason, j.Rule, j.Risk}
	return json.NewEncoder(c.Stdout).Encode(out)
}

// explain prints the verdict on the line, then on each of its parts.
func (c commands) explain(p console.Page, line string, j policy.Judgement, off bool) {
	fmt.Fprintf(p, "%s  %s · %s\n", c.ruling(p, j.Verdict), j.Risk.Level, nod.OneLine(j.Reason))
	fmt.Fprintf(p, "  %s\n\n", nod.OneLine(j.Rule))
	if p.Colours && len(j.Parts) > 0 {
		fmt.Fprintf(p, "  %s\n\n", painted(p, line, j.Parts))
	}
	for _, part := range j.Parts {
		piece := ""
		if part.Span.From >= 0 && part.Span.From <= part.Span.To && part.Span.To <= len(line) {
			piece = line[part.Span.From:part.Span.To]
		}
		fmt.Fprintf(p, "  %s  %s\n", c.ruling(p, part.Verdict), nod.Fold(nod.OneLine(piece), 60))
		fmt.Fprintf(p, "       %s\n", p.Paint(console.Faint, nod.OneLine(strings.Trim(part.Rule+": "+part.Reason, ": "))))
	}
	if off {
		fmt.Fprintln(p)
		p.Print(0, c.Say(words.PolicyOff))
	}
}

// ruling is a sign and a word, because some terminals and people see no colours.
func (c commands) ruling(p console.Page, v policy.Verdict) string {
	switch v {
	case policy.Allow:
		return p.Paint(colourOf(v), "✓ "+c.Say(words.PolicyAllow))
	case policy.Deny:
		return p.Paint(colourOf(v), "✗ "+c.Say(words.PolicyDeny))
	}
	return p.Paint(colourOf(v), "? "+c.Say(words.PolicyAsk))
}

// painted is the line with every part in the colour of its verdict. Of two parts
// that overlap the smaller one shows.
func painted(p console.Page, line string, parts []policy.Part) string {
	shown := make([]int, len(line)) // for each byte 1 + the index of its part, or 0
	for i, part := range parts {
		for at := max(0, part.Span.From); at < min(len(line), part.Span.To); at++ {
			if n := shown[at]; n == 0 || width(parts[n-1]) >= width(part) {
				shown[at] = i + 1
			}
		}
	}
	var out strings.Builder
	for from := 0; from < len(line); {
		to := from + 1
		for to < len(line) && shown[to] == shown[from] {
			to++
		}
		colour := console.Faint
		if shown[from] > 0 {
			colour = colourOf(parts[shown[from]-1].Verdict)
		}
		out.WriteString(p.Paint(colour, nod.OneLine(line[from:to])))
		from = to
	}
	return out.String()
}

func width(part policy.Part) int { return part.Span.To - part.Span.From }

func colourOf(v policy.Verdict) string {
	switch v {
	case policy.Allow:
		return console.Green
	case policy.Deny:
		return console.Red
	}
	return console.Yellow
}
