package cli

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
)

func TestDecisions(t *testing.T) {
	tests := []struct {
		name   string
		raise  *nod.Request
		args   string
		exit   int
		out    string // what stdout must hold
		err    string // what stderr must hold
		answer string // what the hub got, as JSON; empty: nothing
	}{
		{"allow by prefix", clitest.PushRequest(), "allow 7f3a", 0,
			"Allowed `git push --force origin main` for api.\nApplied.\n", "", `{"verdict":"allow"}`},
		{"always, the first rule", clitest.PushRequest(), "allow 7f3a --always", 0,
			"always from now on: Bash(git push:*)", "", `{"verdict":"allow","remember":"rule-project"}`},
		{"always, by number", clitest.PushRequest(), "allow 7f3a --always=2", 0,
			"Bash(git push --force origin main)", "", `{"verdict":"allow","remember":"rule-session"}`},
		{"always, by id", clitest.PushRequest(), "allow 7f3a --always=rule-session", 0, "", "", `{"verdict":"allow","remember":"rule-session"}`},
		{"always, unknown", clitest.PushRequest(), "allow 7f3a --always=9", 1, "", "There is no rule \"9\" here.", ""},
		{"always, none offered", clitest.GoTestRequest(), "allow c0ff --always", 1, "", "offers no rule", ""},
		{"edit a text", clitest.PushRequest(), "allow 7f3a --edit git_push", 0,
			"changed to `git_push`", "", `{"verdict":"allow","input":"git_push"}`},
		{"edit the whole input", clitest.PushRequest(), `allow 7f3a --edit {"command":"ls"}`, 0,
			"changed to `ls`", "", `{"verdict":"allow","input":{"command":"ls"}}`},
		{"edit what cannot be", clitest.PlanRequest(), "allow b17e --edit x", 1, "", "cannot be edited", ""},
		{"plan in a mode", clitest.PlanRequest(), "allow b17e --mode acceptEdits", 0, "Allowed `Plan: move", "", `{"verdict":"allow","mode":"acceptEdits"}`},
		{"plan in an unknown mode", clitest.PlanRequest(), "allow b17e --mode yolo", 1, "", "acceptEdits  accept edits", ""},
		{"deny", clitest.GoTestRequest(), "deny c0ff -m use_make", 0, "Denied `go test ./...` for api.", "", `{"verdict":"deny","message":"use_make"}`},
		{"deny and stop", clitest.GoTestRequest(), "deny c0ff --stop", 0, "stopped api", "", `{"verdict":"deny","stop":true}`},
		{"a bare allow on a question", clitest.AskRequest(), "allow 9c1d", 1, "", "nod answer 9c1d … …", ""},
		{"answers by number and label", clitest.AskRequest(), "answer 9c1d 2 lint,3", 0, "Answered web: SQLite; lint, e2e", "",
			`{"verdict":"answer","answers":{"Which checks should run?":{"text":"lint,3"},"Which database should the service use?":{"text":"2"}}}`},
		{"answers with words and a note", clitest.AskRequest(), "answer 9c1d MySQL unit --note sorry", 0, "MySQL; unit", "",
			`{"verdict":"answer","answers":{"Which checks should run?":{"text":"unit"},"Which database should the service use?":{"text":"MySQL","notes":"sorry"}}}`},
		{"too few answers", clitest.AskRequest(), "answer 9c1d 2", 1, "", "2. Which checks should run?", ""},
		{"no answers", clitest.AskRequest(), "answer 9c1d", 1, "", "1 Postgres", ""},
		{"not a choice", clitest.AskRequest(), "answer 9c1d 2 nonsense", 1, "", "is not one of the choices", "*"},
		{"answer to an approval", clitest.GoTestRequest(), "answer c0ff yes", 1, "", "This is no question", ""},
		{"unknown", clitest.GoTestRequest(), "allow beef", 4, "", `There is no request "beef"`, ""},
		{"no id", clitest.GoTestRequest(), "allow", 2, "", "Something is missing: ID", ""},
		{"an unknown flag", clitest.GoTestRequest(), "allow c0ff --force", 2, "", "--force", ""},
		{"without waiting", clitest.GoTestRequest(), "allow c0ff --no-wait", 0, "Allowed", "", `{"verdict":"allow"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := NewRunner(t)
			h.Raise(tt.raise)
			got := h.nod(0, nil, strings.Fields(tt.args)...)
			clitest.Check(t, got, tt.exit, tt.out, tt.err)
			answer := ""
			if len(h.Answers) > 0 {
				answer = string(clitest.JSON(h.Answers[0]))
			}
			if answer != tt.answer && tt.answer != "*" {
				t.Errorf("the hub got %s, want %s", answer, tt.answer)
			}
			if strings.Contains(got.Out, "Applied.") != (tt.exit == 0 && !strings.Contains(tt.args, "no-wait")) {
				t.Errorf("applied or not? %s", got.Out)
			}
		})
	}
}

func TestSomeoneElseWasFirst(t *testing.T) {
	tests := []struct {
		name   string
		settle func(h *runner)
		exit   int
		text   string
	}{
		{"allowed elsewhere", func(h *runner) { h.Decide("c0ffee11", nod.VerdictAllow, "anna at desk", "terminal") }, 3,
			"Already allowed by anna at desk through terminal, 12 s ago."},
		{"denied elsewhere", func(h *runner) { h.Decide("c0ffee11", nod.VerdictDeny, "ben", "phone") }, 3, "Already denied by ben through phone"},
		{"in the terminal", func(h *runner) {
			h.Withdraw("c0ffee11", nod.Withdrawal{Reason: nod.WithdrawnTerminal, Outcome: nod.WasAllowed})
		}, 3, "Already allowed in the agent's terminal on desk, 12 s ago."},
		{"the agent ended", func(h *runner) { h.Withdraw("c0ffee11", nod.Withdrawal{Reason: nod.WithdrawnEnded}) }, 4, "the agent ended"},
		{"left to the terminal", func(h *runner) { h.Withdraw("c0ffee11", nod.Withdrawal{Reason: nod.WithdrawnHandedBack}) }, 4, "Answer it there."},
		{"expired", func(h *runner) { h.Add(nod.Event{Kind: nod.RequestExpired, RequestID: "c0ffee11"}) }, 4, "Its time is over"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := NewRunner(t)
			h.Raise(clitest.GoTestRequest())
			tt.settle(h)
			clitest.Check(t, h.nod(0, nil, "deny", "c0ff"), tt.exit, "", tt.text)
		})
	}
}

// The race itself: the request is pending when looked up, and settled when answered.
func TestSomeoneElseIsFirstInBetween(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.GoTestRequest())
	h.BeforeServe = onceFor("/decision", func() { h.Decide("c0ffee11", nod.VerdictDeny, "ben", "phone") })
	clitest.Check(t, h.nod(0, nil, "allow", "c0ff"), 3, "", "Already denied by ben through phone, 12 s ago.")
}

func TestDecisionPrintsItsLastStep(t *testing.T) {
	tests := []struct {
		steps []nod.Step
		exit  int
		out   string
		err   string
	}{
		{[]nod.Step{nod.StepDelivered, nod.StepApplied}, 0, "Applied.", ""},
		{[]nod.Step{nod.StepDelivered}, 0, "", "Delivered, not confirmed yet: api has it"},
		{[]nod.Step{nod.StepDelivered, nod.StepDoubted}, 0, "", "Look at its terminal on desk."},
		{[]nod.Step{nod.StepDelivered, nod.StepOverruled}, 3, "", "Too late after all"},
		{nil, 0, "", "not delivered to api yet"},
	}
	for _, tt := range tests {
		h := NewRunner(t)
		h.Raise(clitest.GoTestRequest())
		h.AfterDecide = tt.steps
		switch len(tt.steps) {
		case 0:
			h.patience = 10 * time.Millisecond // nothing will come, however long one waits
		case 1:
			h.HangUp = true
		}
		clitest.Check(t, h.nod(0, nil, "allow", "c0ff"), tt.exit, tt.out, tt.err)
	}
}

func TestHubDisconnectsWhileFollowing(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.GoTestRequest())
	h.AfterDecide, h.HangUp = nil, true
	clitest.Check(t, h.nod(0, nil, "allow", "c0ff"), 0, "Allowed", "The hub went quiet")
}

func TestAmbiguousPrefix(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.GoTestRequest())
	other := clitest.GoTestRequest()
	other.ID = "c0ffdd22"
	h.Raise(other)
	clitest.Check(t, h.nod(0, nil, "allow", "c0ff"), 1, "", `"c0ff" fits more than one request`)
	clitest.Check(t, h.nod(0, nil, "allow", "c0f"), 4, "", "type at least 4 characters")
	clitest.Check(t, h.nod(0, nil, "requests"), 0, "c0ffe  Bash", "")
}
