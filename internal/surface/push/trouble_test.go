package push

import (
	"strings"
	"testing"
	"time"
)

func TestDeadSubscriptionIsRemoved(t *testing.T) {
	for _, status := range []int{404, 410} {
		inBubble(t, func(g *rig) {
			p, other := g.pair(answering, ""), g.pair(answering, "")
			p.browser.Answer(status, "")
			g.ask("r1")
			g.ask("r2")
			if n := p.attempts(); n != 1 {
				t.Errorf("%d: tried %d times", status, n)
			}
			if p.settings().Subscribed || !other.settings().Subscribed {
				t.Errorf("%d: the wrong one was removed", status)
			}
			other.wants("request r1", "request r2")

			p.browser = g.far.Subscribe(p.settings().Key) // the page subscribes again
			p.wish("")
			p.wants("request r1", "request r2")
		})
	}
}

func TestBusyPushServiceIsLeftAlone(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		p.browser.Answer(429, "slow down", "Retry-After", "300")
		g.ask("r1")
		g.ask("settled meanwhile")
		g.deny("settled meanwhile")
		pass(5*time.Minute - time.Second)
		if n := p.attempts(); n != 1 {
			t.Errorf("tried %d times before it was time", n)
		}
		if !strings.Contains(p.settings().Problem, "keeps trying") {
			t.Errorf("the person hears %q", p.settings().Problem)
		}
		pass(time.Second)
		p.wants("request r1")
		if p.settings().Problem != "" {
			t.Error(p.settings().Problem)
		}
	})
}

func TestRetriesSlowDownAndNeverStop(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		for range 20 {
			p.browser.Answer(503, "", "Retry-After", "9999999")
		}
		g.ask("r1")
		for range 19 {
			pass(longestAsked)
		}
		if n := p.attempts(); n != 20 {
			t.Errorf("%d tries in 19 hours", n)
		}
		pass(longestAsked)
		p.wants("request r1")
		for range 3 {
			p.browser.Answer(500, "")
		}
		g.ask("r2")
		pass(firstPause + 2*firstPause) // after a success the back-off starts from the beginning
		if n := p.attempts(); n != 24 {
			t.Errorf("%d tries, want 24", n)
		}
		pass(4 * firstPause)
		p.wants("request r1", "request r2")
	})
}

func TestRefusedMessageIsNotRetried(t *testing.T) {
	inBubble(t, func(g *rig) {
		p := g.pair(answering, "")
		p.browser.Answer(403, "BadJwtToken\x1b[31m"+strings.Repeat("x", 1000))
		g.ask("r1")
		pass(time.Hour)
		if n := p.attempts(); n != 1 {
			t.Errorf("tried %d times", n)
		}
		if text := g.Logs.String(); !strings.Contains(text, "BadJwtToken⟨ESC⟩") || strings.Contains(text, strings.Repeat("x", 200)) || strings.Contains(text, p.browser.Endpoint) {
			t.Errorf("the log says\n%s", text)
		}
		if !strings.Contains(p.settings().Problem, "refuses") {
			t.Errorf("the person hears %q", p.settings().Problem)
		}
		g.deny("r1") // it never arrived, so there is nothing to take back
		g.ask("r2")
		p.wants("request r2")
	})
}

func TestSlowPushServiceDelaysNoOther(t *testing.T) {
	inBubble(t, func(g *rig) {
		slow, quick := g.pair(answering, ""), g.pair(answering, "")
		release := slow.browser.Hold()
		g.ask("r1")
		g.ask("r2")
		quick.wants("request r1", "request r2")
		slow.wants()
		g.deny("r2")
		release()
		slow.wants("request r1")
		quick.wants("request r1", "request r2", "settled r2")
	})
}
