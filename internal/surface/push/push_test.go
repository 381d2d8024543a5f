package push

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

var answering = nod.RightsOf(nod.View, nod.Answering)

func TestNotificationIsSentOnceAndTakenBack(t *testing.T) {
	inBubble(t, func(g *rig) {
		p, other := g.pair(answering, ""), g.pair(answering, "")
		g.ask("r1")
		want := Payload{
			Type: "request", ID: "r1", Title: "garden needs you", Body: "read · Bash: ls", Agent: "agent-1",
			OneTap: true, Allow: "Allow", Deny: "Deny", Seq: 2,
		}
		for _, one := range []*phone{p, other} {
			if got := one.got(); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
				t.Fatalf("told %+v, want %+v", got, want)
			}
		}
		g.agent(nod.AgentWorking, nod.AgentIdle) // this device wants no news
		time.Sleep(time.Hour)
		p.wants("request r1")
		g.deny("r1")
		p.wants("request r1", "settled r1")
		asked, settled := p.browser.Received()[0], p.browser.Received()[1]
		if asked.Topic != settled.Topic || asked.TTL != 7*24*3600 || settled.TTL != 600 || asked.Urgency != "high" || settled.Urgency != "normal" {
			t.Errorf("asked %+v\nsettled %+v", asked, settled)
		}
		if g.ask("r2"); p.browser.Received()[2].Topic == asked.Topic {
			t.Error("another request would take the first one's place")
		}
	})
}

func TestOfflinePhoneGetsOnlyWhatStillMatters(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		p.browser.Sleep()
		g.ask("r1")
		g.ask("r2")
		g.deny("r1")
		p.browser.Wake()
		p.wants("request r2", "settled r1")
	})
}

func TestMessageExpiresWithItsRequest(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		r, end := request("r1"), time.Now().Add(90*time.Second)
		r.ExpiresAt = &end
		g.Ask(r)
		if ttl := p.browser.Received()[0].TTL; ttl != 90 {
			t.Errorf("TTL %d", ttl)
		}
		time.Sleep(2 * time.Minute)
		p.wants("request r1", "settled r1")
	})
}

var allowReads = hubtest.Judge(func(r *nod.Request, _ []*nod.Lease) hub.Judgement {
	if r.Title == "Bash: ls" {
		return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "reads"}
	}
	return hub.Judgement{Risk: &nod.Risk{Level: "write"}}
})

func TestRequestsDecidedByARuleAreNotSent(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		g.Options.Policy = allowReads
		g.restart()
		for i := range 20 {
			g.ask(fmt.Sprint("read", i))
		}
		r := request("write")
		r.Title = "Bash: make"
		g.Ask(r)
		p.wants("request write")
	})
}

func TestARestartNeitherForgetsNorRepeats(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		g.ask("told")
		g.ask("answered meanwhile")
		p.wants("request told", "request answered meanwhile")
		key := p.settings().Key
		g.Stop()
		g.deny("answered meanwhile")
		g.ask("asked meanwhile")
		g.restart()
		p.wants("request told", "request answered meanwhile", "settled answered meanwhile", "request asked meanwhile")
		if p.settings().Key != key {
			t.Error("another key: every browser would have to subscribe again")
		}
	})
}

func TestNewSubscriberGetsWhatIsPending(t *testing.T) {
	inBubble(t, func(g *rig) {
		g.ask("r1")
		g.ask("r2")
		g.deny("r1")
		g.pair(answering, "").wants("request r2")
	})
}

func TestQuietHours(t *testing.T) {
	inBubble(t, func(g *rig) { // it is midnight in London
		p := g.pair(answering, `"notify":"all"`)
		g.ask("before")
		p.wants("request before")
		p.wish(`"notify":"all","quiet":{"from":"22:00","to":"07:00","zone":"Europe/London"}`)
		g.ask("answered at night")
		g.ask("waits till morning")
		g.agent(nod.AgentWorking, nod.AgentError)
		time.Sleep(time.Hour)
		g.deny("answered at night")
		g.deny("before")
		time.Sleep(6*time.Hour - time.Second)
		p.wants("request before")
		time.Sleep(time.Second)
		p.wants("request before", "settled before", "request waits till morning")
		time.Sleep(15 * time.Hour) // the next evening
		g.ask("evening")
		p.wants("request before", "settled before", "request waits till morning")
		if w := p.send("POST", "/v1/push/test", ""); w.Code != 204 {
			t.Errorf("a test at night: %d", w.Code)
		}
		p.wish(`"notify":"all"`)
		p.wants("request before", "settled before", "request waits till morning", "test test", "request evening")
	})
}

