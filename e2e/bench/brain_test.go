package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
)

// think is how long the fake model takes: what is left of an answer's time is
// what Claude Code and nod add.
const think = 200 * time.Millisecond

// How often each way is taken. A program of its own for each question takes seconds.
const (
	followUps = 15
	firsts    = 5
	crowd     = 20
)

// BenchmarkBrain is how long a spoken question takes beyond the model's own time.
func BenchmarkBrain(b *testing.B) {
	heading(b, "A spoken question through nod and Claude Code, beyond the model's own time")
	r := rig.New(b, rig.Options{})
	r.API.OnContaining("riddle", fakeapi.Say("An answer of one sentence.").After(think))
	warm, cold := newBrain(b, r, true), newBrain(b, r, false)

	session := warm.ask(b, "riddle of the beginning", "")
	old := "11111111-2222-4333-8444-555555555555"
	if got := r.RunPrint(b, "--session-id", old, "riddle of the beginning"); got.ExitCode != 0 {
		b.Fatalf("%+v", got)
	}
	var nods, prints sample
	ways := []func(*testing.B){
		func(b *testing.B) { nods = append(nods, took(func() { warm.ask(b, "riddle again", session) })-think) },
		func(b *testing.B) {
			prints = append(prints, took(func() { r.RunPrint(b, "--resume", old, "riddle again") })-think)
		},
	}
	inTurn(ways, followUps, func(way func(*testing.B)) { way(b) })
	tell("nod: median %s, quartiles %s to %s; a program for each question: median %s", ms(nods.median()), ms(nods.at(0.25)), ms(nods.at(0.75)), ms(prints.median()))
	compare(b, "resume/nod", "a follow-up question, overhead", ms(nods.median()), ms(prints.median())+" claude -p --resume", ratio(prints.median(), nods.median()), atLeast(5))
	absolute(b, "follow-up-ms", "a follow-up question, overhead (median)", nods.median().Seconds()*1000, "ms", atMost(60))

	var spare, fresh sample
	ways = []func(*testing.B){
		func(b *testing.B) {
			<-time.After(4 * time.Second) // until the spare program waits
			spare = append(spare, took(func() { warm.ask(b, "riddle of a beginner", "") })-think)
		},
		func(b *testing.B) {
			fresh = append(fresh, took(func() { cold.ask(b, "riddle of a beginner", "") })-think)
		},
	}
	inTurn(ways, firsts, func(way func(*testing.B)) { way(b) })
	compare(b, "cold/spare", "a first question with a spare program, overhead", ms(spare.median()), ms(fresh.median())+" cold", ratio(fresh.median(), spare.median()), atLeast(3))
	warm.many(b)
}

// brain is a hub with a fake model behind a real Claude Code.
type brain struct {
	hub  *hubProcess
	http *http.Client
	asks int
}

func newBrain(b *testing.B, r *rig.Rig, spare bool) *brain {
	b.Helper()
	data := temp(b)
	var env []string
	for _, line := range r.Env() {
		if name, value, _ := strings.Cut(line, "="); name != "PATH" && name != "HOME" {
			env = append(env, fmt.Sprintf("%s = %q", name, value))
		}
	}
	text := fmt.Sprintf("[brain]\nrate = 100000\n[headless]\nclaude = %q\nspare = %v\nmost = %d\nenv = { %s }\n[[assistant]]\nname = \"house\"\ntools = [\"Read\"]\n",
		rig.NeedClaude(b), spare, crowd+4, strings.Join(env, ", "))
	if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	h := startHub(b, data)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", h.socket())
	}
	return &brain{hub: h, http: &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: crowd}}}
}

// ask is one question; an empty session begins a conversation. The session is
// returned.
func (n *brain) ask(b *testing.B, query, session string) string {
	b.Helper()
	body := map[string]any{"query": query, "session_id": session}
	if session == "" {
		n.asks++
		body["room"] = "room " + strconv.Itoa(n.asks)
	}
	got, err := n.post(b.Context(), body)
	if err != nil {
		b.Fatalf("%v\n%s", err, n.hub.log)
	}
	return got
}

func (n *brain) post(ctx context.Context, body map[string]any) (session string, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", "http://nod/ask", bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := n.http.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return "", err
	}
	var got struct {
		Text    string `json:"text"`
		Session string `json:"session_id"`
		Error   string `json:"error"`
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Error != "" || got.Text != "An answer of one sentence." {
		return "", fmt.Errorf("status %d: %s", answer.StatusCode, text)
	}
	return got.Session, nil
}

// many is how a crowd fares, and what it weighs.
func (n *brain) many(b *testing.B) {
	var all sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	at := time.Now()
	for i := range crowd {
		all.Go(func() {
			if _, err := n.post(b.Context(), map[string]any{"query": "riddle of many", "room": "crowd " + strconv.Itoa(i)}); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed++
				tell("conversation %d: %v", i, err)
			}
		})
	}
	all.Wait()
	tell("%d conversations at once: %d failed, all answered after %s", crowd, failed, ms(time.Since(at)))
	if failed > 0 {
		b.Errorf("%d of %d conversations at once failed", failed, crowd)
	}
	tell("an idle conversation holds %.0f MB of its own (proportional set size), the hub %.0f MB", n.weight(b), n.hub.memory(b, "VmRSS"))
}

// weight is the memory of an idle conversation's program, its share of what it
// has in common with others included.
func (n *brain) weight(b *testing.B) float64 {
	b.Helper()
	list, err := client.Local(n.hub.socket(), "bench").Agents(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	total, programs := 0, 0
	for _, a := range list {
		if a.Talk == nil || a.Process == nil || a.State != nod.AgentIdle {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", a.Process.PID))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "Pss:"); ok {
				kb, _ := strconv.Atoi(strings.Fields(value)[0])
				total, programs = total+kb, programs+1
			}
		}
	}
	if programs == 0 {
		b.Skip("memory is read from /proc")
	}
	return float64(total) / float64(programs) / 1024
}

func took(f func()) time.Duration {
	at := time.Now()
	f()
	return time.Since(at)
}
