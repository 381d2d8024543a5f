package claude

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
)

// oneProcess is a machine with one process of Claude Code.
type oneProcess struct{ dead, unknown atomic.Bool }

func (p *oneProcess) Claude(context.Context, int) (int, uint64, bool) {
	return 42, 7, !p.unknown.Load()
}
func (p *oneProcess) Alive(int, uint64) bool { return !p.dead.Load() }

type stage struct {
	*testing.T
	hub     *hub.Hub
	driver  *Driver
	process *oneProcess
	status  string
}

var anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

func newDriver(h *hub.Hub, p Processes) *Driver {
	var c Config
	c.Defaults()
	return New(c, adapter.Deps{Deps: hub.Deps{Hub: h, Now: time.Now}}, Needs{Processes: p})
}

// play runs a test in a bubble where time is made up.
func play(t *testing.T, f func(s *stage)) {
	status := filepath.Join(t.TempDir(), "42.json")
	synctest.Test(t, func(t *testing.T) {
		h, process := hubtest.New(t, hubtest.Options{}).Hub, &oneProcess{}
		f(&stage{t, h, newDriver(h, process), process, status})
		synctest.Wait()
	})
}

func (s *stage) tell(text string) {
	s.Helper()
	if err := s.driver.Observe(s.Context(), s.call("", text)); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) call(id, text string) Call {
	s.Helper()
	return Call{Payload: payload(s, text), Ask: nod.RequestID(id), Host: "desk", PID: 42, Local: true, Status: s.status}
}

func (s *stage) raise(id, text string) {
	s.Helper()
	if _, err := s.driver.Raise(s.Context(), s.call(id, text)); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) request(id string) *nod.Request {
	s.Helper()
	r, err := s.hub.Desk(anna).Request(s.Context(), nod.RequestID(id))
	if err != nil {
		s.Fatal(err)
	}
	return r
}

func (s *stage) decide(id string, a nod.Answer) {
	s.Helper()
	if _, err := s.hub.Desk(anna).Decide(s.Context(), nod.RequestID(id), a); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) agent() *nod.Agent { return onlyAgent(s.hub) }

