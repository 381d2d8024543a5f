package notify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/notify"
)

const needs = "+garden needs you"

func TestLadderIsClimbedUntilAnswered(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		g.wants("desk at once", g.desk.got(), needs)
		pass(29 * time.Second)
		g.wants("phone after 29 s", g.phone.got(), "")
		pass(time.Second)
		g.wants("phone after 30 s", g.phone.got(), needs)
		g.wants("watch after 30 s", g.watch.got(), "")
		pass(30 * time.Second)
		g.wants("watch after 60 s", g.watch.got(), needs)
		g.decide("r1", nod.VerdictAllow)
		for name, p := range map[string]*place{"desk": g.desk, "phone": g.phone, "watch": &g.watch.place} {
			g.wants(name+" in the end", p.got(), "-Allowed by carol (api)")
		}
	})
}

func TestAnswerEndsTheLadder(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		pass(10 * time.Second)
		g.decide("r1", nod.VerdictDeny)
		pass(time.Hour)
		g.wants("desk", g.desk.got(), needs+", -Denied by carol (api)")
		g.wants("phone", g.phone.got()+g.watch.got(), "")
	})
}

func TestDeliveredNotificationIsAReceipt(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		r := g.status("r1")
		if got, ok := r.Receipt(nod.StepTold); !ok || got.By != "anna" || got.Via != "desktop" {
			t.Errorf("%+v", r.Receipts)
		}
	})
}

func TestQuietHoursAreSkippedAndCaughtUp(t *testing.T) {
	night := func(g *rig) { g.config.Person[0].Quiet, g.config.Zone = "23:00-07:00", "UTC" }
	inBubble(t, night, func(g *rig) { // it is midnight
		g.ask("r1", "garden")
		g.wants("bob at once", g.watch.got(), needs)
		g.wants("anna", g.desk.got()+g.phone.got(), "")
		pass(7*time.Hour - time.Second)
		g.wants("anna before seven", g.desk.got()+g.phone.got(), "")
		pass(time.Second)
		g.wants("anna at seven", g.desk.got(), needs)
	})
}

func TestNotificationIsTakenBackInQuietHours(t *testing.T) {
	night := func(g *rig) { g.config.Person[0].Quiet, g.config.Zone = "00:01-07:00", "UTC" }
	inBubble(t, night, func(g *rig) {
		g.ask("r1", "garden")
		g.wants("before the night", g.desk.got(), needs)
		pass(time.Hour)
		g.ask("r2", "other") // of another agent: it makes every channel compare again
		g.wants("at night", g.desk.got(), "")
		g.decide("r1", nod.VerdictAllow)
		g.wants("settled", g.desk.got(), "-Allowed by carol (api)")
	})
}

func TestOneNotificationPerAgentIsReplaced(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		pass(time.Minute)
		g.ask("r2", "garden", func(r *nod.Request) { r.Title = "Bash: pwd" })
		g.wants("two", g.desk.got(), needs+", "+needs)
		if n := g.desk.last(); g.desk.open() != 1 || n.Body != "read · Bash: ls\nand 1 more" || len(n.Buttons) != 0 {
			t.Errorf("%d notes, %+v", g.desk.open(), n)
		}
		g.decide("r1", nod.VerdictAllow)
		g.wants("one is left, without a sound", g.desk.got(), "~garden needs you")
		if n := g.desk.last(); n.Request != "r2" {
			t.Errorf("%+v", n)
		}
		g.decide("r2", nod.VerdictAllow)
		g.wants("none", g.desk.got(), "-Allowed by carol (api)")
	})
}

func TestChannelThatCannotReplaceGetsEachOnce(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.desk.stiff = true
		g.ask("r1", "garden")
		g.ask("r2", "garden")
		g.decide("r1", nod.VerdictAllow)
		g.decide("r2", nod.VerdictAllow)
		g.wants("desk", g.desk.got(), needs+", "+needs)
	})
}

func TestFiveInTenSecondsAreOneNotification(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		for i, id := range []string{"r1", "r2", "r3", "r4", "r5", "r6"} {
			g.ask(id, "agent"+string(rune('a'+i)))
			pass(time.Second)
		}
		got := g.desk.got()
		if !strings.Contains(got, "+5 requests wait for you") || strings.Contains(got, "agentf") || g.desk.open() != 1 {
			t.Errorf("%q, %d notes", got, g.desk.open())
		}
		pass(10 * time.Second)
		g.wants("the sixth, together with whatever came in ten seconds", g.desk.got(), "+6 requests wait for you")
		for _, id := range []string{"r1", "r2", "r3", "r4", "r5"} {
			g.decide(id, nod.VerdictAllow)
		}
		pass(time.Minute)
		if n := g.desk.last(); n.Kind != notify.Waiting || n.Request != "r6" || g.desk.open() != 1 {
			t.Errorf("the last of many: %+v, %d notes", n, g.desk.open())
		}
		g.desk.got()
		g.decide("r6", nod.VerdictAllow)
		g.wants("the end", g.desk.got(), "-Allowed by carol (api)")
	})
}

