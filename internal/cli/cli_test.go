package cli

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
)

// onceFor runs f before the first request to a path that ends like this.
func onceFor(suffix string, f func()) func(*http.Request) {
	var once sync.Once
	return func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, suffix) {
			once.Do(f)
		}
	}
}

func TestRequestsReportsWhatAPersonSaw(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.PushRequest())
	h.Raise(clitest.GoTestRequest())
	clitest.Check(t, h.nod(0, nil, "requests"), 0, "2 requests wait for you", "")
	if len(h.Shown) != 0 {
		t.Errorf("a pipe is not a person, but %v were reported as shown", h.Shown)
	}
	clitest.Check(t, h.nod(80, nil, "requests"), 0, "2 requests wait for you", "")
	if want := []nod.RequestID{"7f3a9c01", "c0ffee11"}; !slices.Equal(h.Shown, want) {
		t.Errorf("shown %v, want %v", h.Shown, want)
	}
}

func TestJSONHasStableKeys(t *testing.T) {
	h := NewRunner(t)
	for _, a := range clitest.SomeAgents() {
		h.Agent(a)
	}
	h.Raise(clitest.PushRequest())
	h.Tokens = nil
	tests := []struct{ args, keys string }{
		{"requests --json", "agent ask_at id kind options status title tool"},
		{"requests 7f3a --json", "agent asked_at can_always can_edit dialog display edit_field id input kind one_tap options receipts risk seq status title tool"},
		{"agents --json", ""},
		{"token list --json", ""},
		{"leases --json", ""},
		{"status --json", "active_sessions agents claude_path data hash hub listen now ok pending pid rights seq sse_connections started_at status version viewers you"},
	}
	for _, tt := range tests {
		got := h.nod(0, nil, strings.Fields(tt.args)...)
		clitest.Check(t, got, 0, "", "")
		var list []map[string]any
		if json.Unmarshal([]byte(got.Out), &list) == nil {
			continue // a list; its objects are the dictionary's own
		}
		var object map[string]any
		if err := json.Unmarshal([]byte(got.Out), &object); err != nil {
			t.Fatalf("%s: %v\n%s", tt.args, err, got.Out)
		}
		keys := make([]string, 0, len(object))
		for k := range object {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if strings.Join(keys, " ") != tt.keys {
			t.Errorf("%s has the keys %v, want %s", tt.args, keys, tt.keys)
		}
	}
}

func TestEmptyListsAreListsInJSON(t *testing.T) {
	h := NewRunner(t)
	for _, args := range []string{"requests --json", "agents --json", "token list --json", "requests --all --json", "leases --json"} {
		clitest.Check(t, h.nod(0, nil, strings.Fields(args)...), 0, "[]\n", "")
	}
}

func TestNoHub(t *testing.T) {
	h := NewRunner(t)
	h.Stop()
	for _, args := range []string{"requests", "allow c0ff", "agents", "log", "status", "token list", "pair", "log verify", "leases", "lease revoke l42", "stop --all", "stop api", "say api hello", "ask hello", "chat", "lease grant Bash --for 5m"} {
		got := h.nod(0, nil, strings.Fields(args)...)
		clitest.Check(t, got, 1, "", "does not answer. Nothing was sent")
		if !strings.Contains(got.Err, "nod doctor") {
			t.Errorf("%s does not say what to do: %s", args, got.Err)
		}
	}
	clitest.Check(t, h.nod(0, []string{"NOD_LANG=pl"}, "requests"), 1, "", "nie odpowiada")
	clitest.Check(t, h.nod(0, []string{"NOD_LANG=ja"}, "requests"), 1, "", "応答しません")
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		err  *nod.Error
		exit int
		text string
	}{
		{nod.Errorf(nod.Unauthorized, "who are you?"), 1, "does not know you"},
		{nod.Errorf(nod.Forbidden, "an agent may not list\x1b[2J"), 1, "The hub refused: an agent may not list⟨ESC⟩[2J"},
		{nod.Errorf(nod.Unavailable, "shutting down"), 1, "That did not work: shutting down"},
	}
	for _, tt := range tests {
		h := NewRunner(t)
		h.Refuse = tt.err
		clitest.Check(t, h.nod(0, nil, "requests"), tt.exit, "", tt.text)
	}
}

