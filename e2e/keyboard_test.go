package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/surface/keyboard/board"
)

// A real Claude Code asks, the keys of a keyboard show what can be answered, and
// a press of one is the answer.
func TestAKeyAnswersClaudeCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash("touch pressed.txt") // what it would take more than a press to allow says "Open nod"
	w.API.On("press a key", fakeapi.Use(call), fakeapi.Say("thank you"))
	token := strings.TrimSpace(w.ok(t, "token", "create", "--name", "desk keys", "--rights", "view,answer"))
	host := strings.TrimPrefix(w.url, "http://")
	b := board.New(board.Options{
		Host: host, Images: w.url, Now: time.Now, Header: http.Header{"Authorization": {"Bearer " + token}},
	})
	if err := b.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Drop)
	s := w.StartTUI(t)
	s.Prompt(t, "press a key")
	r := w.one(t)
	yes := 0
	rig.Until(t, "a key that says Yes", func() bool {
		for i, screen := range b.Screens() {
			if screen.Words() == "Yes" {
				yes = i + 1
			}
		}
		return yes > 0
	}, func() string { return fmt.Sprintf("%+v %v %v", b.Screens(), b.Log(), b.Faults()) })
	// A key that has just changed answers nothing: it is pressed again, as a person would.
	rig.Until(t, "the answer of the key", func() bool {
		b.Press(yes)
		got, err := w.client.Request(t.Context(), string(r.ID))
		return err == nil && got.Settled()
	}, func() string { return fmt.Sprintf("%+v %v", b.Screens(), b.Faults()) })
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	if got := w.reached(t, r.ID, nod.StepApplied); got.Decision == nil || got.Decision.By != "desk keys" || got.Decision.Via != "keyboard" {
		t.Errorf("decided %+v", got.Decision)
	}
}
