// Package doctor finds out what is wrong on this machine.
package doctor

import (
	"context"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/machine/console"
	"nod/internal/machine/env"
	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// State is how a check came out.
type State string

// The states. Only Fail makes `nod doctor` exit with 1.
const (
	OK   State = "ok"
	Warn State = "warn"
	Fail State = "fail"
	Skip State = "skip"
)

// Check is one thing that was looked at. Its id and the keys stay; the texts
// follow the person's language.
type Check struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	State State  `json:"state"`
	Found string `json:"found"`
	Fix   string `json:"fix"` // what to do; empty when there is nothing to do
}

// finding is what a check has to say.
type finding struct {
	state      State
	found, fix string
}

func fine(found string) finding      { return finding{OK, found, ""} }
func warn(found, fix string) finding { return finding{Warn, found, fix} }
func fail(found, fix string) finding { return finding{Fail, found, fix} }
func skip(why string) finding        { return finding{Skip, why, ""} }

// Doctor is `nod doctor`. Tests bring a system of their own.
type Doctor struct {
	*env.Env
	Free    func(dir string) (bytes uint64, err error)
	Lineage func(pid int) ([]peer.Ancestor, error)
	Marks   func(pid int, names []string) ([]string, error)
}

// New looks at this machine.
func New(e *env.Env) *Doctor {
	return &Doctor{Env: e, Free: freeSpace, Lineage: peer.Lineage, Marks: peer.Marks}
}

// checkup is one run of the doctor, with what its checks share.
type checkup struct {
	*Doctor
	hub    hubFacts
	claude claudeFacts
}

// question is one check before it is made.
type question struct {
	id    string
	title words.Message
	look  func(context.Context) finding
}

// questions are in the order in which things depend on each other: the first
// that is wrong is usually the reason for those below it.
func (c *checkup) questions() []question {
	return []question{
		{"config", words.CheckConfig, c.config},
		{"answer", words.CheckAnswer, c.answer},
		{"data", words.CheckData, c.data},
		{"disk", words.CheckDisk, c.disk},
		{"socket", words.CheckSocket, c.socket},
		{"hub", words.CheckHub, c.reach},
		{"https", words.CheckTLS, c.https},
		{"token", words.CheckToken, c.token},
		{"version", words.CheckVersion, c.version},
		{"you", words.CheckYou, c.you},
		{"processes", words.CheckProcesses, c.processes},
		{"clock", words.CheckClock, c.clock},
		{"claude", words.CheckClaude, c.claudeCode},
		{"settings", words.CheckSettings, c.settings},
		{"hooks", words.CheckHooks, c.hooks},
		{"hook_program", words.CheckProgram, c.hookProgram},
		{"hooks_doubled", words.CheckDoubled, c.doubled},
		{"hooks_silenced", words.CheckSilenced, c.silenced},
		{"trust", words.CheckTrust, c.trust},
	}
}

// Command is the command.
func (m *Doctor) Command() *cobra.Command {
	var asJSON, home bool
	cmd := m.Env.Command("doctor [--homeassistant] [--json]", words.TopicDoctor)
	cmd.Args = cobra.NoArgs
	cmd.Flags().BoolVar(&asJSON, "json", false, m.Say(words.FlagJSON))
	cmd.Flags().BoolVar(&home, "homeassistant", false, m.Say(words.FlagDoctorHome))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		examine := m.examine
		if home {
			examine = m.visit
		}
		checks := examine(cmd.Context())
		failed, warned := count(checks, Fail), count(checks, Warn)
		if asJSON {
			err := m.PrintJSON(struct {
				OK     bool    `json:"ok"`
				Failed int     `json:"failed"`
				Warned int     `json:"warned"`
				Checks []Check `json:"checks"`
			}{failed == 0, failed, warned, checks})
			if err != nil {
				return err
			}
		} else {
			m.printChecks(checks)
		}
		if failed > 0 {
			return &env.Error{Exit: env.ExitFailed} // the page has said it
		}
		return nil
	}
	return cmd
}

func (m *Doctor) examine(ctx context.Context) []Check {
	c := &checkup{Doctor: m}
	var all []Check
	for _, q := range c.questions() {
		f := q.look(ctx)
		all = append(all, Check{ID: q.id, Title: m.Say(q.title), State: f.state, Found: f.found, Fix: f.fix})
	}
	return all
}

func count(checks []Check, s State) (n int) {
	for _, c := range checks {
		if c.State == s {
			n++
		}
	}
	return n
}

// printChecks: a sign and a word for a glance, what was found on the same line,
// what to do below it.
func (m *Doctor) printChecks(checks []Check) {
	p := m.Page()
	words, titles := 0, 0
	for _, c := range checks {
		_, word, _ := m.sign(c.State)
		words, titles = max(words, lipgloss.Width(word)), max(titles, lipgloss.Width(c.Title))
	}
	for _, c := range checks {
		shape, word, colour := m.sign(c.State)
		m.printCheck(p, p.Paint(colour, shape+" "+console.Padded(word, words)), 2+words, console.Padded(c.Title, titles), c)
	}
	fmt.Fprintln(p)
	p.Print(0, m.verdict(p, checks))
}

func (m *Doctor) printCheck(p console.Page, sign string, width int, title string, c Check) {
	head := sign + "  " + title + "  "
	indent := lipgloss.Width(head)
	body := nod.OneLine(c.Found)
	if p.Columns > 0 && p.Columns-indent < 30 { // a narrow terminal: what was found goes below
		fmt.Fprintln(p, strings.TrimRight(head, " "))
		p.Print(width+2, body)
	} else {
		var b strings.Builder
		console.Page{Writer: &b, Columns: p.Columns}.Print(indent, body)
		fmt.Fprint(p, head+strings.TrimLeft(b.String(), " "))
	}
	if c.Fix != "" {
		p.Print(width+2, p.Paint(console.Bold, "→ ")+nod.Visible(c.Fix))
	}
}

func (m *Doctor) sign(s State) (shape, word, colour string) {
	switch s {
	case OK:
		return "✓", m.Say(words.StateOK), console.Green
	case Warn:
		return "!", m.Say(words.StateWarn), console.Yellow
	case Fail:
		return "✗", m.Say(words.StateFail), console.Red
	}
	return "–", m.Say(words.StateSkip), console.Faint
}

func (m *Doctor) verdict(p console.Page, checks []Check) string {
	failed, warned := count(checks, Fail), count(checks, Warn)
	var parts []string
	switch {
	case failed > 0:
		parts = append(parts, p.Paint(console.Red, m.Count(words.ThingsToFix, failed)))
	case warned > 0:
		parts = append(parts, m.Say(words.NothingBroken))
	default:
		return p.Paint(console.Green, m.Say(words.AllGood))
	}
	if warned > 0 {
		parts = append(parts, m.Count(words.ThingsToSee, warned))
	}
	if m.Lang() == words.Japanese {
		return strings.Join(parts, "")
	}
	return strings.Join(parts, " ")
}
