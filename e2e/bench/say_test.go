package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// What the sequence that nod is compared with waits, however fast the terminal is.
const (
	textPause  = 120 * time.Millisecond
	enterPause = 200 * time.Millisecond
)

// says is how many messages are sent; NOD_BENCH_SAYS for less.
func says() int {
	if n, err := strconv.Atoi(os.Getenv("NOD_BENCH_SAYS")); err == nil && n > 0 {
		return n
	}
	return 1000
}

// comparisons is how often both ways are taken in turn.
const comparisons = 60

// BenchmarkSay is how long words take from the person to the agent.
func BenchmarkSay(b *testing.B) {
	heading(b, "Words into a running Claude Code in tmux, until the agent has confirmed them")
	defer func() {
		if b.Skipped() {
			tell("left out; -v tells why")
		}
	}()
	rig.NeedTmux(b)
	talk := newTalk(b)
	for range warmups {
		talk.say(b)
		talk.fixed(b)
	}
	talk.took, talk.slept, talk.seen = nil, nil, nil
	both := []func(*testing.B){talk.say, talk.fixed}
	inTurn(both, comparisons, func(way func(*testing.B)) { way(b) })
	tell("nod: median %s, quartiles %s to %s, slowest %s", ms(talk.took.median()), ms(talk.took.at(0.25)), ms(talk.took.at(0.75)), ms(talk.took.at(1)))
	tell("fixed sleeps: the agent had it after %s (median), the sequence knew after %s", ms(talk.seen.median()), ms(talk.slept.median()))
	compare(b, "sleeps/nod", "text handed over to confirmed", ms(talk.took.median()), ms(talk.slept.median())+" fixed sleeps", ratio(talk.slept.median(), talk.took.median()), atLeast(3))
	for talk.through < says() {
		talk.say(b)
	}
	talk.check(b)
}

// talk is a person and a real agent in a real terminal.
type talk struct {
	tui    *rig.TUI
	client *client.Client
	agent  nod.AgentID
	tmux   string

	mu      sync.Mutex
	changed chan struct{}
	heard   map[string]int // by text, as the agent's hook reported it
	done    map[nod.MessageID]nod.MessageStatus

	sent    int
	through int // of them by nod
	texts   []string
	took    sample // nod: until it is confirmed
	slept   sample // the sequence: until its last step
	seen    sample // the sequence: until the agent's hook reported it
}

func newTalk(b *testing.B) *talk {
	b.Helper()
	h := startHub(b, temp(b))
	r := rig.New(b, rig.Options{Settings: allHooks(b), Env: map[string]string{"NOD_DATA": h.data}})
	t := &talk{tui: r.StartTUI(b), client: h.local(), changed: make(chan struct{}), heard: map[string]int{}, done: map[nod.MessageID]nod.MessageStatus{}}
	t.tmux = rig.NeedTmux(b)
	rig.Until(b, "an agent that can be spoken to", func() bool {
		list, err := t.client.Agents(b.Context())
		for _, a := range list {
			if a.Able(nod.CanSay) {
				t.agent = a.ID
			}
		}
		return err == nil && t.agent != ""
	}, func() string { return h.log.String() })
	go t.follow(b)
	return t
}

func allHooks(b *testing.B) []byte {
	b.Helper()
	hook := map[string]any{"type": "command", "command": nodHook, "args": []string{}, "timeout": 10}
	hooks := map[string]any{}
	for _, event := range wire.Events() {
		hooks[event] = []any{map[string]any{"hooks": []any{hook}}}
	}
	raw, err := json.Marshal(map[string]any{"hooks": hooks})
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

func (t *talk) follow(b *testing.B) {
	for e, err := range t.client.Follow(b.Context(), 0) {
		if err != nil {
			return
		}
		t.mu.Lock()
		if e.Turn != nil && e.Turn.Role == nod.TurnPerson {
			t.heard[e.Turn.Text]++
		}
		if e.Message != nil {
			t.done[e.Message.ID] = e.Message.Status
		}
		close(t.changed)
		t.changed = make(chan struct{})
		t.mu.Unlock()
	}
}

// until waits for an event of the log.
func (t *talk) until(b *testing.B, what string, done func() bool) {
	b.Helper()
	limit := time.After(rig.Patience)
	for {
		t.mu.Lock()
		ok, changed := done(), t.changed
		t.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-limit:
			b.Fatalf("waited in vain for %s\n%s", what, t.tui.Screen())
		}
	}
}

func (t *talk) next() string {
	t.sent++
	text := fmt.Sprintf("message %d, and a few more words as people write them", t.sent)
	t.texts = append(t.texts, text)
	return text
}

// say is nod's way.
func (t *talk) say(b *testing.B) {
	b.Helper()
	t.tui.WaitStatus(b, "idle")
	text := t.next()
	t.through++
	id := nod.MessageID(fmt.Sprintf("bench-message-%d", t.sent))
	at := time.Now()
	if _, err := t.client.Say(b.Context(), t.agent, v1.NewMessage{ID: id, Text: text}); err != nil {
		b.Fatal(err)
	}
	t.until(b, "message "+string(id), func() bool { return t.done[id] == nod.Delivered || t.done[id] == nod.Failed })
	t.took = append(t.took, time.Since(at))
}

// fixed is a sequence of fixed sleeps, as relays have it.
func (t *talk) fixed(b *testing.B) {
	b.Helper()
	t.tui.WaitStatus(b, "idle")
	text := t.next()
	at := time.Now()
	t.run(b, "send-keys", "-t", t.tui.Pane(), "-l", "--", text)
	<-time.After(textPause)
	t.run(b, "send-keys", "-t", t.tui.Pane(), "Enter")
	seen := make(chan time.Duration, 1)
	go func() {
		t.until(b, text, func() bool { return t.heard[text] > 0 })
		seen <- time.Since(at)
	}()
	<-time.After(enterPause)
	t.run(b, "capture-pane", "-p", "-t", t.tui.Pane())
	t.slept = append(t.slept, time.Since(at))
	t.seen = append(t.seen, <-seen)
}

func (t *talk) run(b *testing.B, args ...string) {
	cmd := exec.Command(t.tmux, append([]string{"-u", "-S", t.tui.Socket()}, args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
}

// check counts. This one asserts: that every message arrives once is no matter of
// speed.
func (t *talk) check(b *testing.B) {
	b.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	lost, twice, failed := 0, 0, 0
	for _, text := range t.texts {
		switch n := t.heard[text]; {
		case n == 0:
			lost++
		case n > 1:
			twice++
		}
	}
	for _, status := range t.done {
		if status != nod.Delivered {
			failed++
		}
	}
	tell("%d messages, %d of them through nod: %d lost, %d twice, %d said to have failed", len(t.texts), len(t.done), lost, twice, failed)
	if lost+twice+failed > 0 {
		b.Errorf("%d lost, %d twice, %d failed", lost, twice, failed)
	}
}
