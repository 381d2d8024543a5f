package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// mcpConfig gives Claude Code `nod mcp`.
func mcpConfig(t *testing.T) []string {
	t.Helper()
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"nod": map[string]any{"command": binary, "args": []string{"mcp"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--mcp-config", string(config)}
}

func TestClaudeCodeAsksAPersonThroughMCP(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Args: append(mcpConfig(t), "--allowedTools", "mcp__nod__ask_person,mcp__nod__set_keyboard_buttons")})
	ask := fakeapi.Tool("mcp__nod__ask_person", map[string]any{"question": "Which DB?", "options": []string{"Postgres", "SQLite"}})
	keys := fakeapi.Tool("mcp__nod__set_keyboard_buttons", map[string]any{"buttons": []string{"Go", "Wait", "More", "Help"}})
	w.API.On("choose", fakeapi.Use(keys), fakeapi.Use(ask), fakeapi.Say("chosen"))
	p := w.StartPrint(t, "choose")
	r := w.one(t)
	if r.Kind != nod.KindQuestion || r.Title != "Which DB?" || r.Agent.Kind != "claude" {
		t.Errorf("the person sees %+v", r)
	}
	for range 2 {
		w.killHub(t)
		w.startHub(t)
	}
	if again := w.one(t); again.ID != r.ID {
		t.Errorf("request %s became %s", r.ID, again.ID)
	}
	w.ok(t, "answer", string(r.ID), "sqlite")
	if got := p.Wait(t); got.ExitCode != 0 || !strings.Contains(got.Stdout, "chosen") {
		t.Errorf("%+v", got)
	}
	if told, _ := w.API.ToolResult(ask.ID); !strings.Contains(told.Text, "The person answered: SQLite") || told.IsError {
		t.Errorf("the model was told %+v", told)
	}
	if told, _ := w.API.ToolResult(keys.ID); !strings.Contains(told.Text, "Go") || told.IsError {
		t.Errorf("of the keys the model was told %+v", told)
	}
	w.reached(t, r.ID, nod.StepApplied)
}

// Claude Code sends a call that takes long to the background and ends its turn. The
// question stays, and the answer begins a new turn.
func TestAQuestionInTheBackgroundStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{
		Args: append(mcpConfig(t), "--allowedTools", "mcp__nod__ask_person"),
		Env:  map[string]string{"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "1000"},
	})
	ask := fakeapi.Tool("mcp__nod__ask_person", map[string]any{"question": "Which colour?"})
	w.API.On("ask me", fakeapi.Use(ask), fakeapi.Say("going on without"))
	w.API.OnContaining("The person answered: blue", fakeapi.Say("blue it is"))
	s := w.StartTUI(t)
	s.Prompt(t, "ask me")
	r := w.one(t)
	s.WaitScreen(t, "going on without")
	s.WaitStatus(t, "idle")
	if again := w.one(t); again.ID != r.ID {
		t.Errorf("request %s became %s", r.ID, again.ID)
	}
	w.ok(t, "answer", string(r.ID), "blue")
	s.WaitScreen(t, "blue it is")
}

// In the terminal, Escape takes the question back.
func TestEscapeWithdrawsAQuestion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Args: append(mcpConfig(t), "--allowedTools", "mcp__nod__ask_person")})
	ask := fakeapi.Tool("mcp__nod__ask_person", map[string]any{"question": "Really?"})
	w.API.On("ask me", fakeapi.Use(ask), fakeapi.Say("heard"))
	s := w.StartTUI(t)
	s.Prompt(t, "ask me")
	r := w.one(t)
	s.Keys(t, "Escape")
	if r = w.settled(t, r.ID); r.Status != nod.Withdrawn {
		t.Errorf("%s %+v", r.Status, r.Withdrawal)
	}
}

