package brain

import (
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
)

// die does what the real driver does after kill -9: of the program, or of the hub. Then
// the request is withdrawn and the turn has no answer; after a restart the surface does
// not remember either what it has read out.
func (g *rig) die(session nod.AgentID, why nod.Trouble) {
	g.Helper()
	var to nod.MessageID
	g.Hub.Look(func(s *nod.State) {
		for id, m := range s.Messages {
			if m.Agent == session {
				to = id
			}
		}
	})
	g.Report(hub.WithdrawAll(session, nod.Withdrawal{Reason: nod.WithdrawnLost}), hub.Said(nod.Turn{Agent: session, Role: nod.TurnSystem, Text: "It died.", To: to, Trouble: why}))
	if why == nod.TroubleRestart {
		g.web.Serve(New(Config{Wait: 1 << 36, Context: 1 << 38, Rate: 100}, adapter.Deps{Deps: g.Deps()}).Routes()...)
	}
}

func TestPermissionThatDiedSaysWhy(t *testing.T) {
	for name, tt := range map[string]struct {
		why       nod.Trouble
		yes, text string
	}{
		"the program":     {nod.TroubleCrash, `{"query":"yes","room":"hall","confirm_action":true}`, "That was not done. Claude stopped in the middle. Ask again."},
		"the hub":         {nod.TroubleRestart, `{"query":"yes","room":"hall"}`, "That was not done. nod was started anew in the middle. Ask again."},
		"the hub, polish": {nod.TroubleRestart, `{"query":"tak","room":"hall","language":"pl","confirm_action":true}`, "Nie zrobiono tego. nod został w trakcie uruchomiony ponownie. Zapytaj jeszcze raz."},
		"a no":            {nod.TroubleCrash, `{"query":"いいえ","room":"hall","language":"ja"}`, "それは実行されていません。Claude が途中で止まりました。もう一度聞いてください。"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t, assistant, func(c *Config) { c.Rate = 100 })
				asked := g.ask(`{"query":"off lamp","room":"hall"}`)
				if !asked.Permission {
					t.Fatalf("%+v", asked)
				}
				g.die(asked.Session, tt.why)
				synctest.Wait()
				if got := g.ask(tt.yes); got.Text != tt.text || got.Error != string(tt.why) || got.Executed {
					t.Errorf("%+v", got)
				}
				if len(g.heard) != 1 {
					t.Errorf("the model got %q", g.heard[len(g.heard)-1].Text)
				}
				time.Sleep(time.Second)
				g.ask(`{"query":"say hello","room":"hall"}`)
				if got := g.ask(`{"query":"yes","room":"hall"}`); got.Text != "You said: yes." {
					t.Errorf("a yes to something else: %+v", got)
				}
			})
		})
	}
}
