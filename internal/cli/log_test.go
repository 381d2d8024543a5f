package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/cli/clitest"
)

// hubWithHistory is a hub with a few events in its log.
func hubWithHistory(t *testing.T) *runner {
	h := NewRunner(t)
	h.Agent(clitest.SomeAgents()[0])
	h.Raise(clitest.GoTestRequest())
	h.Decide("c0ffee11", nod.VerdictAllow, "anna at desk", "terminal")
	h.Prove("c0ffee11", nod.StepApplied)
	h.Withdraw("c0ffee11", nod.Withdrawal{Reason: nod.WithdrawnTerminal})
	h.Add(nod.Event{Kind: nod.TurnTaken, AgentID: "a-api", Turn: &nod.Turn{Role: nod.TurnPerson, Text: "<b>fix & ship</b>"}})
	h.Add(nod.Event{Kind: nod.AccessRefused, By: &nod.Actor{Name: "agent api"}, Note: "answer request c0ffee11"})
	return h
}

func TestLog(t *testing.T) {
	h := hubWithHistory(t)
	got := h.nod(0, nil, "log")
	want := `12:01:03  the hub started (0.1.0)
12:01:03  api       Working · Bash: go test ./...
12:01:03  api       c0ff  asks: go test ./...
12:01:03  c0ff  allowed by anna at desk through terminal
12:01:03  c0ff  applied
12:01:03  c0ff  needs no answer any more: answered in its terminal
12:01:03  api       person: <b>fix & ship</b>
12:01:03  agent api was refused: answer request c0ffee11
`
	if got.Out != want {
		t.Errorf("got\n%swant\n%s", got.Out, want)
	}
	if n := strings.Count(h.nod(0, nil, "log", "-n", "3").Out, "\n"); n != 3 {
		t.Errorf("-n 3 prints %d lines", n)
	}
	last := h.nod(0, nil, "log", "-n", "1", "--json").Out
	var e nod.Event
	if err := json.Unmarshal([]byte(last), &e); err != nil || e.Kind != nod.AccessRefused {
		t.Errorf("%v: %s", err, last)
	}
}

func TestLogVerify(t *testing.T) {
	h := hubWithHistory(t)
	seq, hash := h.State.Seq, h.State.Hash
	clitest.Check(t, h.nod(0, nil, "log", "verify"), 0, "The log is whole: 8 events", "")
	clitest.Check(t, h.nod(0, nil, "log", "verify"), 0, "Head: event 8, "+hash.String(), "")
	h.Add(nod.Event{Kind: nod.HubStarted})
	clitest.Check(t, h.nod(0, nil, "log", "verify", "--head", hash.String()), 0, "The head that you kept is event 8", "")
	clitest.Check(t, h.nod(0, nil, "log", "verify", "--head", strings.Repeat("ab", 32)), 1, "", "is not in it")
	_ = seq

	// An edited event: its hash no longer matches the bytes.
	forged := bytes.Replace(h.Events[3].Body(), []byte("allow"), []byte("deny!"), 1)
	e, err := nod.Unseal(forged, h.Events[3].Hash)
	if err != nil {
		t.Fatal(err)
	}
	h.Events[3] = e
	clitest.Check(t, h.nod(0, nil, "log", "verify"), 1, "", "event 4 (request.decided, 2026-10-05T12:01:03Z) was changed")
	clitest.Check(t, h.nod(60, nil, "log", "verify"), 1, "", "Events up to 3 are")

	// Or takes an event out.
	h.Events = append(h.Events[:3:3], h.Events[4:]...)
	clitest.Check(t, h.nod(0, nil, "log", "verify"), 1, "", "event 4 is missing, event 5 stands in its place")
}

