// Package doctor finds out what is wrong on this machine. It is a list of checks.
// An adapter has a line here by saying what is wrong with it: adapter.Healthy.
package doctor

import (
	"context"

	"github.com/spf13/cobra"

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

// Finding is one line of the report. ID and the keys are stable; the texts are
// in the person's language.
type Finding struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	State State  `json:"state"`
	Found string `json:"found"`
	Fix   string `json:"fix"` // what to do; empty if there is nothing to do
}

// Check examines something and reports it in one or more lines.
type Check interface {
	Check(context.Context) []Finding
}

// check reports one line; look leaves ID and Title empty.
type check struct {
	id, title string
	look      func(context.Context) Finding
}

func (c check) Check(ctx context.Context) []Finding {
	f := c.look(ctx)
	f.ID, f.Title = c.id, c.title
	return []Finding{f}
}

func fine(found string) Finding      { return Finding{State: OK, Found: found} }
func warn(found, fix string) Finding { return Finding{State: Warn, Found: found, Fix: fix} }
func fail(found, fix string) Finding { return Finding{State: Fail, Found: found, Fix: fix} }
func skip(why string) Finding        { return Finding{State: Skip, Found: why} }

// Doctor is `nod doctor`. Tests replace the functions that ask the system.
type Doctor struct {
	*env.Env
	Free    func(dir string) (bytes uint64, err error)
	Lineage func(pid int) ([]peer.Ancestor, error)
	Marks   func(pid int, names []string) ([]string, error)
}

// New examines this machine.
func New(e *env.Env) *Doctor {
	return &Doctor{Env: e, Free: freeSpace, Lineage: peer.Lineage, Marks: peer.Marks}
}

func (d *Doctor) check(id string, title words.Message, look func(context.Context) Finding) check {
	return check{id, d.Say(title), look}
}

// checks are sorted by what depends on what: the first one that fails is usually
// the reason for those below it.
func (d *Doctor) checks() []Check {
	hub, claude := &hubChecks{Doctor: d}, &claudeChecks{Doctor: d}
	return []Check{
		d.check("config", words.CheckConfig, d.config),
		d.check("answer", words.CheckAnswer, d.answer),
		d.check("data", words.CheckData, d.data),
		d.check("disk", words.CheckDisk, d.disk),
		d.check("socket", words.CheckSocket, d.socket),
		d.check("hub", words.CheckHub, hub.reach),
		d.check("https", words.CheckTLS, hub.https),
		d.check("token", words.CheckToken, hub.token),
		d.check("version", words.CheckVersion, hub.version),
		d.check("you", words.CheckYou, hub.you),
		d.check("processes", words.CheckProcesses, d.processes),
		d.check("clock", words.CheckClock, hub.clock),
		adapterChecks{hub},
		d.check("claude", words.CheckClaude, claude.program),
		d.check("settings", words.CheckSettings, claude.settings),
		d.check("hooks", words.CheckHooks, claude.hooks),
		d.check("hook_program", words.CheckProgram, claude.hookProgram),
		d.check("hooks_doubled", words.CheckDoubled, claude.doubled),
		d.check("hooks_silenced", words.CheckSilenced, claude.silenced),
		d.check("trust", words.CheckTrust, claude.trust),
	}
}

// Command is the command.
func (d *Doctor) Command() *cobra.Command {
	var asJSON, voice bool
	cmd := d.Env.Command("doctor [--homeassistant] [--json]", words.TopicDoctor)
	cmd.Args = cobra.NoArgs
	cmd.Flags().BoolVar(&asJSON, "json", false, d.Say(words.FlagJSON))
	cmd.Flags().BoolVar(&voice, "homeassistant", false, d.Say(words.FlagDoctorHome))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		checks := d.checks()
		if voice {
			checks = []Check{newVoicePath(d)}
		}
		return d.report(run(cmd.Context(), checks), asJSON)
	}
	return cmd
}

func run(ctx context.Context, checks []Check) (all []Finding) {
	for _, c := range checks {
		all = append(all, c.Check(ctx)...)
	}
	return all
}
