package rig_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

func TestTUIAsksAndRunsAfterYes(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Options{})
	call := fakeapi.Bash(`python3 -c "print(6*7)"`)
	r.API.On("run the sum", fakeapi.Use(call).WithText("running it"), fakeapi.Say("all done"))
	s := r.StartTUI(t)

	s.Prompt(t, "run the sum")
	s.WaitScreen(t, "Do you want to proceed?")
	if got := s.WaitStatus(t, "waiting").WaitingFor; got != "permission prompt" {
		t.Errorf("waitingFor = %q", got)
	}
	s.Answer(t, "1")

	if got := s.WaitToolResult(t, call.ID); got.IsError || strings.TrimSpace(got.Text) != "42" {
		t.Errorf("the model was told %+v, want 42", got)
	}
	s.WaitScreen(t, "all done")
	s.WaitStatus(t, "idle")
	s.Kill()
	if _, err := os.Stat(s.StatusFile()); !os.IsNotExist(err) {
		t.Errorf("status file after the session: %v", err)
	}
}

func TestPrintAnswers(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Options{})
	r.API.On("say hello", fakeapi.Say("hello from the fake"))

	for prompt, want := range map[string]string{"say hello": "hello from the fake", "never scripted": "ok"} {
		got := r.RunPrint(t, prompt)
		if got.ExitCode != 0 || strings.TrimSpace(got.Stdout) != want {
			t.Errorf("claude -p %q: %+v, want %q", prompt, got, want)
		}
	}
}

func TestUsageLimitOfASubscriber(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Options{Env: rig.Subscriber()})
	r.API.On("work on", fakeapi.RateLimited(time.Now().Add(time.Hour)))

	if got := r.RunPrint(t, "work on"); got.ExitCode == 0 || !strings.Contains(got.Stdout, "You've hit your 5-hour limit") {
		t.Errorf("claude -p at the limit: %+v", got)
	}
}

func TestStdioAsksTheHost(t *testing.T) {
	t.Parallel()
	r := rig.New(t, rig.Options{})
	call := fakeapi.Bash("touch made-by-claude")
	r.API.On("touch it", fakeapi.Use(call), fakeapi.Say("touched"))
	s := r.StartStdio(t)

	for range 2 { // warm: the same prompt again must not confuse the script
		s.Prompt(t, "touch it")
		ask := s.WaitAsk(t)
		if ask.Request.ToolName != "Bash" {
			t.Fatalf("asked for %s", ask.Raw)
		}
		s.Reply(t, ask, map[string]any{"behavior": "allow", "updatedInput": ask.Request.Input})
		s.WaitResult(t)
	}

	if _, err := os.Stat(filepath.Join(r.Dir, "made-by-claude")); err != nil {
		t.Error(err)
	}
}

// canary stands for the whole environment of the user who runs the tests.
const canary = "NOD_E2E_CANARY"

func TestMain(m *testing.M) {
	if err := os.Setenv(canary, "1"); err != nil { // here, because t.Setenv forbids parallel tests
		panic(err)
	}
	os.Exit(m.Run())
}

func TestNothingIsInherited(t *testing.T) {
	t.Parallel()
	starts := map[string]func(*rig.Rig){
		"print": func(r *rig.Rig) { r.RunPrint(t, "hello") },
		"stdio": func(r *rig.Rig) { s := r.StartStdio(t); s.Prompt(t, "hello"); s.WaitResult(t) },
		"tui":   func(r *rig.Rig) { s := r.StartTUI(t); s.Prompt(t, "hello"); s.WaitScreen(t, "ok") },
	}
	for name, start := range starts {
		out := filepath.Join(t.TempDir(), "names")
		start(rig.New(t, rig.Options{Settings: writeNamesOnPrompt(t, out)}))
		var names []byte
		rig.Until(t, name+": the names of an environment", func() bool { // a screen may show ok before the hook ran
			names, _ = os.ReadFile(out)
			return strings.Contains(string(names), "CLAUDE_CONFIG_DIR\n")
		}, func() string { return string(names) })
		if strings.Contains(string(names), canary) {
			t.Errorf("%s: environment of a session holds\n%s", name, names)
		}
	}
}

// writeNamesOnPrompt is a settings file whose hook writes the names, never the values, of its environment.
func writeNamesOnPrompt(t *testing.T, out string) []byte {
	hook := map[string]any{"type": "command", "command": "/bin/sh", "args": []string{"-c", "env | cut -d= -f1 > " + out}}
	settings, err := json.Marshal(map[string]any{"hooks": map[string]any{
		"UserPromptSubmit": []any{map[string]any{"hooks": []any{hook}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return settings
}