func TestNotifySettings(t *testing.T) {
	inBubble(t, func(g *rig) {
		everything, waiting, nothing := g.pair(answering, `"notify":"all"`), g.pair(answering, `"notify":"waiting"`), g.pair(answering, `"notify":"none"`)
		g.ask("r1")
		g.deny("r1")
		g.agent(nod.AgentIdle) // it is new, and has done nothing yet
		everything.wants("request r1", "settled r1")
		g.agent(nod.AgentWorking, nod.AgentIdle)
		g.agent(nod.AgentWorking, nod.AgentError)
		g.agent(nod.AgentLimited)
		g.agent(nod.AgentWorking)
		g.agent(nod.AgentIdle, nod.AgentEnded) // closed by its person after it was done
		waiting.wants("request r1", "settled r1")
		nothing.wants()
		got := everything.got()
		want := []string{"garden is done: Water the tomatoes", "garden failed: API error 529", "garden has reached its limit: Water the tomatoes"}
		if len(got) < 5 {
			t.Fatalf("%+v", got)
		}
		for i, one := range want {
			m := got[2+i]
			if m.Title+": "+m.Body != one || m.Type != "agent" || m.Agent != "agent-1" || m.OneTap {
				t.Errorf("%+v, want %q", m, one)
			}
		}
	})
}

func TestTurnedOffAndOnAgain(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		g.ask("r1")
		g.ask("r2")
		p.wish(`"notify":"none"`)
		g.deny("r1")
		g.ask("r3")
		p.wants("request r1", "request r2")
		p.wish(`"notify":"waiting"`)
		p.wants("request r1", "request r2", "request r2", "request r3")
	})
}

func TestManyRequestsDoNotFloodADevice(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		for i := range maxShown + 3 {
			g.ask(fmt.Sprint("r", i))
		}
		if n := len(p.got()); n != maxShown {
			t.Fatalf("%d notifications at once", n)
		}
		g.deny("r5")
		got := p.got()[maxShown:]
		if len(got) != 2 || got[0].ID != "r5" || got[1].ID != fmt.Sprint("r", maxShown) {
			t.Errorf("after one was settled: %+v", got)
		}
	})
}

func TestRevokedDeviceGetsNothingMore(t *testing.T) {
	inBubble(t, func(g *rig) {
		p, other := g.pair(answering, ""), g.pair(answering, "")
		if err := g.web.Credentials.Revoke(t.Context(), p.id); err != nil {
			t.Fatal(err)
		}
		g.ask("r1")
		p.wants()
		other.wants("request r1")
		time.Sleep(lookAfter)
		synctest.Wait()
		if d := g.surface.attended(p.id); d != nil {
			t.Error("it is still attended to")
		}
	})
}

func TestExpiredDeviceGetsNothingMore(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		token, err := g.store.Get(t.Context(), p.id)
		if err != nil {
			t.Fatal(err)
		}
		soon := time.Now().Add(time.Second)
		token.Expires = &soon
		if err := g.store.Put(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		g.ask("r1")
		p.wants("request r1")
		time.Sleep(2 * time.Second)
		g.ask("r2")
		p.wants("request r1")
		if left, _ := g.store.Subscribers(t.Context()); len(left) != 0 {
			t.Errorf("%+v", left)
		}
	})
}

func TestBrowserThatIsPairedAgainGetsEachOnce(t *testing.T) {
	inBubble(t, func(g *rig) {
		before, after := g.pair(answering, ""), g.pair(answering, "")
		after.browser = before.browser
		after.wish("")
		g.ask("r1")
		after.wants("request r1")
	})
}

func TestStopIsQuick(t *testing.T) {
	inBubble(t, func(g *rig) {
		hanging, done := g.pair(answering, ""), g.pair(answering, "")
		hanging.browser.Hold()
		release := done.browser.Hold()
		g.ask("r1")
		began := time.Now()
		time.AfterFunc(drainTime/2, release)
		g.Stop()
		if took := time.Since(began); took > drainTime {
			t.Errorf("it took %v to end", took)
		}
		g.Close()
		list, _ := g.store.Subscribers(t.Context())
		for _, n := range list {
			if want := n.Token == done.id; (len(n.Told) == 1) != want {
				t.Errorf("%s was told %v", n.Token, n.Told)
			}
		}
		g.restart() // what hung is sent again, what arrived is not
		done.wants("request r1")
	})
}

func TestOneHostCannotTakeAllSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlots()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		taken := make(chan func(), 100)
		for range maxSendingHost + 5 {
			go func() {
				if free, ok := s.take(ctx, "slow"); ok {
					taken <- free
				}
			}()
		}
		synctest.Wait()
		if len(taken) != maxSendingHost {
			t.Errorf("%d places for one host", len(taken))
		}
		free, ok := s.take(ctx, "quick")
		if !ok {
			t.Fatal("no place for another host")
		}
		free()
		(<-taken)()
		synctest.Wait()
		if len(taken) != maxSendingHost {
			t.Error("a place that became free was not taken")
		}
		cancel()
		synctest.Wait()
		for len(taken) > 0 {
			(<-taken)()
		}
		if len(s.hosts) != 0 || len(s.all) != 0 {
			t.Errorf("left behind: %d hosts, %d places", len(s.hosts), len(s.all))
		}
	})
}
