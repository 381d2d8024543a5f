package storetest

import (
	"reflect"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
)

// Closer is a store that outlives its process.
type Closer interface {
	hub.Store
	Close() error
}

// Durable checks that a store that was closed and opened again still has
// everything, and goes on where it was.
func Durable(t *testing.T, open func(t *testing.T, dir string) Closer) {
	dir := t.TempDir()
	var c Chain
	var all []nod.Event
	state := nod.NewState()
	for round := range 4 {
		s := open(t, dir)
		same(t, readAll(t, s, 50), all)
		if got, err := s.Load(t.Context()); err != nil || !reflect.DeepEqual(got, state) {
			t.Errorf("round %d: Load = %+v, %v; want %+v", round, got, err, state)
		}
		es := c.Mixed(t, 30)
		appendTo(t, s, es)
		all = append(all, es...)
		state.Seq, state.Hash, state.At = c.Seq, c.Hash, Dawn
		if err := s.Save(t.Context(), state); err != nil {
			t.Fatal(err)
		}
		if v, ok := s.(auth.TokenStore); ok && round == 0 {
			put(t, v, token("kept", Dawn))
		} else if ok {
			wantToken(t, v, token("kept", Dawn))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
