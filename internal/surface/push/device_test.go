package push

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	wire "nod/internal/net/push"
)

func waiting(ids ...string) *hub.PendingList {
	state := nod.NewState()
	for _, id := range ids {
		r := request(id)
		r.Status = nod.Pending
		state.Requests[r.ID] = &r
	}
	list := hub.NewPendingList(nil)
	list.Reset(&state)
	return list
}

func TestNothingIsTakenBackBeforeTheLogWasRead(t *testing.T) {
	d := newDevice(wire.Subscriber{Notify: wire.WaitingOnly, Told: []string{"r1"}}, func() {})
	if todo, _, ok := d.next(hub.NewPendingList(nil), time.Now()); ok {
		t.Errorf("%+v: nobody knows yet whether it waits", todo)
	}
	if todo, _, _ := d.next(waiting(), time.Now()); todo.settled != "r1" {
		t.Errorf("%+v, want r1 settled", todo)
	}
}

func TestSettledComesFirstThenTheOldest(t *testing.T) {
	d := newDevice(wire.Subscriber{Notify: wire.All, Told: []string{"r2", "gone", "gone too"}}, func() {})
	d.hear(news{agent: &nod.Agent{ID: "a"}, seq: 1, at: time.Now()})
	b := waiting("r1", "r2", "r3")
	for _, want := range []string{"settled gone", "settled gone too", "request r1", "request r3", "news 1"} {
		todo, _, ok := d.next(b, time.Now())
		got := fmt.Sprint("settled ", todo.settled)
		if todo.request != nil {
			got = fmt.Sprint("request ", todo.request.ID)
		} else if todo.news != nil {
			got = fmt.Sprint("news ", todo.news.seq)
		}
		if !ok || got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		d.done(todo, true)
	}
	if todo, wait, ok := d.next(b, time.Now()); ok || wait != 0 {
		t.Errorf("%+v, %v: there is nothing left", todo, wait)
	}
}

func TestNewsDoNotPileUp(t *testing.T) {
	d := newDevice(wire.Subscriber{Notify: wire.All}, func() {})
	now := time.Now()
	for i := range 100 {
		d.hear(news{agent: &nod.Agent{ID: nod.AgentID(fmt.Sprint(i % 20))}, seq: nod.Seq(i), at: now})
	}
	if len(d.news) != maxNews || d.news[maxNews-1].seq != 99 {
		t.Errorf("%d news, the last is %d", len(d.news), d.news[len(d.news)-1].seq)
	}
	if _, _, ok := d.next(waiting(), now.Add(newsLife+time.Second)); ok {
		t.Error("old news were told")
	}
}

func TestRefusedRequestsAreDroppedOnceSettled(t *testing.T) {
	d := newDevice(wire.Subscriber{Notify: wire.WaitingOnly}, func() {})
	b := waiting("r1", "r2")
	for range 2 {
		todo, _, _ := d.next(b, time.Now())
		d.done(todo, false)
	}
	b.Event(&nod.Event{Kind: nod.RequestExpired, RequestID: "r1"})
	d.prune(b)
	if _, ok := d.refused["r2"]; !ok || len(d.refused) != 1 {
		t.Errorf("given up: %v", d.refused)
	}
}

func TestReplacedBrowserGetsNothing(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		old := p.browser
		old.Answer(503, "", "Retry-After", "60")
		g.ask("r1")
		p.browser = g.far.Subscribe(p.settings().Key)
		p.wish("")
		p.wants("request r1")
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := len(old.Attempts()); n != 1 {
			t.Errorf("the old one was tried %d times", n)
		}
	})
}

func TestNewsOfQuietHoursAreDropped(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, `"notify":"all","quiet":{"from":"22:00","to":"00:10","zone":"UTC"}`)
		g.agent(nod.AgentWorking, nod.AgentError)
		time.Sleep(11 * time.Minute)
		p.wants()
		g.agent(nod.AgentWorking, nod.AgentError)
		p.wants("agent agent:agent-1")
	})
}

func TestTurnedOffAcrossARestart(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		g.ask("r1")
		p.wish(`"notify":"none"`)
		g.restart()
		p.wants("request r1")
		p.wish(`"notify":"waiting"`)
		synctest.Wait()
		p.wants("request r1", "request r1")
	})
}
