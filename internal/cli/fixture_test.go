package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
)

// result is what a command left behind.
type result struct {
	exit     int
	out, err string
}

// runner runs nod in-process against a fake hub.
type runner struct {
	*fakeHub
	patience time.Duration
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	return &runner{newFakeHub(t), time.Minute}
}

// nod runs one command line. env entries are "KEY=value".
func (h *runner) nod(columns int, env []string, args ...string) result {
	var out, errs bytes.Buffer
	e := h.env(columns, env)
	e.Stdout, e.Stderr = &out, &errs
	exit := Run(h.t.Context(), e, args)
	return result{exit, out.String(), errs.String()}
}

// env is a world with this hub in it; columns 0 is a pipe.
func (h *runner) env(columns int, vars []string) Env {
	return Env{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
		Getenv: func(key string) string {
			for _, v := range vars {
				if value, ok := strings.CutPrefix(v, key+"="); ok {
					return value
				}
			}
			return ""
		},
		Now:      func() time.Time { return noon.Add(12 * time.Second) },
		Client:   func(via string) (*client.Client, error) { return client.Local(h.socket, via), nil },
		Terminal: func() (int, bool) { return columns, columns > 0 },
		Patience: h.patience,
		Getwd:    func() (string, error) { return "/nowhere/src/api", nil },
		Hostname: func() (string, error) { return "desk", nil },
	}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

var api = nod.AgentRef{ID: "a-api", Name: "api", Host: "desk", Cwd: "/home/anna/src/api", Kind: "claude"}

func stored(r *nod.Request) *nod.Request {
	r.Receipts = []nod.Receipt{{Step: nod.StepRaised, By: "claude", At: r.AskedAt}}
	return r
}

func pushRequest() *nod.Request {
	command := "git push --force origin main"
	return stored(&nod.Request{
		ID: "7f3a9c01", Agent: api, Kind: nod.KindApproval, Tool: "Bash", Title: command, Display: command,
		Input: raw(map[string]string{"command": command}), EditField: "command", CanEdit: true, CanAlways: true,
		Risk: &nod.Risk{Level: "destructive", Reason: "overwrites history others may have"},
		Options: []nod.Option{
			{ID: "rule-project", Kind: nod.OptionAlways, Label: "Bash(git push:*)", Detail: "kept in .claude/settings.local.json of this project"},
			{ID: "rule-session", Kind: nod.OptionAlways, Label: "Bash(git push --force origin main)", Detail: "kept until this session ends"},
		},
		Dialog: nod.DialogBeside, AskedAt: noon, Status: nod.Pending,
	})
}

func testRequest() *nod.Request {
	command := "go test ./..."
	return stored(&nod.Request{
		ID: "c0ffee11", Agent: api, Kind: nod.KindApproval, Tool: "Bash", Title: command, Display: command,
		Input: raw(map[string]string{"command": command}), EditField: "command", CanEdit: true,
		Risk: &nod.Risk{Level: "read"}, Dialog: nod.DialogAfter, AskedAt: noon.Add(time.Second), Status: nod.Pending,
	})
}

func askRequest() *nod.Request {
	return stored(&nod.Request{
		ID: "9c1d0aa2", Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which database should the service use?",
		Agent: nod.AgentRef{ID: "a-web", Name: "web", Host: "desk", Cwd: "/home/anna/src/web", Kind: "claude", Subagent: &nod.Subagent{ID: "s1", Type: "planner"}},
		Questions: []nod.Question{
			{Text: "Which database should the service use?", Choices: []nod.Choice{
				{Label: "Postgres", Description: "The one we run already."}, {Label: "SQLite", Description: "One file, no server."},
			}, FreeText: true},
			{Text: "Which checks should run?", Multi: true, Choices: []nod.Choice{{Label: "lint"}, {Label: "unit"}, {Label: "e2e"}}},
		},
		Dialog: nod.DialogNever, AskedAt: noon.Add(2 * time.Second), Status: nod.Pending,
	})
}

func planRequest() *nod.Request {
	return stored(&nod.Request{
		ID: "b17e55ed", Agent: api, Kind: nod.KindPlan, Tool: "ExitPlanMode", Title: "Plan: move sessions to Redis",
		Display: "# Plan\n\n1. Add a Redis client.\n2. Move sessions.\n3. Delete the old table.",
		Options: []nod.Option{
			{ID: "default", Kind: nod.OptionMode, Label: "ask before each edit"},
			{ID: "acceptEdits", Kind: nod.OptionMode, Label: "accept edits without asking"},
		},
		Dialog: nod.DialogBeside, AskedAt: noon.Add(3 * time.Second), Status: nod.Pending,
	})
}

// evil is everything a hostile agent might put into a text.
const evil = "echo hi\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \u009b31m \u200b done\r\x00"

func evilRequest(command string) *nod.Request {
	return stored(&nod.Request{
		ID: "e51100ff", Kind: nod.KindApproval, Tool: "Bash\x1b[31m", Title: command, Display: command,
		Agent:     nod.AgentRef{ID: "a-\x1b[2Jevil", Name: "ev\x1b]8;;http://x\x07il", Host: "de\x1b[1msk", Cwd: "/tmp/\x1b[2J", Kind: "claude"},
		Input:     raw(map[string]string{"command": command}),
		EditField: "command", CanEdit: true,
		Risk:    &nod.Risk{Level: "write\x1b[5m", Reason: "because\x1b[5m"},
		Options: []nod.Option{{ID: "r\x1b[1m", Kind: nod.OptionAlways, Label: "Bash(\x1b[2J)", Detail: "kept \x1b[2J"}},
		AskedAt: noon, Status: nod.Pending,
	})
}

func someAgents() []*nod.Agent {
	until := noon.Add(2 * time.Hour)
	return []*nod.Agent{
		{ID: "a-api", Kind: "claude", Name: "api", Host: "desk", Cwd: "/home/anna/src/api", State: nod.AgentWorking, Since: noon.Add(-130 * time.Second),
			Tool: "Bash: go test ./...", Mode: "default", Model: "opus", Subagents: []nod.Subagent{{ID: "1"}, {ID: "2"}}, Started: noon.Add(-time.Hour)},
		{ID: "a-web", Kind: "claude", Name: "web", Host: "desk", Cwd: "/home/anna/src/web", State: nod.AgentIdle, Since: noon.Add(-4 * time.Second),
			NeedsYou: "Claude is waiting for your input", Started: noon.Add(-50 * time.Minute)},
		{ID: "a-docs", Kind: "claude", Name: "docs", Host: "nas", Cwd: "/srv/docs", State: nod.AgentLimited, Since: noon.Add(-10 * time.Minute),
			Until: &until, Problem: "5-hour limit reached", Started: noon.Add(-40 * time.Minute)},
		{ID: "a-old", Kind: "claude", Name: "old", Host: "desk", Cwd: "/tmp", State: nod.AgentEnded, Since: noon.Add(-time.Hour), Started: noon.Add(-2 * time.Hour)},
	}
}

func check(t *testing.T, got result, exit int, outHas, errHas string) {
	t.Helper()
	if got.exit != exit {
		t.Errorf("exit %d, want %d\nstdout: %s\nstderr: %s", got.exit, exit, got.out, got.err)
	}
	if !strings.Contains(got.out, outHas) {
		t.Errorf("stdout lacks %q:\n%s", outHas, got.out)
	}
	if !strings.Contains(got.err, errHas) {
		t.Errorf("stderr lacks %q:\n%s", errHas, got.err)
	}
}