func (s *stage) says(state string) {
	s.Helper()
	text := `{"sessionId":"s1","status":"` + state + `","waitingFor":"dialog open"}`
	if err := os.WriteFile(s.status, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

func event(name, more string) string {
	return `{"session_id":"s1","cwd":"/home/anna/proj","hook_event_name":"` + name + `"` + more + `}`
}

func bashCall(event_, id, command string) string {
	return event(event_, `,"tool_name":"Bash","tool_use_id":"`+id+`","tool_input":{"command":"`+command+`"}`)
}

func asks(command string) string {
	return event("PermissionRequest", `,"tool_name":"Bash","tool_input":{"command":"`+command+`"}`)
}

func TestHooksChangeTheAgentsState(t *testing.T) {
	play(t, func(s *stage) {
		for _, step := range []struct {
			text string
			want func(a *nod.Agent) bool
		}{
			{event("SessionStart", `,"source":"startup","model":"opus"`), func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Name == "proj" && a.Model == "opus" }},
			{event("UserPromptSubmit", `,"prompt":"fix it","permission_mode":"plan"`), func(a *nod.Agent) bool {
				return a.State == nod.AgentWorking && a.Prompt == "fix it" && a.Mode == "plan"
			}},
			{bashCall("PreToolUse", "t1", "go test"), func(a *nod.Agent) bool { return a.Tool == "Bash: go test" }},
			{bashCall("PostToolUse", "t1", "go test"), func(a *nod.Agent) bool { return a.Tool == "" && a.State == nod.AgentWorking }},
			{event("SubagentStart", `,"agent_id":"a1","agent_type":"Explore"`), func(a *nod.Agent) bool { return len(a.Subagents) == 1 && a.Subagents[0].Type == "Explore" }},
			{event("PreToolUse", `,"agent_id":"a1","tool_name":"Read","tool_use_id":"t2","tool_input":{"file_path":"/x"}`), func(a *nod.Agent) bool { return a.Tool == "" }},
			{event("SubagentStop", `,"agent_id":"a1"`), func(a *nod.Agent) bool { return len(a.Subagents) == 0 }},
			{event("PreCompact", `,"trigger":"auto"`), func(a *nod.Agent) bool { return a.Tool == "compacting" }},
			{event("PostCompact", ""), func(a *nod.Agent) bool { return a.Tool == "" }},
			{event("Stop", `,"last_assistant_message":"done"`), func(a *nod.Agent) bool { return a.State == nod.AgentIdle }},
			{event("StopFailure", `,"error":"server_error","last_assistant_message":"API Error: 529"`), func(a *nod.Agent) bool { return a.State == nod.AgentError && a.Problem == "API Error: 529" }},
			{event("StopFailure", `,"error":"rate_limit","last_assistant_message":"You've hit your 5-hour limit · resets 2:30am (UTC)"`), func(a *nod.Agent) bool {
				return a.State == nod.AgentLimited && a.Until != nil && a.Until.Minute() == 30
			}},
			{event("UserPromptSubmit", `,"prompt":"again"`), func(a *nod.Agent) bool { return a.State == nod.AgentWorking && a.Until == nil && a.Problem == "" }},
			{event("Notification", `,"notification_type":"permission_prompt","message":"Claude needs your permission"`), func(a *nod.Agent) bool { return a.NeedsYou != "" }},
			{event("SessionEnd", `,"reason":"prompt_input_exit"`), func(a *nod.Agent) bool { return a.State == nod.AgentEnded }},
			{event("SessionStart", `,"source":"resume"`), func(a *nod.Agent) bool { return a.State == nod.AgentIdle }},
		} {
			s.tell(step.text)
			synctest.Wait()
			if a := s.agent(); !step.want(a) {
				s.Errorf("after %s the agent is %+v", step.text, a)
			}
		}
	})
}

// Each line is what an answer in the terminal looks like from outside, and what becomes
// of the request.
func TestSignsOfAnAnswerInTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name    string
		sign    func(s *stage)
		reason  nod.WithdrawReason
		outcome string
	}{
		{"it ran", func(s *stage) { s.tell(bashCall("PostToolUse", "t1", "ls")) }, nod.WithdrawnTerminal, nod.WasAllowed},
		{"it ran and failed", func(s *stage) { s.tell(bashCall("PostToolUseFailure", "t1", "ls")) }, nod.WithdrawnTerminal, nod.WasAllowed},
		{"refused with words", func(s *stage) {
			s.tell(event("PostToolBatch", `,"tool_calls":[{"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"ls"},"tool_response":"The user said: no"}]`))
		}, nod.WithdrawnTerminal, nod.WasDenied},
		{"another call began", func(s *stage) { time.Sleep(2 * time.Second); s.tell(bashCall("PreToolUse", "t2", "pwd")) }, nod.WithdrawnTerminal, ""},
		{"the turn is over", func(s *stage) { s.tell(event("Stop", "")) }, nod.WithdrawnSuperseded, ""},
		{"the session is over", func(s *stage) { s.tell(event("SessionEnd", "")) }, nod.WithdrawnEnded, ""},
		{"the hook was told to end", func(s *stage) {
			_ = s.driver.HandleReport(s.Context(), "r1", wire.HookReport{Event: wire.Closed, Status: wire.BySignal})
		}, nod.WithdrawnTerminal, nod.WasDenied},
		{"the session is busy again", func(s *stage) {
			_ = s.driver.HandleReport(s.Context(), "r1", wire.HookReport{Event: wire.Closed, Status: "busy"})
		}, nod.WithdrawnTerminal, ""},
		{"the hook vanished", func(s *stage) {
			s.driver.Lost("r1", 5*time.Second, func() bool { return false })
			time.Sleep(6 * time.Second)
		}, nod.WithdrawnLost, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *stage) {
				s.tell(bashCall("PreToolUse", "t1", "ls"))
				s.raise("r1", asks("ls"))
				c.sign(s)
				synctest.Wait()
				r := s.request("r1")
				if r.Status != nod.Withdrawn || r.Withdrawal.Reason != c.reason || r.Withdrawal.Outcome != c.outcome {
					t.Errorf("%s %+v", r.Status, r.Withdrawal)
				}
			})
		})
	}
}

