package entities

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/mqttd"
)

// asks is a rig with an agent that asks something harmless.
func asks(t *testing.T, change ...func(*options, *wire)) *rig {
	g := newRig(t, change...)
	g.agent("shop", nod.AgentWorking)
	g.ask(nod.Request{ID: "r1", Agent: nod.AgentRef{ID: "shop"}, Tool: "Bash", Title: "Bash: ls"})
	g.wire.took()
	return g
}

func TestWhoMayPress(t *testing.T) {
	external := func(trusted bool) func(*options, *wire) {
		return func(o *options, w *wire) { w.owned, o.Trusted = false, trusted }
	}
	for name, c := range map[string]struct {
		rights  nod.Rights
		change  func(*options, *wire)
		decided bool
		why     string
		warned  bool
	}{
		"a device that may answer":          {nod.RightsOf(nod.View, nod.Answering), nil, true, "", false},
		"a device that only looks":          {nod.RightsOf(nod.View), nil, false, "may not answer request r1", false},
		"nobody, on nod's own broker":       {0, nil, false, "may not answer request r1", false},
		"a broker without accounts":         {0, external(false), false, "does not know who publishes", true},
		"a broker that guards its accounts": {0, external(true), true, "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var change []func(*options, *wire)
			if c.change != nil {
				change = append(change, c.change)
			}
			g := asks(t, change...)
			g.by.Rights = c.rights
			g.press("shop", "allow", `{"request":"r1"}`)
			g.press("shop", "allow", `{"request":"r1"}`)
			status, decision := g.status("r1")
			why := strings.Join(refusals(g.wire.took()), " ")
			if (status == nod.Decided) != c.decided || !c.decided && !strings.Contains(why, c.why) {
				t.Errorf("%s: %s, %q", name, status, why)
			}
			if c.decided && decision.Via != via {
				t.Errorf("%s: %+v", name, decision)
			}
			if warnings := strings.Count(g.Logs.String(), "level=WARN"); warnings > 1 || c.warned != (warnings == 1) {
				t.Errorf("%s: the log says %s", name, g.Logs)
			}
		})
	}
}

func TestRefusalIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := asks(t)
		from, _ := g.Hub.Head()
		g.by = nod.Actor{Kind: nod.ActorDevice, Name: "a lamp", Rights: nod.RightsOf(nod.View)}
		g.press("shop", "allow", "PRESS")
		if e := g.Await(func(e *nod.Event) bool { return e.Seq > from }); e.Kind != nod.AccessRefused || e.By.Name != "a lamp" {
			t.Errorf("%+v", e)
		}
	})
}

// Retained orders are old, and malformed ones are ignored.
func TestInvalidOrdersAreIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := asks(t)
		g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/shop/allow/set", Payload: []byte("PRESS"), Retain: true, By: g.by})
		g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/shop/explode/set", Payload: []byte("PRESS"), By: g.by})
		g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/nobody/allow/set", Payload: []byte("PRESS"), By: g.by})
		g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/shop/prompt/set", Payload: make([]byte, mostCommand+1), By: g.by})
		g.wire.deliver(mqttd.Message{Topic: "nod/nod_desk/shop/prompt/set", Payload: []byte("  \n"), By: g.by})
		if status, _ := g.status("r1"); status != nod.Pending {
			t.Errorf("r1 is %s", status)
		}
		if got := g.wire.took(); len(got) != 0 {
			t.Errorf("published: %s", lines(got, false))
		}
	})
}

// Allow works only where a press is enough, even if a client publishes it.
func TestAllowNeedsMoreThanAPress(t *testing.T) {
	for name, r := range map[string]nod.Request{
		"destructive":       {Tool: "Wipe", Title: "rm -rf /"},
		"takes a passkey":   {Tool: "Pay", Title: "pay"},
		"must be read":      {Tool: "Long", Title: "x"},
		"longer than shown": {Tool: "Bash", Title: strings.Repeat("x", mostState+1)},
		"folded already":    {Tool: "Bash", Title: "echo ⟨… +900 …⟩ rm"},
		"a plan":            {Tool: "ExitPlanMode", Kind: nod.KindPlan, Title: "A plan", Options: []nod.Option{{ID: "default", Kind: nod.OptionMode}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t)
			g.agent("shop", nod.AgentWorking)
			r.ID, r.Agent = "r1", nod.AgentRef{ID: "shop"}
			g.ask(r)
			if state := g.stateOf("shop", g.wire.took()); state["allow"] != false || state["deny"] != true {
				t.Errorf("%s: %v", name, state)
			}
			g.press("shop", "allow", `{"request":"r1"}`)
			if status, _ := g.status("r1"); status != nod.Pending || len(refusals(g.wire.took())) != 1 {
				t.Errorf("%s: %s", name, status)
			}
			g.press("shop", "deny", `{"request":"r1"}`)
			if status, decision := g.status("r1"); status != nod.Decided || decision.Verdict != nod.VerdictDeny {
				t.Errorf("%s: %s", name, status)
			}
		})
	}
}

func TestPromptsReachTheAgentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.agent("shop", nod.AgentIdle)
		said := func() (list []string) {
			g.Hub.Look(func(s *nod.State) {
				for _, m := range s.MessagesTo("shop") {
					list = append(list, m.Text)
				}
			})
			slices.Sort(list)
			return list
		}
		g.press("shop", "prompt", "go on")
		g.press("shop", "notify", "go on") // delivered twice, as a broker may
		g.press("shop", "notify", `{"request":"x"}`)
		time.Sleep(repeatTime + time.Second)
		g.press("shop", "prompt", "go on")
		if got := said(); !slices.Equal(got, []string{"go on", "go on", `{"request":"x"}`}) {
			t.Errorf("%q", got)
		}
		g.Report(hub.Agent("shop", func(a *nod.Agent, _ time.Time) { a.Can = nil }))
		g.wire.took()
		g.press("shop", "prompt", "hello?")
		if why := refusals(g.wire.took()); len(why) != 1 || !strings.Contains(why[0], "not spoken to") {
			t.Errorf("%q", why)
		}
	})
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := asks(t)
		g.agent("barn", nod.AgentWorking)
		g.press("shop", "stop", "PRESS")
		stopping := func(id nod.AgentID) (yes bool) {
			g.Hub.Look(func(s *nod.State) { yes = s.Agents[id].Stopping != nil })
			return yes
		}
		if status, _ := g.status("r1"); status != nod.Decided || !stopping("shop") || stopping("barn") {
			t.Errorf("one: %s, %v, %v", status, stopping("shop"), stopping("barn"))
		}
		g.press("x_hub", "stop", "PRESS")
		if !stopping("barn") {
			t.Error("all: the barn is at work")
		}
	})
}

func TestPublishIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.wire.mu.Lock()
		g.wire.broken = true
		g.wire.mu.Unlock()
		g.agent("shop", nod.AgentIdle)
		time.Sleep(time.Minute)
		if got := g.wire.took(); slices.ContainsFunc(got, func(m mqttd.Message) bool { return strings.Contains(m.Topic, "shop") }) {
			t.Fatal("it was published")
		}
		g.wire.mu.Lock()
		g.wire.broken = false
		g.wire.mu.Unlock()
		time.Sleep(tryAgain + time.Second)
		if state := g.stateOf("shop", g.wire.took()); state["state"] != "idle" {
			t.Error(state)
		}
	})
}