// A script without hooks is answered through the permission prompt tool.
func TestPermissionPromptTool(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Args: append(mcpConfig(t), "--permission-prompt-tool", "mcp__nod__permission")})
	if err := os.WriteFile(filepath.Join(w.ConfigDir, "settings.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	yes, no := fakeapi.Bash(`python3 -c "print('yes')"`), fakeapi.Bash(`python3 -c "print('no')"`)
	w.API.On("do both", fakeapi.Use(yes), fakeapi.Use(no), fakeapi.Say("both tried"))
	p := w.StartPrint(t, "do both")
	r := w.one(t)
	if r.Kind != nod.KindApproval || r.Tool != "Bash" || r.Call != yes.ID {
		t.Errorf("the person sees %+v", r)
	}
	w.ok(t, "allow", string(r.ID))
	w.settled(t, r.ID)
	r = w.one(t)
	w.ok(t, "deny", string(r.ID), "-m", "not that")
	if got := p.Wait(t); got.ExitCode != 0 || !strings.Contains(got.Stdout, "both tried") {
		t.Errorf("%+v", got)
	}
	if told, _ := w.API.ToolResult(yes.ID); strings.TrimSpace(told.Text) != "yes" {
		t.Errorf("of the allowed call the model was told %+v", told)
	}
	if told, _ := w.API.ToolResult(no.ID); !strings.Contains(told.Text, "not that") {
		t.Errorf("of the denied call the model was told %+v", told)
	}
	w.agent(t, "has ended", func(a *nod.Agent) bool { return a.ID == r.Agent.ID && a.State == nod.AgentEnded })
}

// The official SDK's client reads every byte of standard output: one that is not the
// protocol would end it.
func TestMCPWritesOnlyTheProtocol(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	cmd := exec.Command(binary, "mcp", "--verbose")
	cmd.Env, cmd.Dir = w.env(), w.Dir
	session, err := mcp.NewClient(&mcp.Implementation{Name: "inspector", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	answers := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, _ := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask_person", Arguments: map[string]any{"question": "Ready?"}})
		answers <- res
	}()
	r := w.one(t)
	w.ok(t, "answer", string(r.ID), "nearly")
	res := <-answers
	if res == nil || res.Content[0].(*mcp.TextContent).Text != "The person answered: nearly" {
		t.Errorf("%+v", res)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	w.agent(t, "has ended", func(a *nod.Agent) bool { return a.ID == r.Agent.ID && a.State == nod.AgentEnded })
}

// `nod setup claude` is all it takes: the server is known, its tools need no
// permission, and with --remove both are gone.
func TestSetupGivesClaudeCodeTheTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	setup := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary, append([]string{"setup", "claude"}, args...)...)
		cmd.Env, cmd.Dir = append(w.env(), "CLAUDE_CONFIG_DIR="+w.ConfigDir), w.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	setup()
	ask := fakeapi.Tool("mcp__nod__ask_person", map[string]any{"question": "Ready?"})
	w.API.On("ask", fakeapi.Use(ask), fakeapi.Say("asked"))
	p := w.StartPrint(t, "ask")
	r := w.one(t)
	if r.Kind != nod.KindQuestion || r.Title != "Ready?" {
		t.Errorf("the person sees %+v", r)
	}
	w.ok(t, "answer", string(r.ID), "nearly")
	if got := p.Wait(t); got.ExitCode != 0 || !strings.Contains(got.Stdout, "asked") {
		t.Errorf("%+v", got)
	}
	if told, _ := w.API.ToolResult(ask.ID); !strings.Contains(told.Text, "The person answered: nearly") {
		t.Errorf("the model was told %+v", told)
	}
	setup("--remove")
	w.RunPrint(t, "ask")
	if list := w.waiting(t, 0); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	state, err := os.ReadFile(filepath.Join(w.ConfigDir, ".claude.json"))
	if err != nil || strings.Contains(string(state), `"nod"`) || !strings.Contains(string(state), "hasCompletedOnboarding") {
		t.Errorf("left is %s, %v", state, err)
	}
}
