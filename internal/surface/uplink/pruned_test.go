package uplink_test

import (
	"context"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/store/mem"
)

// pruned is a store without the beginning of its log.
type pruned struct{ *mem.Store }

func (p pruned) Read(ctx context.Context, after nod.Seq, limit int) ([]nod.Event, error) {
	if after == 0 {
		return nil, nod.Errorf(nod.Gone, "the log begins later")
	}
	return p.Store.Read(ctx, after, limit)
}

// A log that lost its beginning is still the same log: the link goes on where it was.
func TestThePastOfAMachineIsPruned(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.agent("agent-1")
	p.ask("agent-1", "request-1")
	p.until(p.far, "the request", status("request-1", nod.Pending))
	p.until(p.far, "that the host is here", func(s *nod.State) bool { return s.Hosts["laptop"].Up })
	p.stop()
	if err := p.near.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	near, err := hub.Open(t.Context(), pruned{p.store}, hub.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = near.Close(context.Background()) })
	p.near = near
	p.start()
	p.ask("agent-1", "request-2")
	p.until(p.far, "the next request", status("request-2", nod.Pending))
}
