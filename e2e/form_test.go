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

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// formServerArg makes this test binary an MCP server whose one tool asks the
// person to fill in a form.
const formServerArg = "mcp-form-server"

const formSchema = `{"type":"object","properties":{"name":{"type":"string","title":"Your name"},"size":{"type":"string","enum":["small","large"]},"count":{"type":"integer"}},"required":["name","size"]}`

type rpc struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
}

// serveForms speaks just enough of MCP over standard input and output.
func serveForms(in io.Reader, out io.Writer) {
	send := func(m rpc) {
		m.JSONRPC = "2.0"
		b, _ := json.Marshal(m)
		fmt.Fprintf(out, "%s\n", b)
	}
	var call json.RawMessage
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m rpc
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Method == "initialize":
			var p struct {
				Version string `json:"protocolVersion"`
			}
			_ = json.Unmarshal(m.Params, &p)
			send(rpc{ID: m.ID, Result: json.RawMessage(`{"protocolVersion":"` + p.Version + `","capabilities":{"tools":{}},"serverInfo":{"name":"forms","version":"1"}}`)})
		case m.Method == "tools/list":
			send(rpc{ID: m.ID, Result: json.RawMessage(`{"tools":[{"name":"fill","description":"asks","inputSchema":{"type":"object"}}]}`)})
		case m.Method == "tools/call":
			call = m.ID
			send(rpc{ID: json.RawMessage(`"form-1"`), Method: "elicitation/create", Params: json.RawMessage(`{"message":"Who are you?","requestedSchema":` + formSchema + `}`)})
		case string(m.ID) == `"form-1"`:
			text, _ := json.Marshal(string(m.Result))
			send(rpc{ID: call, Result: json.RawMessage(`{"content":[{"type":"text","text":` + string(text) + `}]}`)})
		case len(m.ID) > 0 && m.Method != "":
			send(rpc{ID: m.ID, Result: json.RawMessage(`{}`)})
		}
	}
}

func TestAFormOfAnMCPServer(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "mcp.json")
	servers := fmt.Sprintf(`{"mcpServers":{"forms":{"command":%q,"args":[%q]}}}`, self, formServerArg)
	if err := os.WriteFile(config, []byte(servers), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, rig.Options{
		Args:     []string{"--mcp-config", config},
		Settings: []byte(`{"permissions":{"allow":["mcp__forms__fill"]}}`),
	})
	s := w.StartTUI(t)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"filled in", []string{"answer", "", "Anna", "2", "3"}, `{"action":"accept","content":{"count":3,"name":"Anna","size":"large"}}`},
		{"declined", []string{"deny", ""}, `{"action":"decline"}`},
	} {
		call := fakeapi.Tool("mcp__forms__fill", map[string]any{})
		w.API.On("form "+c.name, fakeapi.Use(call), fakeapi.Say("form over "+c.name))
		s.Prompt(t, "form "+c.name)
		r := w.one(t)
		if r.Kind != nod.KindElicitation || r.Title != "Who are you?" || len(r.Questions) != 3 || r.Questions[1].ID != "size" {
			t.Fatalf("%+v", r)
		}
		c.args[1] = string(r.ID)
		w.ok(t, c.args...)
		if got := s.WaitToolResult(t, call.ID); !strings.Contains(strings.ReplaceAll(got.Text, " ", ""), c.want) {
			t.Errorf("the server got %q, want %s", got.Text, c.want)
		}
		s.WaitScreen(t, "form over "+c.name)
		s.WaitStatus(t, "idle")
	}
}
