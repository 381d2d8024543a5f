package watch

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/cli/console"
	"nod/internal/cli/term"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// rig is the live view without a terminal: with a fixed clock, a hub that records what
// it is sent, and keys that are pressed one by one.
type rig struct {
	t        *testing.T
	m        *model
	at       time.Time
	sent     []string // "7f3a9c01 {…}"
	shown    []nod.RequestID
	revoked  []nod.LeaseID // leases that were taken back
	stops    int           // how often the red button was pressed
	hubError error         // what the hub answers
}

func newRig(t *testing.T, requests ...*nod.Request) *rig {
	s := &rig{t: t, at: clitest.Noon.Add(10 * time.Second)}
	c := console.New(console.Env{
		Getenv: func(string) string { return "" },
		Now:    func() time.Time { return s.at },
		Client: func(string) (*client.Client, error) { return client.Local("/nowhere/nod.sock", "watch"), nil },
	})
	s.m = newModel(c, "desk", hubCalls{
		decide: func(id nod.RequestID, a nod.Answer) error {
			if s.hubError == nil {
				s.sent = append(s.sent, string(id)+" "+string(clitest.JSON(a)))
			}
			return s.hubError
		},
		shown: func(id nod.RequestID) error { s.shown = append(s.shown, id); return nil },
		revoke: func(id nod.LeaseID) (*nod.Lease, error) {
			if s.hubError == nil {
				s.revoked = append(s.revoked, id)
			}
			return &nod.Lease{ID: id, Used: 3, Limit: 30}, s.hubError
		},
		stop: func() (v1.Stopped, error) {
			if s.hubError == nil {
				s.stops++
			}
			return v1.Stopped{Leases: 1, Requests: 2, Agents: 3}, s.hubError
		},
	})
	s.m.Palette = term.Palette{}
	s.update(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.update(snapshotMsg{nod.Snapshot{Seq: 1, Agents: clitest.SomeAgents(), Requests: requests}})
	s.update(connectedMsg{})
	s.at = s.at.Add(time.Second) // past the guard
	return s
}

// update passes a message to the model and runs its command.
func (s *rig) update(msg tea.Msg) {
	s.t.Helper()
	_, cmd := s.m.Update(msg)
	if _, isTick := msg.(tickMsg); isTick {
		return // its command is the next tick, which would wait
	}
	s.run(cmd)
}

func (s *rig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	default:
		s.update(msg)
	}
}

// press takes keys by name: "a", "enter", "space", "esc", "up".
func (s *rig) press(keys ...string) {
	s.t.Helper()
	named := map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "backspace": tea.KeyBackspace, "home": tea.KeyHome, "tab": tea.KeyTab, "end": tea.KeyEnd}
	for _, k := range keys {
		if code, ok := named[k]; ok {
			s.update(tea.KeyPressMsg{Code: code})
			continue
		}
		if k == "space" {
			k = " "
		}
		s.update(tea.KeyPressMsg{Code: []rune(k)[0], Text: k})
	}
}

func (s *rig) typeText(text string) {
	for _, r := range text {
		s.press(string(r))
	}
}

func (s *rig) event(e nod.Event) {
	s.m.state.Seq++
	e.Seq, e.At = s.m.state.Seq, s.at
	s.update(eventMsg{e})
}

func (s *rig) raise(r *nod.Request) {
	s.event(nod.Event{Kind: nod.RequestRaised, RequestID: r.ID, AgentID: r.Agent.ID, Request: r})
}

func (s *rig) settle(id nod.RequestID, v nod.Verdict, by, via string) {
	s.event(nod.Event{Kind: nod.RequestDecided, RequestID: id, Decision: &nod.Decision{Answer: nod.Answer{Verdict: v}, By: by, Via: via, At: s.at}})
}

func (s *rig) prove(id nod.RequestID, step nod.Step) {
	s.event(nod.Event{Kind: nod.RequestReceipt, RequestID: id, Receipt: &nod.Receipt{Step: step, By: "hook", At: s.at}})
}

func (s *rig) wait(d time.Duration) {
	s.at = s.at.Add(d)
	s.update(tickMsg{})
}

func (s *rig) screen() string { return s.m.view().draw().Content }

func (s *rig) sees(text string) {
	s.t.Helper()
	if !strings.Contains(s.screen(), text) {
		s.t.Errorf("the screen lacks %q:\n%s", text, s.screen())
	}
}

func (s *rig) misses(text string) {
	s.t.Helper()
	if strings.Contains(s.screen(), text) {
		s.t.Errorf("the screen should not hold %q:\n%s", text, s.screen())
	}
}

func (s *rig) wasSent(want ...string) {
	s.t.Helper()
	if !slices.Equal(s.sent, want) {
		s.t.Errorf("sent %q, want %q", s.sent, want)
	}
}

