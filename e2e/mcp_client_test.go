package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod/e2e/rig"
)

// mcpHeard is what an official client heard; see compat/mcp.mjs.
type mcpHeard struct {
	Server, Set, Context, Told, Answer, Structured, Missing, Unknown string
	Tools, Resources, Status, Errors                                 []string
	Schemas, Progress                                                bool
}

// Both generations of the official client, over both ways.
func TestOfficialClientsSpeakMCPWithNod(t *testing.T) {
	for _, generation := range []string{"1", "2"} {
		for _, way := range []string{"stdio", "http"} {
			t.Run(way+" "+generation, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, rig.Options{})
				args := []string{generation, way, binary}
				if way == "http" {
					args = []string{generation, way, w.url + "/mcp", strings.TrimSpace(w.ok(t, "token", "create", "--name", "compat", "--rights", "raise"))}
				}
				heard := w.officialClient(t, args...)
				heard.check(t)
			})
		}
	}
}

func (w *world) officialClient(t *testing.T, args ...string) (heard mcpHeard) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("node_modules", "@modelcontextprotocol"))
	}
	if err != nil {
		if os.Getenv("NOD_E2E_REQUIRE") == "1" {
			t.Fatal(err)
		}
		t.Skip("the clients are not installed: run `npm ci` in e2e")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, append([]string{filepath.Join("compat", "mcp.mjs")}, args...)...)
	cmd.Env = w.env()
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s%s", out.String(), problems.String())
		}
	})
	r := w.one(t)
	w.ok(t, "answer", string(r.ID), "Yes")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &heard); err != nil {
		t.Fatal(err)
	}
	return heard
}

func (h mcpHeard) check(t *testing.T) {
	t.Helper()
	tools := []string{"ask_person", "get_decisions", "get_keyboard_status", "notify_person", "permission", "set_keyboard_buttons", "show_progress", "update_keyboard_context"}
	if !slices.Equal(h.Tools, tools) || !h.Schemas {
		t.Errorf("the tools are %q, with schemas %v", h.Tools, h.Schemas)
	}
	if !slices.Equal(h.Resources, []string{"tkeyboard://context", "tkeyboard://status"}) || h.Context != "custom" {
		t.Errorf("the resources are %q, and the context is %q", h.Resources, h.Context)
	}
	if buttons := []string{"Go", "Wait", "More", "Help"}; !slices.Equal(h.Status, buttons) || !strings.Contains(h.Set, "Go") {
		t.Errorf("the keys are %q after %q", h.Status, h.Set)
	}
	if h.Answer != "The person answered: Yes" || h.Structured != "Yes" || !h.Progress {
		t.Errorf("the answer is %q, %q, with progress %v", h.Answer, h.Structured, h.Progress)
	}
	if h.Server != "nod" && h.Server != "tkeyboard" || h.Told == "" || h.Missing == "none" || h.Unknown == "none" || len(h.Errors) > 0 {
		t.Errorf("%+v", h)
	}
}
