package openai

import (
	"testing"
	"time"

	"nod/internal/converse"
	"nod/internal/converse/doortest"
	"nod/internal/httpd"
	"nod/internal/hub"
)

func newRig(t *testing.T, change func(*converse.ChatOptions)) *doortest.Rig {
	t.Helper()
	return doortest.New(t, "chat program", change, func(h *hub.Hub, chats *converse.Chats, now time.Time) []httpd.Route {
		return Routes(Options{Hub: h, Chats: chats, Started: now, Now: func() time.Time { return now }})
	})
}