// A pruned log continues from a signed checkpoint, in the hub and in an export.
func TestLogVerifyOfAPrunedLog(t *testing.T) {
	h := hubWithHistory(t)
	hash, before := h.State.Hash, h.Events[1].Hash
	cut := nod.NewState()
	cut.Seq, cut.Hash = 3, h.Events[2].Hash
	var err error
	if h.Base, err = nod.NewCheckpoint(cut, h.Now, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))); err != nil {
		t.Fatal(err)
	}
	h.Events = h.Events[3:]
	file := filepath.Join(t.TempDir(), "log.jsonl")
	clitest.Check(t, h.nod(0, nil, "log", "export", file), 0, "Wrote 5 events to", "")
	for _, args := range [][]string{{"log", "verify"}, {"log", "verify", file}} {
		clitest.Check(t, h.nod(0, nil, args...), 0, "The log is whole: 5 events", "")
		clitest.Check(t, h.nod(0, nil, args...), 0, "Events up to 3 were pruned", "")
		clitest.Check(t, h.nod(0, nil, append(args, "--head", hash.String())...), 0, "Head: event 8, "+hash.String(), "")
		clitest.Check(t, h.nod(0, nil, append(args, "--head", cut.Hash.String())...), 0, "The head that you kept is event 3", "")
		clitest.Check(t, h.nod(0, nil, append(args, "--head", before.String())...), 1, "", "the part that was pruned")
	}
	h.Base.Seq, h.Events = 4, h.Events[1:] // one more event is removed without a signature
	clitest.Check(t, h.nod(0, nil, "log", "verify"), 1, "", "whose signature does not fit")
}

func TestLogExportAndOfflineVerify(t *testing.T) {
	h := hubWithHistory(t)
	file := filepath.Join(t.TempDir(), "log.jsonl")
	clitest.Check(t, h.nod(0, nil, "log", "export", file), 0, "Wrote 8 events to", "")
	clitest.Check(t, h.nod(0, nil, "log", "export", file), 1, "", "overwrites nothing")
	clitest.Check(t, h.nod(80, nil, "log", "export"), 2, "", "An export is for a file")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	exported, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if piped := h.nod(0, nil, "log", "export").Out; piped != string(exported) {
		t.Error("a pipe gets something else than a file")
	}
	h.Stop() // from here on there is no hub
	clitest.Check(t, h.nod(0, nil, "log", "verify", file), 0, "The log is whole: 8 events", "")
	tests := []struct {
		name   string
		change func(string) string
		says   string
	}{
		{"a word", func(s string) string { return strings.Replace(s, "anna at desk", "eve at desk!", 1) }, "was changed"},
		{"a line", func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return strings.Join(append(lines[:2], lines[3:]...), "")
		}, "event 3 is missing"},
		{"the end of a line", func(s string) string { return s[:len(s)-30] }, "event 8 cannot be read"},
	}
	for _, tt := range tests {
		bad := filepath.Join(t.TempDir(), "bad.jsonl")
		if err := os.WriteFile(bad, []byte(tt.change(string(exported))), 0o600); err != nil {
			t.Fatal(err)
		}
		clitest.Check(t, h.nod(0, nil, "log", "verify", bad), 1, "", tt.says)
	}
}

// outputRecorder collects what a follower prints and signals new output.
type outputRecorder struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{}
}

func (r *outputRecorder) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		select {
		case r.news <- struct{}{}:
		default:
		}
	}()
	return r.text.Write(b)
}

func (r *outputRecorder) until(t *testing.T, text string) {
	t.Helper()
	for {
		r.mu.Lock()
		has := strings.Contains(r.text.String(), text)
		r.mu.Unlock()
		if has {
			return
		}
		select {
		case <-r.news:
		case <-time.After(10 * time.Second):
			t.Fatalf("%q never came:\n%s", text, r.text.String())
		}
	}
}

func TestLogFollow(t *testing.T) {
	h := hubWithHistory(t)
	out := &outputRecorder{news: make(chan struct{}, 1)}
	env := h.env(0, nil)
	env.Stdout = out
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() { done <- Run(ctx, env, []string{"log", "--follow", "-n", "1"}) }()
	out.until(t, "was refused")
	h.Raise(clitest.PushRequest())
	out.until(t, "asks: git push")
	cancel()
	if exit := <-done; exit != 0 {
		t.Errorf("exit %d", exit)
	}
}