func TestOtherEventsChangeNothing(t *testing.T) {
	for name, sign := range map[string]func(s *stage){
		"another call that ran":     func(s *stage) { s.tell(bashCall("PostToolUse", "t9", "pwd")) },
		"the PreToolUse of a batch": func(s *stage) { s.tell(bashCall("PreToolUse", "t2", "pwd")) },
		"a subagent's call": func(s *stage) {
			time.Sleep(2 * time.Second)
			s.tell(event("PreToolUse", `,"agent_id":"a1","tool_name":"Bash","tool_use_id":"t3","tool_input":{"command":"ls"}`))
		},
		"a subagent's end": func(s *stage) { s.tell(event("SubagentStop", `,"agent_id":"a1"`)) },
		"a late reminder":  func(s *stage) { s.tell(event("Notification", `,"notification_type":"permission_prompt"`)) },
		"a queued prompt":  func(s *stage) { s.tell(event("UserPromptSubmit", `,"prompt":"and then"`)) },
		"a hook that came back in time": func(s *stage) {
			s.driver.Lost("r1", 5*time.Second, func() bool { return true })
			time.Sleep(6 * time.Second)
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *stage) {
				s.tell(bashCall("PreToolUse", "t1", "ls"))
				s.raise("r1", asks("ls"))
				sign(s)
				synctest.Wait()
				if r := s.request("r1"); r.Status != nod.Pending {
					t.Errorf("%s %+v", r.Status, r.Withdrawal)
				}
				if a := s.agent(); a.State != nod.AgentWaiting || a.NeedsYou != "" {
					t.Errorf("the agent is %s %q", a.State, a.NeedsYou)
				}
			})
		})
	}
}

func TestProofs(t *testing.T) {
	allow, deny := nod.Answer{Verdict: nod.VerdictAllow}, nod.Answer{Verdict: nod.VerdictDeny, Message: "no way"}
	batch := func(response string) string {
		return event("PostToolBatch", `,"tool_calls":[{"tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"ls"},"tool_response":"`+response+`"}]`)
	}
	for _, c := range []struct {
		name   string
		answer nod.Answer
		status string
		then   string
		want   nod.Step
	}{
		{"allowed and run", allow, "", bashCall("PostToolUse", "t1", "ls"), nod.StepApplied},
		{"allowed, and something else ran", allow, "", bashCall("PostToolUse", "t1", "rm"), nod.StepOverruled},
		{"allowed, refused in the terminal", allow, "", batch("The user does not want"), nod.StepOverruled},
		{"denied, and the model heard it", deny, "", batch("no way"), nod.StepApplied},
		{"denied, and it ran all the same", deny, "", bashCall("PostToolUse", "t1", "ls"), nod.StepOverruled},
		{"nothing follows", allow, "", "", nod.StepDoubted},
		{"still running", allow, "busy", "", nod.StepDelivered},
		{"stopped", nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, "idle", "", nod.StepApplied},
		{"not stopped", nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, "busy", "", nod.StepDoubted},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *stage) {
				if c.status != "" {
					s.says(c.status)
				}
				s.tell(bashCall("PreToolUse", "t1", "ls"))
				s.raise("r1", asks("ls"))
				s.decide("r1", c.answer)
				if err := s.driver.HandleReport(s.Context(), "r1", wire.HookReport{Event: wire.Delivered}); err != nil {
					t.Fatal(err)
				}
				if c.then != "" {
					s.tell(c.then)
				}
				time.Sleep(12 * time.Second)
				synctest.Wait()
				if got := s.request("r1").Step(); got != c.want {
					t.Errorf("%s, want %s", got, c.want)
				}
				if c.status == "busy" && c.want == nod.StepDelivered { // end the watch
					s.says("idle")
					time.Sleep(6 * time.Second)
				}
			})
		})
	}
}

func TestALateProofEndsTheDoubt(t *testing.T) {
	play(t, func(s *stage) {
		s.tell(bashCall("PreToolUse", "t1", "ls"))
		s.raise("r1", asks("ls"))
		s.decide("r1", nod.Answer{Verdict: nod.VerdictAllow})
		_ = s.driver.HandleReport(s.Context(), "r1", wire.HookReport{Event: wire.Delivered})
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := s.request("r1").Step(); got != nod.StepDoubted {
			t.Fatalf("after 6 s: %s", got)
		}
		s.tell(bashCall("PostToolUse", "t1", "ls"))
		synctest.Wait()
		if got := s.request("r1").Step(); got != nod.StepApplied {
			t.Errorf("in the end: %s", got)
		}
	})
}