func TestUsageErrors(t *testing.T) {
	h := NewRunner(t)
	tests := []struct{ args, text string }{
		{"reqests", "Did you mean `nod requests`?"},
		{"agents now", `That is more than it takes: "now".`},
		{"token create --rights view", "--name is needed."},
		{"token create --name x", "--rights is needed."},
		{"token create --name x --rights root", `"root" is no list of rights`},
		{"token make", `no command "token make"`},
		{"log verify --head xyz", "64 hexadecimal digits"},
		{"watch", "needs a terminal"},
		{"stop", "`nod stop AGENT` stops one agent, `nod stop --all` everything"},
		{"stop api --all", "What should stop?"},
		{"lease revoke", "Which lease?"},
		{"lease revoke l42 --all", "Which lease?"},
		{"lease lend", `no command "lease lend"`},
		{"lease grant --for 20m", "Something is missing: RULE"},
		{"lease grant Bash", "--for is needed."},
		{"lease grant Bash --for 20", `--for "20" is no time`},
		{"lease grant Bash --for 90s", "whole minutes"},
		{"lease grant Bash --for 25h", "from 1m to 24h"},
		{"lease grant Bash --for -5m", "from 1m to 24h"},
		{"lease grant Bash --for 5m --times 0", "from 1 to 1000"},
		{"lease grant Bash --for 5m --times 1001", "from 1 to 1000"},
		{"lease grant Bash --for 5m --here --agent api", "Choose one of"},
		{"allow c0ff --times 5", "--for is needed."},
		{"allow c0ff --for soon", "is no time"},
		{"allow c0ff --for 5m --where world", "session, folder or host"},
		{"allow c0ff --for 5m --always", "--for goes with a plain allow"},
		{"say api", "Something is missing: AGENT TEXT"},
		{"say api hello --when-busy shout", "queue, interrupt or wait"},
	}
	for _, tt := range tests {
		got := h.nod(0, nil, strings.Fields(tt.args)...)
		clitest.Check(t, got, 2, "", tt.text)
		if !strings.Contains(got.Err, "--help") {
			t.Errorf("%s does not point to the help: %s", tt.args, got.Err)
		}
	}
}

func TestTokens(t *testing.T) {
	h := NewRunner(t)
	got := h.nod(0, nil, "token", "create", "--name", "phone", "--rights", "view,answer", "--room", "kitchen")
	if got.Out != "nod_k3f9_secret\n" || got.Exit != 0 {
		t.Errorf("stdout must be the token alone: %q", got.Out)
	}
	clitest.Check(t, h.nod(0, nil, "token", "list"), 0, "k3f9  phone · view,answer · in kitchen · never used", "")
	clitest.Check(t, h.nod(0, nil, "token", "revoke", "k3f9"), 0, "Revoked k3f9", "")
	clitest.Check(t, h.nod(0, nil, "token", "revoke", "nope"), 4, "", "There is no token")
}

func TestPair(t *testing.T) {
	h := NewRunner(t)
	piped := h.nod(0, nil, "pair")
	clitest.Check(t, piped, 0, "https://desk.local:8742/pair#H4K2-9QXM", "")
	if strings.ContainsAny(piped.Out, "█▀▄") {
		t.Error("a QR code in a pipe")
	}
	shown := h.nod(80, []string{"NO_COLOR=1"}, "pair", "--rights", "view")
	clitest.Check(t, shown, 0, "█", "")
	clitest.Check(t, shown, 0, "5 min. The device may then: view.", "")
	if strings.Contains(shown.Out, "\x1b") {
		t.Error("NO_COLOR is not honoured")
	}
	clitest.Check(t, h.nod(20, nil, "pair"), 0, "Open this link", "")
}

