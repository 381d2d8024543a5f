package bench

import (
	"os"
	"path/filepath"
	"testing"
)

const spawns = 200

// BenchmarkSpawn is the hook without Claude Code around it: started with an
// event on its standard input, until it has ended.
func BenchmarkSpawn(b *testing.B) {
	hub := startHub(b, temp(b))
	stdin := payloadFile(b, `{"hook_event_name":"PreToolUse","session_id":"bench","cwd":"/","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"true","description":"run it"},"tool_use_id":"toolu_1"}`)
	env := agentEnviron(hub.data)
	hook := &program{name: "nod-hook", argv: []string{nodHook}, env: env}
	wholeNod := &program{name: "nod hook", argv: []string{nodBinary, "hook"}, env: env}
	cProgram := &program{name: "empty static C program", argv: []string{emptyC}, env: env}
	script := &program{name: "bash + curl + jq", argv: []string{absolutePath(b, "testdata/hook.sh")}, env: env}
	goProgram := &program{name: "empty static Go program", argv: []string{emptyGo}, env: env}
	all := []*program{
		{name: "/bin/true", argv: []string{"/bin/true"}, env: env},
		goProgram,
		{name: "nod-hook, no hub", argv: []string{nodHook}, env: agentEnviron(temp(b))},
		hook,
		wholeNod,
	}
	if emptyC != "" {
		all = append(all, cProgram)
	}
	if firstMissing("bash", "curl", "jq") == "" {
		all = append(all, script)
	}
	for _, other := range others {
		all = append(all, &program{name: other, argv: []string{other, "hook"}, env: env})
	}
	heading(b, "One hook process, from its start to its end, without Claude Code")
	inTurn(all, spawns, func(p *program) { p.once(b, stdin) })
	for _, p := range all {
		tell("%-30s median %9s, p99 %9s, min %9s", p.name, ms(p.took.median()), ms(p.took.at(0.99)), ms(p.took.min()))
	}
	for _, c := range []struct {
		metric string
		base   *program
		target target
	}{
		{"hook/C", cProgram, atMost(10)},
		{"hook/empty-go", goProgram, atMost(3)},
		{"hook/nod", wholeNod, atMost(0.6)},
		{"hook/shell", script, atMost(0.1)},
	} {
		if base := c.base.took.median(); base > 0 {
			compare(b, c.metric, hook.name, ms(hook.took.median()), c.base.name+" "+ms(base), ratio(hook.took.median(), base), c.target)
		}
	}
}

func payloadFile(b *testing.B, payload string) string {
	b.Helper()
	path := filepath.Join(temp(b), "payload.json")
	if err := os.WriteFile(path, []byte(payload), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}
