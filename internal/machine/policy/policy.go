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
	m := commands{e}
	cmd := m.Command("policy", words.TopicPolicy)
	cmd.AddCommand(m.test(), m.check(), m.suggest(), m.replay())
	return cmd
}

func (m commands) check() *cobra.Command {
	cmd := m.Command("check", words.TopicPolicyCheck)
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		c, _, err := m.Load(m.DataDir, "")
		if err == nil {
			_, err = c.Policy.Policy()
		}
		if err != nil {
			return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
		}
		p := c.Policy
		m.Page().Print(0, m.Say(words.PolicyFine, len(p.Allow), len(p.Ask), len(p.Deny), p.ReadOnly, len(p.Scope), len(p.Phrase)))
		return nil
	}
	return cmd
}

func (m commands) test() *cobra.Command {
	cmd := m.Command("test [--json] [--phrase] LINE", words.TopicPolicyTest)
	asJSON := cmd.Flags().Bool("json", false, m.Say(words.FlagJSON))
	spoken := cmd.Flags().Bool("phrase", false, m.Say(words.FlagPhrase))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return m.Misused(words.PolicyLine)
		}
		c, _, err := m.Load(m.DataDir, "")
		if err != nil {
			return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
		}
		off := c.Policy.ReadOnly != "allow"
		c.Policy.ReadOnly = "allow" // to see what they would do is what people try this for
		p, err := c.Policy.Policy()
		if err != nil {
			return &env.Error{Text: nod.Visible(nod.MessageOf(err)), Exit: env.ExitFailed}
		}
		line := strings.Join(args, " ")
		j := p.Judge(m.subject(line))
		if *spoken {
			j, off = p.JudgePhrase(line), false
		}
		if *asJSON {
			return m.printJudgement(j)
		}
		m.explain(m.Page(), line, j, off)
		return nil
	}
	return cmd
}

// subject is a command line as the agent in this folder would run it.
func (m commands) subject(line string) policy.Subject {
	input, _ := json.Marshal(map[string]string{"command": line}) // a string always can
	cwd, _ := os.Getwd()                                         // without one, more is asked
	host, _ := os.Hostname()
	return policy.Subject{Tool: "Bash", Input: input, Cwd: cwd, Home: m.Getenv("HOME"), Agent: "claude", Host: host}
}

func (m commands) printJudgement(j policy.Judgement) error {
	out := struct {
		Verdict policy.Verdict `json:"verdict"`
		Reason  string         `json:"reason"`
		Rule    string         `json:"rule"`
		Risk    nod.Risk       `json:"risk"`
	}{j.Verdict, j.Reason, j.Rule, j.Risk}
	return json.NewEncoder(m.Stdout).Encode(out)
}

// explain draws the verdict and then each piece of the line with its own.
func (m commands) explain(p console.Page, line string, j policy.Judgement, off bool) {
	fmt.Fprintf(p, "%s  %s · %s\n", m.ruling(p, j.Verdict), j.Risk.Level, nod.OneLine(j.Reason))
	fmt.Fprintf(p, "  %s\n\n", nod.OneLine(j.Rule))
	if p.Colours && len(j.Parts) > 0 {
		fmt.Fprintf(p, "  %s\n\n", m.painted(p, line, j.Parts))
	}
	for _, part := range j.Parts {
		piece := ""
		if part.Span.From >= 0 && part.Span.From <= part.Span.To && part.Span.To <= len(line) {
			piece = line[part.Span.From:part.Span.To]
		}
		fmt.Fprintf(p, "  %s  %s\n", m.ruling(p, part.Verdict), nod.Fold(nod.OneLine(piece), 60))
		fmt.Fprintf(p, "       %s\n", p.Paint(console.Faint, nod.OneLine(strings.Trim(part.Rule+": "+part.Reason, ": "))))
	}
	if off {
		fmt.Fprintln(p)
		p.Print(0, m.Say(words.PolicyOff))
	}
}

// ruling is a sign, a word and a colour; never the colour alone.
func (m commands) ruling(p console.Page, v policy.Verdict) string {
	switch v {
	case policy.Allow:
		return p.Paint(colourOf(v), "✓ "+m.Say(words.PolicyAllow))
	case policy.Deny:
		return p.Paint(colourOf(v), "✗ "+m.Say(words.PolicyDeny))
	}
	return p.Paint(colourOf(v), "? "+m.Say(words.PolicyAsk))
}

// painted is the whole line with every piece in the colour of its verdict. A
// smaller piece lies over a larger one.
func (m commands) painted(p console.Page, line string, parts []policy.Part) string {
	over := make([]int, len(line)) // 1 + the piece that shows at each byte
	for i, part := range parts {
		for at := max(0, part.Span.From); at < min(len(line), part.Span.To); at++ {
			if under := over[at]; under == 0 || width(parts[under-1]) >= width(part) {
				over[at] = i + 1
			}
		}
	}
	var out strings.Builder
	for from := 0; from < len(line); {
		to := from + 1
		for to < len(line) && over[to] == over[from] {
			to++
		}
		colour := console.Faint
		if over[from] > 0 {
			colour = colourOf(parts[over[from]-1].Verdict)
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
