package bench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	agents := []*agent{newAgent(b, "no hooks", "")}
	add := func(name, data string, command ...string) *agent {
		a := newAgent(b, name, data, command...)
		agents = append(agents, a)
		return a
	}
	withHub := add("nod hook", hub.data, nodBinary, "hook")
	noHub := add("nod hook, no hub", temp(b), nodBinary, "hook")
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
	for _, a := range agents {
		a.took = a.took[warmups:]
	}
	tellTurns(agents)
	compareTurns(b, "nod/shell", withHub, script, agents[0], atMost(0.5))
	compareTurns(b, "nod/C", withHub, c, agents[0], atMost(2))
	compareTurns(b, "nod-no-hub/C", noHub, c, agents[0], atMost(2))
}

// inTurn lets everyone have n turns, one each per round. The order is another
// one every round, or somebody would always come after the slowest.
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
func (a *agent) added(none *agent) time.Duration {
	var more sample
	for i := range a.took {
		more = append(more, a.took[i]-none.took[i])
	}
	return more.median()
}

func compareTurns(b *testing.B, metric string, a, baseline, none *agent, t target) {
	if baseline == nil {
		return
	}
	x, y := a.added(none), baseline.added(none)
	compare(b, metric, strings.Join([]string{a.name, baseline.name}, " / "), ms(x), fmt.Sprintf("%s (%s)", ms(y), baseline.name), ratio(x, y), t)
}