// Text from an agent reaches the terminal only escaped; nod's own colours are off here,
// so any escape sequence would be the agent's.
func TestNothingReachesTheTerminalRaw(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.EvilRequest(clitest.Evil + strings.Repeat("A ", 50_000) + clitest.Evil))
	h.Agent(&nod.Agent{ID: "a-\x1b[2Jevil", Name: "ev\x1bil", Host: "h\x1b", Cwd: clitest.Evil, State: nod.AgentWorking, Tool: clitest.Evil, NeedsYou: clitest.Evil, Problem: clitest.Evil, Model: clitest.Evil})
	h.Add(nod.Event{Kind: nod.TurnTaken, AgentID: "a-\x1b[2Jevil", Turn: &nod.Turn{Role: nod.TurnAgent, Text: clitest.Evil}})
	h.Add(nod.Event{Kind: nod.AccessRefused, By: &nod.Actor{Name: clitest.Evil}, Note: clitest.Evil})
	h.MessageEnds, h.StopsWhenTold, h.BeforeServe = nod.Delivered, []nod.AgentID{"a-\x1b[2Jevil"}, h.StopAgents
	h.Grant(&nod.Lease{ID: "l\x1b[2J", Rules: []string{clitest.Evil}, Agent: "a-\x1b[2Jevil", Folder: clitest.Evil, Host: clitest.Evil, By: clitest.Evil, Via: clitest.Evil, Until: clitest.Noon.Add(time.Hour), Limit: 3, Granted: clitest.Noon})
	h.Add(nod.Event{Kind: nod.LeaseEnded, Lease: &nod.Lease{ID: "l9\x1b", Rules: []string{clitest.Evil}, End: &nod.LeaseEnd{Reason: nod.LeaseEndRevoked, By: clitest.Evil, Via: clitest.Evil}}})
	h.Add(nod.Event{Kind: nod.StopPressed, By: &nod.Actor{Name: clitest.Evil, Via: clitest.Evil}})
	for _, kind := range []nod.EventKind{nod.MessageSaid, nod.MessageDelivered, nod.MessageFailed} {
		h.Add(nod.Event{Kind: kind, Message: &nod.Message{ID: "m-00000001", By: clitest.Evil, Via: clitest.Evil, Text: clitest.Evil, Problem: clitest.Evil}})
	}
	h.Raise(clitest.AutomaticRequest(nod.ViaPolicy))
	h.Add(nod.Event{Kind: nod.RequestDecided, RequestID: "a0700001", Decision: &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, By: clitest.Evil, Via: nod.ViaLease, Under: "l\x1b"}})
	commands := []string{"leases", "leases --json", "requests a070", "requests", "stop ev", "stop --all", "say ev hello", "say x\x1b y", "stop x\x1b", "lease revoke l\x1b", "requests e511", "requests --json", "requests --all", "agents", "agents --json", "log", "log --json", "status", "allow e511 --always"}
	for _, args := range commands {
		for _, columns := range []int{0, 60} {
			got := h.nod(columns, []string{"NO_COLOR=1"}, strings.Fields(args)...)
			for _, text := range []string{got.Out, got.Err} {
				if i := strings.IndexFunc(text, clitest.Dangerous); i >= 0 {
					t.Errorf("%s at %d columns prints %q", args, columns, text[max(0, i-20):min(len(text), i+20)])
				}
			}
		}
	}
}

func TestTheWholeCommandIsShown(t *testing.T) {
	h := NewRunner(t)
	h.Raise(clitest.EvilRequest("echo start; " + strings.Repeat("true; ", 180_000) + "rm -rf /srv"))
	for _, columns := range []int{0, 60} {
		got := h.nod(columns, []string{"NO_COLOR=1"}, "requests", "e511")
		text := strings.ReplaceAll(strings.ReplaceAll(got.Out, "\n", ""), " ", "")
		if n := strings.Count(text, "true;"); n != 180_000 {
			t.Errorf("at %d columns %d of 180000 parts are shown", columns, n)
		}
		if !strings.Contains(text, "rm-rf/srv") {
			t.Errorf("at %d columns the end is missing", columns)
		}
	}
	list := h.nod(60, []string{"NO_COLOR=1"}, "requests")
	if !strings.Contains(list.Out, "rm -rf /srv") || !strings.Contains(list.Out, "⟨… +") {
		t.Errorf("the list must show the end and that something was folded:\n%s", list.Out)
	}
}
