package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/rig"
)

// switchServerArg makes this test binary an MCP server for a smart home: one tool
// switches things off and records what it switched.
const switchServerArg = "mcp-house-server"

// serveSwitches speaks just enough of MCP over standard input and output.
func serveSwitches(in io.Reader, out io.Writer, record string) {
	send := func(id json.RawMessage, result string) {
		b, _ := json.Marshal(rpc{JSONRPC: "2.0", ID: id, Result: json.RawMessage(result)})
		fmt.Fprintf(out, "%s\n", b)
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m rpc
		if json.Unmarshal(lines.Bytes(), &m) != nil || len(m.ID) == 0 {
			continue
		}
		switch m.Method {
		case "initialize":
			var p struct {
				Version string `json:"protocolVersion"`
			}
			_ = json.Unmarshal(m.Params, &p)
			send(m.ID, `{"protocolVersion":"`+p.Version+`","capabilities":{"tools":{}},"serverInfo":{"name":"house","version":"1"}}`)
		case "tools/list":
			send(m.ID, `{"tools":[{"name":"HassTurnOff","description":"switches something off","inputSchema":{"type":"object","properties":{"name":{"type":"string"}}}},`+
				`{"name":"GetLiveContext","description":"tells how the house is","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			var p struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			}
			_ = json.Unmarshal(m.Params, &p)
			f, err := os.OpenFile(record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err == nil {
				fmt.Fprintf(f, "%s %s\n", p.Name, p.Arguments)
				_ = f.Close()
			}
			send(m.ID, `{"content":[{"type":"text","text":"It is 21 degrees and everything is as you said."}]}`)
		default:
			send(m.ID, `{}`)
		}
	}
}

// switchWorld is a hub whose assistant has that server; switched is its record.
func switchWorld(t *testing.T, settings string) (w *world, switched func() []string) {
	t.Helper()
	w = worldWithoutHub(t, rig.Options{})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(t.TempDir(), "switched")
	w.configure(t, fmt.Sprintf(`%s
[[assistant]]
name = "house"
prompt = "You look after a house."
language = "en"
tools = ["none"]
allow = ["mcp__house__GetLiveContext"]
[assistant.mcp.house]
command = [%q, %q, %q]
`, settings, self, switchServerArg, record))
	w.startHub(t)
	return w, func() []string {
		text, _ := os.ReadFile(record)
		return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	}
}

// configure writes nod.toml, with the real Claude Code and the fake model for
// conversations that nod keeps itself.
func (w *world) configure(t *testing.T, more string) {
	t.Helper()
	var env []string
	for _, line := range w.Env() {
		name, value, _ := strings.Cut(line, "=")
		if name != "PATH" && name != "HOME" && !strings.HasPrefix(name, "NOD_") {
			env = append(env, fmt.Sprintf("%s = %q", name, value))
		}
	}
	text := fmt.Sprintf("[headless]\nclaude = %q\nenv = { %s }\n%s", rig.NeedClaude(t), strings.Join(env, ", "), more)
	w.writeConfig(t, text)
}
