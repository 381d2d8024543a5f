package sqlite

import (
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/storetest"
)

// FuzzStoredEvent puts arbitrary bytes where an event should be: the log may
// say that they are damaged, and never more than that.
func FuzzStoredEvent(f *testing.F) {
	var c storetest.Chain
	good := c.Next(f, nod.Event{Kind: nod.AgentChanged, AgentID: "a", Agent: &nod.Agent{ID: "a"}})
	f.Add(good.Body(), good.Hash[:], "agent.changed", "a", "")
	f.Add([]byte(`{"seq":1,"kind":"agent.changed"}`), []byte{}, "", "\xff", "r")
	f.Add([]byte(`{"seq":1e3,"at":"x"}`), good.Hash[:5], "turn.taken", "", "r")
	f.Add([]byte(`null`), make([]byte, 32), "k", "a", "r")
	s := quick(f, file(f))
	f.Fuzz(func(t *testing.T, body, hash []byte, kind, agent, request string) {
		if body == nil || hash == nil {
			body, hash = []byte{}, []byte{}
		}
		if _, err := s.writer.Exec(`INSERT OR REPLACE INTO events VALUES (1, ?, ?, ?, ?, ?);
			UPDATE head SET seq = 1, hash = ?5; INSERT OR REPLACE INTO state VALUES (1, 1, ?5, ?4)`, kind, agent, request, body, hash); err != nil {
			t.Skip(err)
		}
		_, _, verified := s.Verify(t.Context())
		es, err := s.Read(t.Context(), 0, 10)
		if verified == nil && (err != nil || len(es) != 1) {
			t.Errorf("it verifies, but cannot be read: %v", err)
		}
		if _, err := s.Load(t.Context()); err != nil {
			t.Error(err)
		}
		_, _ = s.Find(t.Context(), hub.Query{Agent: nod.AgentID(agent), Request: nod.RequestID(request), Prefix: true}, 0, 10)
	})
}
