package brain

import (
	"encoding/json"
	"testing"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/talk/scripted"
)

// A yes is for what was read out. If that was settled elsewhere meanwhile and another
// request is pending, that one is read out first.
func TestYesIsOnlyForWhatWasReadOut(t *testing.T) {
	g := newRig(t, func(_ *rig, turn *scripted.Turn) {
		for _, title := range []string{"first", "second"} {
			turn.Ask(nod.Request{ID: nod.RequestID(title + "-request"), Tool: "Bash", Title: title, Input: json.RawMessage(`{"command":"make"}`), OneTap: true})
		}
		turn.Reply("Done.")
	})
	asked := g.ask(`{"query":"build it"}`)
	if asked.Action != "first-request" {
		t.Fatalf("%+v", asked)
	}
	anna := g.Hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "phone", Rights: hubtest.All})
	if _, err := anna.Decide(t.Context(), "first-request", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	for e, err := range anna.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.RequestRaised && e.RequestID == "second-request" {
			break
		}
	}
	yes := `{"query":"yes","session_id":"` + string(asked.Session) + `","confirm_action":true}`
	if again := g.ask(yes); again.Action != "second-request" || again.Executed {
		t.Errorf("a yes for something else: %+v", again)
	}
	if r, err := anna.Request(t.Context(), "second-request"); err != nil || r.Status != nod.Pending {
		t.Fatalf("%+v, %v", r, err)
	}
	if done := g.ask(yes); done.Text != "Done." || !done.Executed {
		t.Errorf("now it was told: %+v", done)
	}
}