func TestAHiddenRequestIsHandedBackWithoutViewers(t *testing.T) {
	play(t, func(s *stage) {
		inner := event("PermissionRequest", `,"agent_id":"a1","agent_type":"Explore","tool_name":"Bash","tool_input":{"command":"ls"}`)
		wait := func(id string) chan *nod.Request {
			r, err := s.driver.Raise(s.Context(), s.call(id, inner))
			if err != nil {
				s.Fatal(err)
			}
			done := make(chan *nod.Request, 1)
			settled, stop := s.driver.Watch(r)
			go func() { <-settled; stop(); done <- s.request(id) }()
			return done
		}
		done := wait("r1")
		time.Sleep(31 * time.Second)
		if r := <-done; r.Withdrawal == nil || r.Withdrawal.Reason != nod.WithdrawnHandedBack {
			s.Errorf("%+v", r)
		}
		ctx, leave := context.WithCancel(s.Context())
		go func() {
			for range s.hub.Desk(anna).Follow(ctx, 0) { //nolint:revive // being there is all that counts
			}
		}()
		done = wait("r2")
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if r := s.request("r2"); r.Status != nod.Pending {
			s.Errorf("with someone there: %s", r.Status)
		}
		leave()
		time.Sleep(31 * time.Second)
		<-done
	})
}

func TestWatchAgents(t *testing.T) {
	play(t, func(s *stage) {
		ctx, stop := context.WithCancel(s.Context())
		go s.driver.watchAgents(ctx)
		s.says("busy")
		s.tell(event("UserPromptSubmit", `,"prompt":"go"`))
		time.Sleep(5 * time.Second)
		s.says("idle") // Esc: Claude Code has no event for it
		time.Sleep(5 * time.Second)
		if a := s.agent(); a.State != nod.AgentIdle {
			s.Errorf("interrupted, it is %s", a.State)
		}
		s.says("waiting") // a dialog that no hook announced
		time.Sleep(5 * time.Second)
		if a := s.agent(); a.NeedsYou != "dialog open" {
			s.Errorf("needs you: %q", a.NeedsYou)
		}
		s.says("idle")
		time.Sleep(5 * time.Second)
		if a := s.agent(); a.NeedsYou != "" {
			s.Errorf("needs you: %q", a.NeedsYou)
		}
		s.raise("r1", asks("ls"))
		s.process.dead.Store(true)
		time.Sleep(5 * time.Second)
		if a, r := s.agent(), s.request("r1"); a.State != nod.AgentEnded || r.Withdrawal == nil || r.Withdrawal.Reason != nod.WithdrawnEnded {
			s.Errorf("%s %+v", a.State, r.Withdrawal)
		}
		stop()
	})
}

func TestAClaimedProcessIsNotBelieved(t *testing.T) {
	play(t, func(s *stage) {
		s.process.unknown.Store(true)
		s.tell(event("SessionStart", ""))
		synctest.Wait()
		if p := s.agent().Process; p.PID != 0 || p.Start != 0 {
			s.Errorf("recorded %+v on a mere claim", p)
		}
		s.process.unknown.Store(false)
		s.tell(event("UserPromptSubmit", `,"prompt":"go"`))
		synctest.Wait()
		if p := s.agent().Process; p.PID != 42 || p.Start != 7 {
			s.Errorf("recorded %+v when it was proven", p)
		}
	})
}

// A socket of `nod run` can be opened on its own machine only.
func TestTheSocketOfARunElsewhereIsNotKept(t *testing.T) {
	for local, want := range map[bool]string{true: "/data/run/7.sock", false: ""} {
		play(t, func(s *stage) {
			c := s.call("", event("SessionStart", ""))
			c.Run, c.Local = "/data/run/7.sock", local
			if err := s.driver.Observe(s.Context(), c); err != nil {
				s.Fatal(err)
			}
			synctest.Wait()
			if got := s.agent().Process.Run; got != want {
				s.Errorf("local %t: %q", local, got)
			}
		})
	}
}