func TestRequestsDecidedByARuleAreNotSent(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.restart(func() { g.Options.Policy = yes })
		g.ask("r1", "garden")
		pass(time.Hour)
		g.wants("desk", g.desk.got()+g.phone.got()+g.watch.got(), "")
	})
}

var yes = hubtest.Judge(func(*nod.Request, []*nod.Lease) hub.Judgement {
	return hub.Judgement{Verdict: nod.VerdictAllow, Rule: "everything"}
})

func TestNewsGoToTheFirstChannelOfEachPerson(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.agent(nod.AgentWorking)
		pass(20 * time.Second)
		g.agent(nod.AgentIdle)
		g.wants("a short turn", g.desk.got(), "")
		g.agent(nod.AgentWorking)
		pass(40 * time.Second)
		g.Report(hub.Said(nod.Turn{Agent: "garden", Role: nod.TurnAgent, Text: "All tomatoes are wet.\nReally."}))
		g.agent(nod.AgentIdle)
		g.wants("a long one", g.desk.got(), "+garden is done")
		if n := g.desk.last(); n.Body != "All tomatoes are wet." {
			t.Errorf("%+v", n)
		}
		g.agent(nod.AgentWorking)
		until := time.Now().Add(time.Hour)
		g.agent(nod.AgentLimited, func(a *nod.Agent) { a.Until = &until })
		g.wants("limited", g.desk.got(), "+garden has reached its limit")
		pass(time.Hour - time.Second)
		g.wants("still limited", g.desk.got(), "")
		pass(time.Second)
		g.wants("over", g.desk.got(), "+garden can go on: the limit is over")
		g.agent(nod.AgentWorking)
		g.wants("that is no news", g.desk.got(), "")
		g.wants("bob", g.phone.got()+g.watch.got(), "")
		if g.desk.open() != 1 {
			t.Errorf("%d notes pile up", g.desk.open())
		}
	})
}

func TestNewsOfQuietHoursAreDropped(t *testing.T) {
	night := func(g *rig) { g.config.Person[0].Quiet, g.config.Zone = "23:00-07:00", "UTC" }
	inBubble(t, night, func(g *rig) {
		g.agent(nod.AgentWorking)
		pass(time.Hour)
		g.agent(nod.AgentError)
		pass(12 * time.Hour)
		g.wants("all night, and the morning after", g.desk.got(), "")
	})
}

func TestLinkIsSavedBeforeItIsSent(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		var kept string
		g.phone.fail(func(int) error {
			text, err := os.ReadFile(filepath.Join(g.data, "notify.json"))
			kept = string(text)
			return err
		})
		phoned(g)
		if strings.Count(kept, `"verdict":"allow"`) != 1 || strings.Contains(kept, g.phone.path(nod.VerdictAllow)[len("/n/"):]) {
			t.Errorf("kept: %s", kept)
		}
	})
}

func TestFailureIsRetriedAndDeadChannelReportedOnce(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.desk.fail(func(n int) error {
			if n <= 5 {
				return &notify.Failure{Outcome: notify.Later, Status: 503}
			}
			return nil
		})
		g.ask("r1", "garden")
		for i, wait := range []time.Duration{2, 4, 8} { // seconds, doubled
			if g.desk.attempts() != i+1 {
				t.Errorf("%d attempts, want %d", g.desk.attempts(), i+1)
			}
			pass(wait*time.Second - time.Millisecond)
			if g.desk.attempts() != i+1 {
				t.Errorf("too early: %d attempts", g.desk.attempts())
			}
			pass(time.Millisecond)
		}
		g.wants("the others, at the fourth failure", g.phone.got(), needs+", +Notes do not arrive on desk")
		g.wants("and bob", g.watch.got(), "+Notes do not arrive on desk")
		if h := g.surface.channels.states(printer("en"))[0]; h.State != "broken" || h.Name != "desk" || !strings.Contains(h.Problem, "keeps trying") {
			t.Errorf("%+v", h)
		}
		if err := g.surface.Health(); err == nil || !strings.Contains(nod.MessageOf(err), "do not arrive on desk: It cannot be reached") {
			t.Errorf("health: %v", err)
		}
		pass(16 * time.Second)
		g.wants("still dead, told once", g.phone.got(), "")
		pass(32 * time.Second)
		g.wants("at last", g.desk.got(), needs)
		g.wants("the others", g.phone.got(), "-Notes arrive on desk again")
		if h := g.surface.channels.states(printer("en"))[0]; h.State != "ok" || h.Shown != 1 || g.surface.Health() != nil {
			t.Errorf("%+v, %v", h, g.surface.Health())
		}
	})
}

