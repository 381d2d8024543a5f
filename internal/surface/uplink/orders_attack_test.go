package uplink_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
	"nod/internal/hub/hubtest"
	"nod/internal/hub/store/mem"
	"nod/internal/surface/uplink"
)

// scripted is a hub elsewhere with a list of orders, which accepts every report.
type scripted struct {
	dead
	orders  []nod.Event
	welcome wire.Welcome
	failed  []nod.Message
}

func (s *scripted) Hello(context.Context, wire.Hello) (wire.Welcome, error) {
	return s.welcome, nil
}

func (s *scripted) Tell(_ context.Context, f wire.Facts) (nod.Seq, error) {
	s.failed, s.welcome.Heard = append(s.failed, f.Failed...), f.Upto
	return f.Upto, nil
}

func (s *scripted) Orders(ctx context.Context, after nod.Seq, take func(nod.Event) error) error {
	for _, e := range s.orders {
		if e.Seq > after {
			if err := take(e); err != nil {
				return err
			}
		}
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

func (s *scripted) Draft(context.Context, wire.Drafts) ([]nod.AgentID, error) { return nil, nil }

// full is a disk that is full when an event of some kind comes for the first time.
type full struct {
	*mem.Store
	once map[nod.EventKind]bool
}

func (f *full) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	for _, e := range es {
		if f.once[e.Kind] {
			delete(f.once, e.Kind)
			return nod.Errorf(nod.Unavailable, "the disk is full")
		}
	}
	return f.Store.Append(ctx, after, es)
}

// What was ordered while the disk here was full is done once when it has room again.
func TestUnrecordedOrderIsRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &full{Store: mem.New(), once: map[nod.EventKind]bool{}}
		p := &pair{Rig: hubtest.New(t, hubtest.Options{Store: store, Settle: synctest.Wait})}
		p.agent("agent-1")
		p.ask("agent-1", "request-1")
		for _, kind := range []nod.EventKind{nod.RequestDecided, nod.MessageSaid, nod.StopPressed} {
			store.once[kind] = true
		}
		anna := person("anna")
		far := &scripted{welcome: wire.Welcome{Head: 1, Decided: []nod.Request{{ID: "request-9"}}}, orders: []nod.Event{
			{Seq: 2, Kind: nod.RequestDecided, RequestID: "request-1", AgentID: "agent-1", By: &anna, Decision: &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, By: "anna", Via: "web"}},
			{Seq: 3, Kind: nod.MessageSaid, AgentID: "agent-1", By: &anna, Message: &nod.Message{ID: "message-1", Agent: "agent-1", Text: "hello"}},
			{Seq: 4, Kind: nod.StopPressed, AgentID: "agent-1", By: &anna},
		}}
		p.Run(uplink.New(uplink.Config{Hub: "there"}, deps(p.Hub, t.TempDir()), uplink.Needs{Far: far, Newer: far}).Run)
		time.Sleep(time.Minute)
		synctest.Wait()
		p.Hub.Look(func(s *nod.State) {
			if r := s.Requests["request-1"]; r.Status != nod.Decided {
				t.Errorf("the request is %s", r.Status)
			}
			if m := s.Messages["message-1"]; m == nil || !strings.HasPrefix(m.Problem, "stopped by") {
				t.Errorf("the words: %+v", m)
			}
		})
		events, err := store.Read(t.Context(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		count := map[nod.EventKind]int{}
		for _, e := range events {
			count[e.Kind]++
		}
		for _, kind := range []nod.EventKind{nod.RequestDecided, nod.MessageSaid, nod.StopPressed} {
			if count[kind] != 1 {
				t.Errorf("%s is %d times in the log", kind, count[kind])
			}
		}
		if len(far.failed) != 0 {
			t.Errorf("words that failed: %+v", far.failed)
		}
	})
}

// A report of many long failed messages is short.
func TestFailedMessagesAreReportedShortly(t *testing.T) {
	t.Parallel()
	near := hubtest.New(t, hubtest.Options{}).Hub
	anna, data := person("anna"), t.TempDir()
	far := &scripted{welcome: wire.Welcome{Head: 1}}
	for i := range 20 {
		id := nod.MessageID("message-" + strings.Repeat("1", i+1))
		far.orders = append(far.orders, nod.Event{Seq: nod.Seq(i + 2), Kind: nod.MessageSaid, AgentID: "nobody", By: &anna, Message: &nod.Message{ID: id, Agent: "nobody", Text: strings.Repeat("x", 90_000)}})
	}
	ctx, stop := context.WithCancel(t.Context())
	u := uplink.New(uplink.Config{Hub: "there"}, deps(near, data), uplink.Needs{Far: &mute{far, stop}, Newer: far})
	u.Run(ctx)
	body, err := os.ReadFile(filepath.Join(data, "link.json"))
	var notes struct {
		Errands []struct{ Message nod.Message }
	}
	if err := json.Unmarshal(body, &notes); err != nil || len(notes.Errands) != 20 {
		t.Fatalf("%d errands, %v", len(notes.Errands), err)
	}
	if err != nil || len(body) > 20_000 || notes.Errands[0].Message.Problem == "" {
		t.Errorf("%d bytes, %v", len(body), err)
	}
}

// mute accepts no report, and ends when its orders are given.
type mute struct {
	*scripted
	stop func()
}

func (m *mute) Tell(ctx context.Context, _ wire.Facts) (nod.Seq, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func (m *mute) Orders(_ context.Context, after nod.Seq, take func(nod.Event) error) error {
	for _, e := range m.orders {
		if err := take(e); err != nil {
			return err
		}
	}
	m.stop()
	return nil
}
