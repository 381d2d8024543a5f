package link

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/agent/link/wire"
)

// written is what a surface reads that comes now, and whether more comes.
func (d *rig) written(id nod.AgentID) (text string) {
	ctx, cancel := context.WithCancel(d.Context())
	defer cancel()
	by := nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: nod.RightsOf(nod.View)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for p := range d.hub.Desk(by).Drafts(ctx, id) {
			text += p.Text
		}
	}()
	synctest.Wait()
	cancel()
	<-done
	return text
}

func TestDraftsOfAHostAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newRig(t)
		d.agent("agent-laptop", "laptop")
		d.agent("agent-here", "")
		tell := func(body, again string) {
			t.Helper()
			if status, text := d.ask("POST", "/v1/link/drafts", "laptop", `{"drafts":[`+body+`]}`); status != 200 || text != `{"again":[`+again+`]}`+"\n" {
				t.Errorf("%s: %d %s", body, status, text)
			}
		}
		tell(`{"agent":"agent-laptop","message":"m1","at":4,"text":"late"}`, `"agent-laptop"`)
		tell(`{"agent":"agent-laptop","message":"m1","at":0,"text":"once "},{"agent":"agent-here","message":"m1","at":0,"text":"mine"},{"agent":"agent-laptop","message":"m1","at":-1,"text":"x"}`, ``)
		tell(`{"agent":"agent-laptop","message":"m1","at":5,"text":"upon a time"}`, ``)
		if got := d.written("agent-laptop"); got != "once upon a time" {
			t.Errorf("shown: %q", got)
		}
		if got := d.written("agent-here"); got != "" {
			t.Errorf("a link wrote for an agent of the hub: %q", got)
		}
		tell(`{"agent":"agent-laptop","message":"m1","at":16,"over":true}`, ``)
		if got := d.written("agent-laptop"); got != "" {
			t.Errorf("it is over, and shown: %q", got)
		}
	})
}

// A link that is gone cannot say that an answer is over.
func TestDraftEndsWhenItsHostIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newRig(t)
		d.agent("agent-laptop", "laptop")
		piece := `{"drafts":[{"agent":"agent-laptop","message":"m1","at":0,"text":"once"}]}`
		d.ask("POST", "/v1/link/drafts", "laptop", piece)
		wait(wire.DraftLife / 2)
		d.ask("POST", "/v1/link/drafts", "laptop", piece) // a sign of life
		wait(wire.DraftLife * 3 / 4)
		if got := d.written("agent-laptop"); got != "once" {
			t.Errorf("shown: %q", got)
		}
		wait(wire.DraftLife / 2)
		if got := d.written("agent-laptop"); got != "" {
			t.Errorf("shown for ever: %q", got)
		}
	})
}

// wait lets made-up time pass.
func wait(t time.Duration) { time.Sleep(t); synctest.Wait() }