func TestKeysBecomeDecisions(t *testing.T) {
	tests := []struct {
		name    string
		request *nod.Request
		keys    string
		want    string
	}{
		{"allow", clitest.GoTestRequest(), "a", `{"verdict":"allow"}`},
		{"a risky one asks back", clitest.PushRequest(), "a", ""},
		{"and takes yes", clitest.PushRequest(), "a y", `{"verdict":"allow"}`},
		{"but not another a", clitest.PushRequest(), "a a a", ""},
		{"or no", clitest.PushRequest(), "a esc", ""},
		{"deny without words", clitest.GoTestRequest(), "d enter", `{"verdict":"deny"}`},
		{"deny with words", clitest.GoTestRequest(), "d n o enter", `{"verdict":"deny","message":"no"}`},
		{"deny, thought better of", clitest.GoTestRequest(), "d n o esc", ""},
		{"typing is not deciding", clitest.GoTestRequest(), "d a A s y", ""},
		{"stop asks back", clitest.GoTestRequest(), "s", ""},
		{"stop", clitest.GoTestRequest(), "s y", `{"verdict":"deny","stop":true}`},
		{"always, chosen among rules", clitest.PushRequest(), "A 2", `{"verdict":"allow","remember":"rule-session"}`},
		{"always with several rules takes no plain yes", clitest.PushRequest(), "A y", ""},
		{"always where none is offered", clitest.GoTestRequest(), "A y", ""},
		{"edit", clitest.GoTestRequest(), "e home X enter", `{"verdict":"allow","input":"Xgo test ./..."}`},
		{"a question, by number", clitest.AskRequest(), "2 enter 1 3 enter", `{"verdict":"answer","answers":{"Which checks should run?":{"picked":["lint","e2e"]},"Which database should the service use?":{"picked":["SQLite"]}}}`},
		{"a question, one's mind changed", clitest.AskRequest(), "2 1 enter 2 2 3 enter", `{"verdict":"answer","answers":{"Which checks should run?":{"picked":["e2e"]},"Which database should the service use?":{"picked":["Postgres"]}}}`},
		{"a question in own words", clitest.AskRequest(), "t O K enter 1 enter", `{"verdict":"answer","answers":{"Which checks should run?":{"picked":["lint"]},"Which database should the service use?":{"text":"OK"}}}`},
		{"a question in full, with space", clitest.AskRequest(), "space down space enter space enter", `{"verdict":"answer","answers":{"Which checks should run?":{"picked":["lint"]},"Which database should the service use?":{"picked":["SQLite"]}}}`},
		{"half a question is not sent", clitest.AskRequest(), "2 enter enter", ""},
		{"a question is not allowed", clitest.AskRequest(), "a y enter", ""},
		{"a plan goes on asking", clitest.PlanRequest(), "a", `{"verdict":"allow"}`},
		{"a plan in a mode", clitest.PlanRequest(), "2 y", `{"verdict":"allow","mode":"acceptEdits"}`},
		{"details first", clitest.GoTestRequest(), "enter a", `{"verdict":"allow"}`},
		{"help swallows a key", clitest.GoTestRequest(), "? a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newRig(t, tt.request)
			s.press(strings.Fields(tt.keys)...)
			if tt.want == "" {
				s.wasSent()
				return
			}
			s.wasSent(string(tt.request.ID) + " " + tt.want)
		})
	}
}

func TestTheRuleIsShownBeforeItIsMade(t *testing.T) {
	s := newRig(t, clitest.PushRequest())
	s.press("A")
	s.sees("Bash(git push:*)")
	s.sees("kept in .claude/settings.local.json of this project")
}

func TestKeyPressForThePreviousCardIsIgnored(t *testing.T) {
	s := newRig(t)
	s.raise(clitest.GoTestRequest())
	s.press("a") // meant for something else: the card came this very moment
	s.wasSent()
	s.sees("only just appeared")
	s.at = s.at.Add(term.KeyGuard)
	s.press("a")
	s.wasSent(`c0ffee11 {"verdict":"allow"}`)
}

func TestGuardAlsoAppliesWhenACardIsRemoved(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest(), clitest.PlanRequest())
	s.settle("c0ffee11", nod.VerdictAllow, "ben", "phone")
	s.wait(stayTime)
	s.press("a")
	s.wasSent()
	if s.m.chosen != "b17e55ed" {
		t.Errorf("the cursor is on %q", s.m.chosen)
	}
}