func TestWrongTokenDelaysNoOther(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.desk.fail(func(int) error { return &notify.Failure{Outcome: notify.Broken, Status: 401} })
		g.ask("r1", "garden")
		g.wants("the next rung at once", g.phone.got(), needs+", +Notes do not arrive on desk")
		pass(15 * time.Minute)
		if g.desk.attempts() != 2 {
			t.Errorf("%d attempts in a quarter of an hour", g.desk.attempts())
		}
	})
}

func TestRefusedNotificationIsNotRetried(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.desk.fail(func(n int) error {
			if n == 1 {
				return &notify.Failure{Outcome: notify.Refused, Status: 400}
			}
			return nil
		})
		g.ask("r1", "garden")
		pass(time.Hour)
		g.ask("r2", "other")
		g.wants("the next one is fine", g.desk.got(), "+other needs you")
		if g.desk.attempts() != 2 {
			t.Errorf("%d attempts", g.desk.attempts())
		}
	})
}

func TestRestartRepeatsNothingAndTakesBackAll(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		g.ask("r2", "other")
		pass(30 * time.Second)
		g.desk.got()
		allow := g.phone.path(nod.VerdictAllow)
		g.phone.got()
		g.restart(func() {})
		pass(10 * time.Second)
		g.wants("after the restart", g.desk.got()+g.phone.got(), "")
		if w := g.send("POST", allow); w.Code != 200 || g.status("r2").Status != nod.Decided {
			t.Errorf("a link of before: %d %s", w.Code, w.Body)
		}
		g.wants("taken back", g.desk.got(), "-Allowed by anna (ntfy)")
	})
}

// A hub that lost its memory, or was killed before it could save what it sent, sends what
// is pending once more, under the same names: where a channel can replace a notification,
// it is not seen twice.
func TestAnotherHubUsesTheSameNames(t *testing.T) {
	inBubble(t, nil, func(g *rig) {
		g.ask("r1", "garden")
		before := g.desk.named()
		g.restart(func() {
			g.data = t.TempDir()
			pass(5 * time.Second)
		})
		if after := g.desk.named(); len(before) != 1 || before[0] == "agent:garden " || !slices.Equal(after, append(before, before...)) {
			t.Errorf("%q, then %q", before, after)
		}
		g.ask("r2", "garden")
		pass(time.Minute)
		if all := g.desk.named(); all[len(all)-1] == before[0] {
			t.Errorf("another request has the same name: %q", all)
		}
	})
}

func TestWithoutPeopleOnePersonHasAllChannels(t *testing.T) {
	inBubble(t, func(g *rig) { g.config.Person = nil }, func(g *rig) {
		phoned(g)
		pass(30 * time.Second)
		g.wants("in the order of the channels", g.desk.got()+g.phone.got()+g.watch.got(), needs+needs+needs)
		if w := g.send("POST", g.phone.path(nod.VerdictDeny)); w.Code != 200 || g.status("r1").Decision.By != "you" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestInvalidConfigurations(t *testing.T) {
	anna, desk := PersonConfig{Name: "anna"}, ChannelConfig{Name: "c", Kind: "desktop"}
	with := PersonConfig{Name: "anna", Channels: []string{"c"}}
	for want, c := range map[string]Config{
		`no such channel`:         {Person: []PersonConfig{with}},
		`anna's and bob's`:        {Person: []PersonConfig{with, {Name: "bob", Channels: []string{"c"}}}, Channel: []ChannelConfig{desk}},
		`nobody's`:                {Person: []PersonConfig{anna}, Channel: []ChannelConfig{desk}},
		`two channels`:            {Person: []PersonConfig{with}, Channel: []ChannelConfig{desk, desk}},
		`needs a name`:            {Person: []PersonConfig{{}}},
		`quiet hours of an`:       {Person: []PersonConfig{{Name: "anna", Quiet: "x-07:00"}}},
		`neither a person`:        {Person: []PersonConfig{anna}, Ladder: []StepConfig{{To: []string{"carol"}}}},
		`unknown kind "pigeon"`:   {Channel: []ChannelConfig{{Kind: "pigeon"}}},
		`"c" cannot read missing`: {Channel: []ChannelConfig{{Name: "c", Kind: "telegram", TokenFile: "missing"}}},
	} {
		c.Content = "short"
		if _, err := New(c, adapter.Deps{}, Needs{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
