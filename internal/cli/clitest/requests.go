package clitest

import (
	"encoding/json"
	"time"

	"nod"
)

var Noon = time.Date(2026, 10, 5, 12, 1, 3, 0, time.UTC)

// LeasedRequest offers a lease.
func LeasedRequest() *nod.Request {
	r := GoTestRequest()
	r.ID = "ca5e0001"
	r.Options = []nod.Option{{ID: "lease", Kind: nod.OptionLease, Label: "Bash(go test:*)", Rules: []string{"Bash(go test:*)"}}}
	return r
}

// AutomaticRequest was decided by nod itself.
func AutomaticRequest(via string) *nod.Request {
	r := SettledRequest(nod.VerdictAllow)
	r.ID, r.Title, r.Display = "a0700001", "git log --oneline", "git log --oneline"
	r.Decision.By, r.Decision.Via = "read-only: git log", via
	if via == nod.ViaLease {
		r.ID = "a0700002"
		r.Decision.By, r.Decision.Under = "anna at desk", "l42"
	}
	for i := range r.Receipts {
		if r.Receipts[i].Step == nod.StepDecided {
			r.Receipts[i].By, r.Receipts[i].Via = r.Decision.By, via
		}
	}
	return r
}

func JSON(v any) json.RawMessage {
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

func PushRequest() *nod.Request {
	command := "git push --force origin main"
	return stored(&nod.Request{
		ID: "7f3a9c01", Agent: api, Kind: nod.KindApproval, Tool: "Bash", Title: command, Display: command,
		Input: JSON(map[string]string{"command": command}), EditField: "command", CanEdit: true, CanAlways: true,
		Risk: &nod.Risk{Level: "destructive", Reason: "overwrites branches on a server"},
		Options: []nod.Option{
			{ID: "rule-project", Kind: nod.OptionAlways, Label: "Bash(git push:*)", Detail: "kept in .claude/settings.local.json of this project"},
			{ID: "rule-session", Kind: nod.OptionAlways, Label: "Bash(git push --force origin main)", Detail: "kept until this session ends"},
		},
		Dialog: nod.DialogBeside, AskedAt: Noon, Status: nod.Pending,
	})
}

func GoTestRequest() *nod.Request {
	command := "go test ./..."
	return stored(&nod.Request{
		ID: "c0ffee11", Agent: api, Kind: nod.KindApproval, Tool: "Bash", Title: command, Display: command,
		Input: JSON(map[string]string{"command": command}), EditField: "command", CanEdit: true,
		Risk: &nod.Risk{Level: "read"}, Dialog: nod.DialogAfter, AskedAt: Noon.Add(time.Second), Status: nod.Pending,
	})
}

func AskRequest() *nod.Request {
	return stored(&nod.Request{
		ID: "9c1d0aa2", Kind: nod.KindQuestion, Tool: "AskUserQuestion", Title: "Which database should the service use?",
		Agent: nod.AgentRef{ID: "a-web", Name: "web", Host: "desk", Cwd: "/home/anna/src/web", Kind: "claude", Subagent: &nod.Subagent{ID: "s1", Type: "planner"}},
		Questions: []nod.Question{
			{Text: "Which database should the service use?", Choices: []nod.Choice{
				{Label: "Postgres", Description: "The one we run already."}, {Label: "SQLite", Description: "One file, no server."},
			}, FreeText: true},
			{Text: "Which checks should run?", Multi: true, Choices: []nod.Choice{{Label: "lint"}, {Label: "unit"}, {Label: "e2e"}}},
		},
		Dialog: nod.DialogNever, AskedAt: Noon.Add(2 * time.Second), Status: nod.Pending,
	})
}

func PlanRequest() *nod.Request {
	return stored(&nod.Request{
		ID: "b17e55ed", Agent: api, Kind: nod.KindPlan, Tool: "ExitPlanMode", Title: "Plan: move sessions to Redis",
		Display: "# Plan\n\n1. Add a Redis client.\n2. Move sessions.\n3. Delete the old table.",
		Options: []nod.Option{
			{ID: "default", Kind: nod.OptionMode, Label: "ask before each edit"},
			{ID: "acceptEdits", Kind: nod.OptionMode, Label: "accept edits without asking"},
		},
		Dialog: nod.DialogBeside, AskedAt: Noon.Add(3 * time.Second), Status: nod.Pending,
	})
}

// Evil has what a hostile agent might put into a text.
const Evil = "echo hi\x1b[2J\x1b]0;owned\x07 \u202egnp.exe \u009b31m \u200b done\r\x00"

func EvilRequest(command string) *nod.Request {
	return stored(&nod.Request{
		ID: "e51100ff", Kind: nod.KindApproval, Tool: "Bash\x1b[31m", Title: command, Display: command,
		Agent:     nod.AgentRef{ID: "a-\x1b[2Jevil", Name: "ev\x1b]8;;http://x\x07il", Host: "de\x1b[1msk", Cwd: "/tmp/\x1b[2J", Kind: "claude"},
		Input:     JSON(map[string]string{"command": command}),
		EditField: "command", CanEdit: true,
		Risk:    &nod.Risk{Level: "write\x1b[5m", Reason: "because\x1b[5m"},
		Options: []nod.Option{{ID: "r\x1b[1m", Kind: nod.OptionAlways, Label: "Bash(\x1b[2J)", Detail: "kept \x1b[2J"}},
		AskedAt: Noon, Status: nod.Pending,
	})
}

func SettledRequest(v nod.Verdict) *nod.Request {
	r := GoTestRequest()
	r.ID = "5e771ed0"
	if v == nod.VerdictDeny {
		r.ID = "de21ed00"
	}
	r.Status = nod.Decided
	r.Decision = &nod.Decision{Answer: nod.Answer{Verdict: v}, By: "anna at desk", Via: "terminal", At: Noon.Add(8 * time.Second)}
	add := func(step nod.Step, by, via, proof string, after int) {
		r.Receipts = append(r.Receipts, nod.Receipt{Step: step, By: by, Via: via, Proof: proof, At: Noon.Add(time.Duration(after) * time.Second)})
	}
	add(nod.StepStored, "hub", "", "", 1)
	add(nod.StepShown, "kitchen phone", "webapp", "", 2)
	add(nod.StepDecided, "anna at desk", "terminal", "", 8)
	add(nod.StepDelivered, "hook", "", "", 8)
	add(nod.StepApplied, "hook", "", "PostToolUse", 9)
	return r
}

func WithdrawnRequest() *nod.Request {
	r := GoTestRequest()
	r.ID = "71d0abcd"
	r.Status = nod.Withdrawn
	r.Withdrawal = &nod.Withdrawal{Reason: nod.WithdrawnHandedBack, At: Noon}
	return r
}

func RemoteRequest() *nod.Request {
	r := PushRequest()
	a := RemoteAgents()[1]
	r.Agent = a.Ref()
	return r
}
