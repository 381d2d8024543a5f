package brain

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/net/auth"
	"nod/internal/talk/scripted"
)

// If a button says yes and a voice says no at once, the no counts.
func TestSpokenNoOutweighsConfirmAction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		asked := g.ask(`{"query":"off lamp"}`)
		a := g.ask(`{"query":"No, don't!","session_id":"` + string(asked.Session) + `","confirm_action":true}`)
		if a.Executed || a.Cancelled == nil || !*a.Cancelled || a.Text != "Then it stays on." {
			t.Errorf("%+v", a)
		}
	})
}

// A client's name for its conversation is its own: two clients that both say "default"
// have two conversations.
func TestSessionNamesArePerClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		mine := g.ask(`{"query":"off lamp","session_id":"default"}`)
		other := g.token("television", auth.Paired)
		theirs := g.read(g.send("/ask", other, `{"query":"yes","session_id":"default"}`))
		if theirs.Session == mine.Session || theirs.Executed {
			t.Errorf("somebody else's yes: %+v", theirs)
		}
		if cancelled := g.read(g.send("/cancel", other, `{"session_id":"default"}`)); *cancelled.Cancelled {
			t.Errorf("somebody else's no: %+v", cancelled)
		}
		if again := g.ask(`{"query":"yes","session_id":"default"}`); again.Session != mine.Session || !again.Executed {
			t.Errorf("%+v", again)
		}
	})
}

// Two requests are pending and one of them was read out: the yes is for that one,
// whichever came later.
func TestYesIsForTheRequestThatWasReadOut(t *testing.T) {
	g := newRig(t, func(g *rig, turn *scripted.Turn) {
		turn.Hear()
		go turn.Ask(nod.Request{ID: "first-request", Tool: "Bash", Title: "make", Input: json.RawMessage(`{"command":"make"}`), OneTap: true})
		g.raised("first-request")
		turn.Ask(nod.Request{ID: "second-request", Tool: "Bash", Title: "date", Input: json.RawMessage(`{"command":"date"}`), OneTap: true})
		turn.Reply("Done.")
	})
	asked := g.ask(`{"query":"build it"}`)
	if asked.Action != "first-request" {
		t.Fatalf("%+v", asked)
	}
	g.raised("second-request")
	next := g.ask(`{"query":"yes","session_id":"` + string(asked.Session) + `"}`)
	if next.Action != "second-request" || next.Executed {
		t.Errorf("after the yes for the first: %+v", next)
	}
	r, err := g.Hub.Desk(nod.Actor{Rights: hubtest.All}).Request(t.Context(), "first-request")
	if err != nil || r.Status != nod.Decided {
		t.Errorf("the first: %+v, %v", r, err)
	}
	if done := g.ask(`{"query":"yes","session_id":"` + string(asked.Session) + `"}`); done.Text != "Done." || !done.Executed {
		t.Errorf("%+v", done)
	}
}

// A viewer can record in the log that a request was shown, under any name. That does not
// count as read out here.
func TestViewerCannotClaimThatItWasReadOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, assistant)
		asked := g.ask(`{"query":"off lamp","room":"kitchen"}`)
		g.elsewhere(nod.VerdictDeny)
		g.Hub.Look(func(s *nod.State) {
			if len(s.PendingOf("")) != 0 {
				t.Fatal("something is still asked")
			}
		})
		desk := g.Hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "phone", Rights: hubtest.All})
		if _, err := desk.Say(t.Context(), nod.Message{ID: "message-9", Agent: asked.Session, Text: "off alarm"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		screen := g.Hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "screen", Via: "brain", Rights: nod.RightsOf(nod.View)})
		if err := screen.Shown(t.Context(), "request-2"); err != nil {
			t.Fatal(err)
		}
		if yes := g.ask(`{"query":"yes","room":"kitchen"}`); yes.Executed || yes.Action != "request-2" {
			t.Errorf("a yes for what nobody heard: %+v", yes)
		}
	})
}

// raised waits until a request is in the log.
func (g *rig) raised(id nod.RequestID) {
	g.Helper()
	g.Await(func(e *nod.Event) bool { return e.Kind == nod.RequestRaised && e.RequestID == id })
}
