package relay

import (
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub"
)

// A room may make way for another one while one of its requests is being cancelled.
func TestARoomIsEvictedDuringACancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *options) { o.AnyKey, o.Rooms = true, 1 })
		id := g.create("key-number-one", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`)
		g.settle()
		rooms := g.surface.registry
		rooms.Lock()
		e, _ := rooms.find(id, keyRoom("key-number-one"))
		rooms.Unlock()
		g.create("key-number-two", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`)
		if err := g.surface.link.Report(t.Context(), hub.Withdraw(e.of, nod.Withdrawal{Reason: nod.WithdrawnTerminal})); err != nil {
			t.Fatal(err)
		}
		rooms.Lock()
		rooms.refresh(e)
		rooms.Unlock()
		if e.last.Status != nod.Withdrawn {
			t.Errorf("its call finds it %s", e.last.Status)
		}
		if w := g.send("GET", "/permission-request/"+id, "key-number-one", ""); w.Code != 404 {
			t.Errorf("the room is there again: %d %s", w.Code, w.Body)
		}
	})
}
