//go:build full

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/e2e/fakeapi"
	"nod/e2e/homeassistant"
)

// The optional helpers in a real Home Assistant: an answer that is longer than a helper,
// a permission, and a no.
func TestHomeAssistantHelpers(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "")
	files := exampleFiles(t, w)
	text, err := os.ReadFile(filepath.Join(houseFiles, "packages/nod_helpers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files["packages/nod_helpers.yaml"] = string(text)
	h := homeassistant.Start(t, homeassistant.Options{Files: files})
	if problems := h.CheckConfig(t); problems != "" {
		t.Error(problems)
	}
	long := strings.Repeat("All windows of this house are closed and locked tonight. ", 6)
	w.API.OnContaining("is a window open", fakeapi.Say(long))
	h.Call(t, "script.claude_ask", map[string]any{"query": "is a window open"})
	kept := h.WaitFor(t, "input_text.claude_response", "the answer", func(s homeassistant.State) bool { return strings.HasPrefix(s.State, "All windows") })
	if n := len([]rune(kept.State)); n > 255 {
		t.Errorf("%d characters", n)
	}
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("The lamp stays on."))
	h.Call(t, "script.claude_ask", map[string]any{"query": "switch the lamp off"})
	h.WaitState(t, "input_boolean.claude_awaiting_confirmation", "on")
	h.WaitFor(t, "input_text.claude_pending_action", "what is asked", func(s homeassistant.State) bool { return strings.Contains(s.State, "kitchen lamp") })
	h.Call(t, "script.claude_cancel", nil)
	h.WaitState(t, "input_boolean.claude_awaiting_confirmation", "off")
	h.WaitFor(t, "sensor.claude_last_response", "the no", func(s homeassistant.State) bool { return s.State == "Cancelled." })
	if len(switched()) != 0 {
		t.Errorf("switched %v", switched())
	}
	noWarnings(t, h)
}
