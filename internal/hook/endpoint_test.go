package hook

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"nod/internal/agent/claude/wire"
)

func TestUnusualEnvironmentDoesNotLoseTheEvent(t *testing.T) {
	var got http.Header
	h := newFakeHub(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.WriteHeader(http.StatusNoContent)
	})
	h.run(stop, map[string]string{"TMUX_PANE": "%1\r\nNod-Ask: smuggled", "CLAUDE_CODE_ENTRYPOINT": "cli", "NOD_RUN": "/data/run/7.sock"})
	if got.Get(wire.HeaderEntry) != "cli" || got.Get(wire.HeaderRun) != "/data/run/7.sock" || got.Get(wire.HeaderPane) != "" || got.Get(wire.HeaderAsk) != "" {
		t.Errorf("the hub got %v", got)
	}
}

func TestHubThatRejectsALargeBody(t *testing.T) {
	h := newFakeHub(t, func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			t.Error("it fits")
		}
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	})
	big := strings.Replace(permission, "ls", strings.Repeat("x", 4<<20), 1)
	if out := h.run(big, nil); out != "" {
		t.Errorf("it wrote %q", out)
	}
	if len(h.asks) != 1 {
		t.Errorf("it asked %d times", len(h.asks))
	}
}
