package machine

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/app"
	"nod/internal/policy"
	"nod/internal/words"
)

// policy shows what the rules make of things. It needs no hub: the rules are in
// the configuration, and judging touches nothing.
func (m *Machine) policy() *cobra.Command {
	cmd := m.command("policy", words.TopicPolicy)
	cmd.AddCommand(m.policyTest(), m.policyCheck())
	return cmd
}

func (m *Machine) policyCheck() *cobra.Command {
	cmd := m.command("check", words.TopicPolicyCheck)
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		c, _, err := m.load(m.DataDir, "")
		if err == nil {
			_, err = app.NewPolicy(c.Policy)
		}
		if err != nil {
			return &said{nod.Visible(nod.MessageOf(err)), exitFailed}
		}
		p := c.Policy
		m.paper().say(0, m.say.Say(words.PolicyFine, len(p.Allow), len(p.Ask), len(p.Deny), p.ReadOnly))
		return nil
	}
	return cmd
}

func (m *Machine) policyTest() *cobra.Command {
	cmd := m.command("test [--json] LINE", words.TopicPolicyTest)
	asJSON := cmd.Flags().Bool("json", false, m.say.Say(words.FlagJSON))
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return m.misused(words.PolicyLine)
		}
		c, _, err := m.load(m.DataDir, "")
		if err != nil {
			return &said{nod.Visible(nod.MessageOf(err)), exitFailed}
		}
		off := c.Policy.ReadOnly != "allow"
		c.Policy.ReadOnly = "allow" // to see what they would do is what people try this for
		p, err := app.NewPolicy(c.Policy)
		if err != nil {
			return &said{nod.Visible(nod.MessageOf(err)), exitFailed}
		}
		line := strings.Join(args, " ")
		j := p.Judge(m.subject(line))
		if *asJSON {
			return m.printJudgement(j)
		}
		m.explain(m.paper(), line, j, off)
		return nil
	}
	return cmd
}

// subject is a command line as the agent in this folder would run it.
func (m *Machine) subject(line string) policy.Subject {
	input, _ := json.Marshal(map[string]string{"command": line}) // a string always can
	cwd, _ := os.Getwd()                                         // without one, more is asked
	return policy.Subject{Tool: "Bash", Input: input, Cwd: cwd, Home: m.Getenv("HOME")}
}

func (m *Machine) printJudgement(j policy.Judgement) error {
	out := struct {
		Verdict policy.Verdict `json:"verdict"`
		Reason  string         `json:"reason"`
		Rule    string         `json:"rule"`
		Risk    nod.Risk       `json:"risk"`
	}{j.Verdict, j.Reason, j.Rule, j.Risk}
	return json.NewEncoder(m.Stdout).Encode(out)
}

// explain draws the verdict and then each piece of the line with its own.
func (m *Machine) explain(p paper, line string, j policy.Judgement, off bool) {
	fmt.Fprintf(p, "%s  %s · %s\n", m.ruling(p, j.Verdict), j.Risk.Level, nod.OneLine(j.Reason))
	fmt.Fprintf(p, "  %s\n\n", nod.OneLine(j.Rule))
	for _, part := range j.Parts {
		piece := ""
		if part.Span.From >= 0 && part.Span.From <= part.Span.To && part.Span.To <= len(line) {
			piece = line[part.Span.From:part.Span.To]
		}
		fmt.Fprintf(p, "  %s  %s\n", m.ruling(p, part.Verdict), nod.Fold(nod.OneLine(piece), 60))
		fmt.Fprintf(p, "       %s\n", p.paint(faint, nod.OneLine(strings.Trim(part.Rule+": "+part.Reason, ": "))))
	}
	if off {
		fmt.Fprintln(p)
		p.say(0, m.say.Say(words.PolicyOff))
	}
}

// ruling is a sign, a word and a colour; never the colour alone.
func (m *Machine) ruling(p paper, v policy.Verdict) string {
	switch v {
	case policy.Allow:
		return p.paint(green, "✓ "+m.say.Say(words.PolicyAllow))
	case policy.Deny:
		return p.paint(red, "✗ "+m.say.Say(words.PolicyDeny))
	}
	return p.paint(yellow, "? "+m.say.Say(words.PolicyAsk))
}