// Home Assistant accepts only these names and lengths, and drops the rest with a
// warning.
func TestPayloadsFitHomeAssistant(t *testing.T) {
	ids := regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	nasty := []string{"{{ states }}", strings.Repeat("ł", 300), "a\x00b\u202ec", "☃", "", "x_hub", "x_", "../../etc", strings.Repeat("a", 65), "a+b", "a#b"}
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *options, _ *wire) { o.Content = contentFull })
		for i, name := range nasty {
			g.Report(hub.Agent(nod.AgentID(name+"!"), func(a *nod.Agent, now time.Time) {
				a.Kind, a.Name, a.Host, a.Cwd, a.Tool = "claude", name, name, name, name
				a.Enter(nod.AgentWorking, now)
			}))
			g.ask(nod.Request{ID: nod.RequestID(fmt.Sprint("q", i)), Agent: nod.AgentRef{ID: nod.AgentID(name + "!")}, Kind: nod.KindQuestion, Title: name + "?", Display: name,
				Questions: []nod.Question{{Text: "?", Choices: []nod.Choice{{Label: name + "1"}, {Label: strings.Repeat("x", 400) + "a"}, {Label: strings.Repeat("x", 400) + "b"}}}}})
		}
		seen := map[string]bool{}
		for _, m := range g.wire.took() {
			parts := strings.Split(m.Topic, "/")
			switch {
			case strings.HasSuffix(m.Topic, "/config"):
				if len(parts) != 5 || !ids.MatchString(parts[2]) || !ids.MatchString(parts[3]) {
					t.Errorf("topic %q", m.Topic)
				}
				checkConfig(t, m.Payload)
				seen[parts[3]] = true
			case m.Retain:
				t.Errorf("%s is retained", m.Topic)
			case strings.HasSuffix(m.Topic, "/state"):
				var state map[string]any
				if err := json.Unmarshal(m.Payload, &state); err != nil {
					t.Error(err)
				}
				for key, v := range state {
					if text, ok := v.(string); ok && utf8.RuneCountInString(text) > mostState {
						t.Errorf("%s has %d characters", key, utf8.RuneCountInString(text))
					}
				}
			}
		}
		if len(seen) != len(nasty)+1 {
			t.Errorf("%d devices for %d agents: %v", len(seen)-1, len(nasty), seen)
		}
	})
}

func checkConfig(t *testing.T, payload []byte) {
	t.Helper()
	var c struct {
		Device     struct{ Identifiers []string }
		Origin     struct{ Name string }
		Components map[string]struct {
			Platform string
			ID       string `json:"unique_id"`
			Options  []string
			State    string `json:"state_topic"`
			Command  string `json:"command_topic"`
		}
	}
	if err := json.Unmarshal(payload, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Device.Identifiers) != 1 || c.Origin.Name == "" || len(c.Components) < 4 {
		t.Errorf("%s", payload)
	}
	unique := map[string]bool{}
	for key, e := range c.Components {
		if e.Platform == "" || e.ID == "" || unique[e.ID] || e.State == "" && e.Command == "" {
			t.Errorf("%s: %+v", key, e)
		}
		unique[e.ID] = true
		if e.Command != "" && !strings.HasSuffix(e.Command, "/set") {
			t.Errorf("%s: nod's own broker lets nobody write to %s", key, e.Command)
		}
		labels := map[string]bool{}
		for _, o := range e.Options {
			if labels[o] || o == "" || utf8.RuneCountInString(o) > mostState {
				t.Errorf("%s: %q", key, o)
			}
			labels[o] = true
		}
	}
}

func TestDeviceLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		for i := range mostDevices + 5 {
			g.agent(fmt.Sprintf("agent-%03d", i), nod.AgentIdle)
		}
		g.wire.took()
		if n := len(g.wire.retained); n != mostDevices+1 {
			t.Errorf("%d announcements", n)
		}
	})
}

// Agents from before a restart are announced with what they said.
func TestStartAnnouncesExistingAgents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := asks(t)
		g.agent("barn", nod.AgentEnded)
		g.Report(hub.Said(nod.Turn{Agent: "shop", Role: nod.TurnAgent, Text: "Hello."}))
		g.Stop()
		g.wire.took()
		o := optionsOf(g.Rig, g.wire)
		g.Run(New(o.Config, o.Deps, o.Needs).Run)
		list := g.wire.took()
		state := g.stateOf("shop", list)
		if state["id"] != "r1" || state["answer"] != "Hello." || strings.Contains(lines(list, false), "barn") {
			t.Error(lines(list, false))
		}
		if strings.Contains(lines(list, false), "/event") {
			t.Error("what was asked before is told as news")
		}
	})
}

// While the broker is away the loop does not spin, and nothing is lost.
func TestLongBrokerOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := asks(t)
		g.wire.watch(false)
		synctest.Wait()
		g.agent("barn", nod.AgentIdle)
		g.agent("shop", nod.AgentEnded)
		time.Sleep(time.Hour) // of the bubble's own clock: a loop without a pause would never end here
		g.wire.took()
		g.wire.watch(true)
		list := g.wire.took()
		if state := g.stateOf("barn", list); state["state"] != "idle" {
			t.Error(state)
		}
		if body, ok := g.wire.retained["homeassistant/device/nod_desk/shop/config"]; !ok || len(body) != 0 {
			t.Errorf("the device of who has ended: %q", body)
		}
	})
}
