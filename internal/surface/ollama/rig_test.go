package ollama

import (
	"testing"

	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/talk"
	"nod/internal/talk/chattest"
)

func newRig(t *testing.T, change func(*talk.ChatOptions)) *chattest.Rig {
	t.Helper()
	return chattest.New(t, "Home Assistant", change, func(d adapter.Deps, chats *talk.Chats) []httpd.Route {
		return New(d, Needs{Chats: chats, Started: d.Now()}).Routes()
	})
}
