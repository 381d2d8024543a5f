package demo

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
)

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: nod.RightsOf(nod.View, nod.Answering)}

// rig is a hub with the demo in a synctest bubble.
type rig struct {
	*testing.T
	hub  *hub.Hub
	desk hub.Desk
	end  context.CancelFunc
	over chan struct{} // the demo has ended
}

// play runs f with a demo. A goroutine that the demo leaves behind fails the
// test, because the bubble cannot close.
func play(t *testing.T, f func(s *rig)) { playWith(t, mem.New(), nil, f) }

func playWith(t *testing.T, store hub.Store, p hub.Policy, f func(s *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h, err := hub.Open(t.Context(), store, hub.Options{Policy: p})
		if err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		s := &rig{T: t, hub: h, desk: h.Desk(anna), end: end, over: make(chan struct{})}
		go func() {
			defer close(s.over)
			New(adapter.Deps{Deps: hub.Deps{Hub: h}}).Run(ctx)
		}()
		defer func() {
			end()
			<-s.over
			if err := h.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}()
		f(s)
	})
}

// after lets time pass and everybody come to rest.
func (s *rig) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *rig) waiting() []*nod.Request {
	s.Helper()
	snap, err := s.desk.Snapshot(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return snap.Requests
}

// agent finds the agent of this run that plays a role.
func (s *rig) agent(role string) (found nod.Agent) {
	s.hub.Look(func(st *nod.State) {
		for _, a := range st.Agents {
			if a.Alive() && strings.HasPrefix(a.Name, role+" ") {
				found = *a
			}
		}
	})
	if found.ID == "" {
		s.Helper()
		s.Fatalf("there is no agent %q", role)
	}
	return found
}

// request waits for a request whose title holds a text, answering nothing else.
func (s *rig) request(title string) *nod.Request {
	s.Helper()
	for range 300 {
		for _, r := range s.waiting() {
			if strings.Contains(r.Title, title) {
				return r
			}
		}
		s.after(time.Second)
	}
	s.Fatalf("nobody asked for %q", title)
	return nil
}

func (s *rig) decide(r *nod.Request, a nod.Answer) {
	s.Helper()
	if _, err := s.desk.Decide(s.Context(), r.ID, a); err != nil {
		s.Fatalf("%s: %v", r.Title, err)
	}
}

// now is a request as it is now.
func (s *rig) now(r *nod.Request) *nod.Request {
	s.Helper()
	found, err := s.desk.Request(s.Context(), r.ID)
	if err != nil {
		s.Fatal(err)
	}
	return found
}

// log is everything that happened.
func (s *rig) log() []nod.Event {
	s.Helper()
	var all []nod.Event
	for {
		page, err := s.desk.Log(s.Context(), nod.Seq(len(all)), 500)
		if err != nil {
			s.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

// said counts an agent's turns in a role that hold a text.
func (s *rig) said(id nod.AgentID, role nod.Role, text string) (n int) {
	s.Helper()
	for _, e := range s.log() {
		if e.Kind == nod.TurnTaken && e.AgentID == id && e.Turn.Role == role && strings.Contains(e.Turn.Text, text) {
			n++
		}
	}
	return n
}

func (s *rig) mustSay(id nod.AgentID, role nod.Role, text string) {
	s.Helper()
	if s.said(id, role, text) == 0 {
		for _, e := range s.log() {
			if e.Kind == nod.TurnTaken && e.AgentID == id {
				s.Logf("%s: %s", e.Turn.Role, e.Turn.Text)
			}
		}
		s.Errorf("no turn of %s by %s says %q", id, role, text)
	}
}

func steps(r *nod.Request) (list []nod.Step) {
	for _, x := range r.Receipts {
		list = append(list, x.Step)
	}
	return list
}
