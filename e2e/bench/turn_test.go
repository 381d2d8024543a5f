package bench

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

const (
	turns   = 60
	warmups = 10 // Claude Code compiles itself as it goes
	prompt  = "do it"
)

// turnEvents are the hooks of a turn with one tool call.
var turnEvents = []string{"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"}

// agent is a warm Claude Code with a hook of its own.
type agent struct {
	name    string
	session *rig.Stdio
	took    sample
}

// BenchmarkTurn is what a hook adds to a turn of the real Claude Code.
func BenchmarkTurn(b *testing.B) {
	heading(b, "A turn of Claude Code with one tool call, four hook events; what the hooks add")
	defer func() {
		if b.Skipped() {
			tell("left out; -v tells why")
		}
	}()
	hub := startHub(b, temp(b))
	phone := hub.device(b)
	agents := []*agent{newAgent(b, "no hooks", "")}
	add := func(name, data string, command ...string) *agent {
		a := newAgent(b, name, data, command...)
		agents = append(agents, a)
		return a
	}
	withHub := add("nod-hook", hub.data, nodHook)
	noHub := add("nod-hook, no hub", temp(b), nodHook)
	var c, script *agent
	if emptyC != "" {
		c = add("empty static C program", hub.data, emptyC, "hook")
	} else {
		tell("no gcc: the empty C program is left out")
	}
	if lacking := firstMissing("bash", "curl", "jq"); lacking == "" {
		script = add("bash + curl + jq", hub.data, absolutePath(b, "testdata/hook.sh"), "hook")
	} else {
		tell("no %s: the shell script is left out", lacking)
	}
	for _, other := range others {
		add(other, hub.data, other, "hook")
	}
	inTurn(agents, warmups+turns, func(a *agent) { a.turn(b) })
	heardOf := 1 + len(others) // sessions whose hooks speak to the hub
	if script != nil {
		heardOf++
	}
	checkHeard(b, phone, heardOf)
	for _, a := range agents {
		a.took = a.took[warmups:]
	}
	tellTurns(agents)
	compareTurns(b, "nod/shell", withHub, script, agents[0], atMost(0.5))
	compareTurns(b, "nod/C", withHub, c, agents[0], atMost(2))
	compareTurns(b, "nod-no-hub/C", noHub, c, agents[0], atMost(2))
}

// checkHeard makes sure that the hooks did their work: one that fails at once
// would be the quickest of all.
func checkHeard(b *testing.B, phone *device, sessions int) {
	b.Helper()
	settledHead(b, phone)
	var list struct{ Agents []nod.Agent }
	if err := phone.call("GET", "/v1/agents", nil, &list); err != nil {
		b.Fatal(err)
	}
	if len(list.Agents) != sessions {
		b.Fatalf("the hub heard of %d sessions, %d have a hook that speaks to it", len(list.Agents), sessions)
	}
	for _, a := range list.Agents {
		var said struct{ Turns []nod.Turn }
		if err := phone.call("GET", "/v1/agents/"+string(a.ID)+"/turns?limit=500", nil, &said); err != nil {
			b.Fatal(err)
		}
		// A prompt, a tool call and a reply in every turn.
		if want := 3 * (warmups + turns); len(said.Turns) != want {
			b.Fatalf("the hub heard %d things of a session, %d happened", len(said.Turns), want)
		}
	}
	tell("every hook that speaks to the hub was heard, all %d turns of it", warmups+turns)
}

// inTurn gives each candidate n turns, one per round. The order changes every round, or
// one of them would always come after the slowest.
func inTurn[T any](all []T, n int, do func(T)) {
	order := rand.New(rand.NewPCG(1, 2))
	for range n {
		for _, i := range order.Perm(len(all)) {
			do(all[i])
		}
	}
}

func firstMissing(programs ...string) string {
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			return p
		}
	}
	return ""
}

func absolutePath(b *testing.B, path string) string {
	b.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		b.Fatal(err)
	}
	return abs
}

func newAgent(b *testing.B, name, data string, command ...string) *agent {
	b.Helper()
	r := rig.New(b, rig.Options{Settings: hookSettings(b, command), Env: map[string]string{"NOD_DATA": data}})
	r.API.On(prompt, fakeapi.Use(fakeapi.Bash("true")), fakeapi.Say("done"))
	return &agent{name: name, session: r.StartStdio(b)}
}

func hookSettings(b *testing.B, command []string) []byte {
	b.Helper()
	settings := map[string]any{"permissions": map[string]any{"allow": []string{"Bash(true)"}}}
	if len(command) > 0 {
		hook := map[string]any{"type": "command", "command": command[0], "args": command[1:], "timeout": 10}
		hooks := map[string]any{}
		for _, event := range turnEvents {
			hooks[event] = []any{map[string]any{"hooks": []any{hook}}}
		}
		settings["hooks"] = hooks
	}
	raw, err := json.Marshal(settings)
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

// turn waits on its own: the rig looks every 25 ms, which is more than a hook
// takes.
func (a *agent) turn(b *testing.B) {
	b.Helper()
	before := len(a.session.All())
	tick := time.NewTicker(500 * time.Microsecond)
	defer tick.Stop()
	at := time.Now()
	a.session.Prompt(b, prompt)
	for range tick.C {
		took := time.Since(at)
		for _, m := range a.session.All()[before:] {
			if m.Type == "result" {
				a.took = append(a.took, took)
				return
			}
		}
		if took > rig.Patience {
			b.Fatalf("%s: no end of the turn", a.name)
		}
	}
}

func tellTurns(agents []*agent) {
	none := agents[0]
	tell("%-30s turn: median %s, quartiles %s to %s, min %s; %d turns each, in turn", none.name,
		ms(none.took.median()), ms(none.took.at(0.25)), ms(none.took.at(0.75)), ms(none.took.min()), turns)
	for _, a := range agents[1:] {
		tell("%-30s adds: median %9s (per event %s), min %9s", a.name, ms(a.added(none)), ms(a.added(none)/4), ms(a.took.min()-none.took.min()))
	}
}

// added is the median over rounds of what the turn took longer than the one
// without hooks in the same round: a busy moment meets both.
func (a *agent) added(none *agent) time.Duration { return a.longer(none).median() }

func (a *agent) longer(none *agent) sample {
	var more sample
	for i := range a.took {
		more = append(more, a.took[i]-none.took[i])
	}
	return more
}

// compareTurns tells a ratio and how far it can be trusted: nine in ten of the
// ratios that the same rounds, drawn again by lot, would have given. That one
// Claude Code may be quicker than another is not in it, so look at several runs.
func compareTurns(b *testing.B, metric string, a, baseline, none *agent, t target) {
	if baseline == nil {
		return
	}
	x, y := a.longer(none), baseline.longer(none)
	got := ratio(x.median(), y.median())
	low, high := spread(x, y)
	b.ReportMetric(got, metric)
	tell("%-50s %9s against %9s  ratio %5.2f (%.2f to %.2f)  %s", a.name+" / "+baseline.name, ms(x.median()), ms(y.median()), got, low, high, t.within(low, got, high))
}

// spread is the 5th and 95th percentile of the ratio of medians over rounds
// drawn by lot, the same ones for both.
func spread(x, y sample) (low, high float64) {
	lot := rand.New(rand.NewPCG(3, 4))
	var ratios []float64
	for range 2000 {
		var xs, ys sample
		for range x {
			i := lot.IntN(len(x))
			xs, ys = append(xs, x[i]), append(ys, y[i])
		}
		ratios = append(ratios, ratio(xs.median(), ys.median()))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/20], ratios[len(ratios)-1-len(ratios)/20]
}