func TestTheCursorStaysOnItsCard(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest(), clitest.PlanRequest())
	s.press("j")
	s.raise(clitest.PushRequest()) // asked earlier, so it stands above
	if s.m.chosen != "b17e55ed" || s.m.index() != 2 {
		t.Errorf("the cursor is on %q, line %d", s.m.chosen, s.m.index())
	}
	s.press("a") // no guard: this card has been there, and the person went to it
	s.wasSent(`b17e55ed {"verdict":"allow"}`)
}

func TestSomeoneElseAnswers(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.settle("c0ffee11", nod.VerdictDeny, "ben", "kitchen speaker")
	s.sees("✗ Already denied by ben through kitchen speaker, just now.")
	s.press("a")
	s.wasSent()
	s.sees("nothing was sent")
	s.wait(stayTime)
	s.misses("c0ff")
	s.sees("All quiet.")
}

// Text that is being typed belongs to its card, and is never applied to the next one.
func TestSomeoneElseAnswersWhileTyping(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest(), clitest.PlanRequest())
	s.press("d", "n")
	s.settle("c0ffee11", nod.VerdictAllow, "ben", "phone")
	s.wait(stayTime)
	s.press("a", "a", "enter")
	s.wasSent()
	s.sees("Already allowed by ben through phone")
}

func TestTheHubSaysSomeoneWasFirst(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	won := clitest.GoTestRequest()
	won.Status = nod.Decided
	won.Decision = &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, By: "ben", Via: "phone", At: s.at}
	s.hubError = &nod.Error{Code: nod.Conflict, Message: "settled", Winner: won}
	s.press("a")
	s.sees("Already allowed by ben through phone, just now.")
}

func TestReceiptOfOwnDecision(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.press("a")
	s.settle("c0ffee11", nod.VerdictAllow, "anna at desk", "watch")
	s.sees("Allowed `go test ./...` for api. · decided")
	s.misses("Applied")
	s.prove("c0ffee11", nod.StepDelivered)
	s.sees("· delivered")
	s.wait(stayTime)
	s.sees("go test") // not proven: it stays
	s.prove("c0ffee11", nod.StepApplied)
	s.sees("✓ Allowed `go test ./...` for api. Applied.")
	s.wait(stayTime)
	s.sees("✓ Allowed `go test ./...` for api. Applied.") // the card has left, the outcome is told still
	if len(s.m.cards) != 0 {
		t.Error("the card is still there")
	}
}

func TestADecisionThatDidNotTakeEffect(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.press("a")
	s.settle("c0ffee11", nod.VerdictAllow, "anna at desk", "watch")
	s.prove("c0ffee11", nod.StepOverruled)
	s.sees("Too late after all")
}

func TestHubDisconnectsAndReconnects(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.update(disconnectedMsg{errors.New("gone")})
	s.sees("⊘ Not connected: the hub at desk does not answer.")
	s.sees("go test ./...") // the last state stays readable
	s.press("a")
	s.wasSent()
	s.sees("Not sent: the hub is away.")
	s.update(connectedMsg{})
	s.misses("Not connected")
	s.press("a")
	s.wasSent(`c0ffee11 {"verdict":"allow"}`)
}

func TestNoEmptyMessageBeforeTheFirstState(t *testing.T) {
	s := newRig(t)
	s.m.seen = false
	s.misses("All quiet")
	s.update(disconnectedMsg{errors.New("refused")})
	s.misses("All quiet")
	s.sees("Not connected")
}

func TestCardSettledWhileDisconnectedIsNotOffered(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.update(disconnectedMsg{errors.New("gone")})
	s.update(snapshotMsg{nod.Snapshot{Seq: 99}})
	s.update(connectedMsg{})
	s.sees("Settled while the hub was away")
	s.press("a")
	s.wasSent()
}

func TestWatchSeesAHostComeBack(t *testing.T) {
	s := newRig(t)
	s.update(snapshotMsg{clitest.RemoteSnapshot()})
	s.at = s.at.Add(time.Second)
	const waits, away = "laptop is away: your answer waits", "web on laptop · away 5 min"
	if got := s.screen(); !strings.Contains(got, waits) || strings.Count(got, away) != 2 {
		t.Fatalf("away:\n%s", got)
	}
	s.press("enter")
	if got := s.screen(); !strings.Contains(got, waits) {
		t.Errorf("read in full:\n%s", got)
	}
	s.press("esc", "a", "y")
	if len(s.sent) != 1 {
		t.Errorf("it cannot be answered: %q\n%s", s.sent, s.screen())
	}
	s.event(nod.Event{Kind: nod.HostChanged, Host: &nod.Host{Name: "laptop", Up: true, Since: s.at}})
	if got := s.screen(); strings.Contains(got, waits) || strings.Contains(got, away) || !strings.Contains(got, "web on laptop") {
		t.Errorf("back:\n%s", got)
	}
}
