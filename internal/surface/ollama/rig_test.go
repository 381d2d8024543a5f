package ollama

import (
	"testing"
	"time"

	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/talk"
	"nod/internal/talk/doortest"
)

func newRig(t *testing.T, change func(*talk.ChatOptions)) *doortest.Rig {
	t.Helper()
	return doortest.New(t, "Home Assistant", change, func(h *hub.Hub, chats *talk.Chats, now time.Time) []httpd.Route {
		return Routes(Options{Hub: h, Chats: chats, Version: "1.2.3", Started: now, Now: func() time.Time { return now }})
	})
}
