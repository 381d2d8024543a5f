package e2e

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// spoken is an agent under `nod run` that people speak to through the hub.
type spoken struct {
	*owned
	a *nod.Agent
	m *mail
}

func (w *world) runSpoken(t *testing.T) *spoken {
	t.Helper()
	o := w.run(t)
	s := &spoken{owned: o, a: w.talkable(t), m: w.follow(t)}
	if p := s.a.Process; p.Run == "" || p.Pane != "" || p.Tmux != "" {
		t.Fatalf("there must be one way to it: %+v", p)
	}
	return s
}

// in is the same agent in a subtest.
func (s *spoken) in(t *testing.T) *spoken {
	o := *s.owned
	o.T = t
	return &spoken{&o, s.a, s.m}
}

func (s *spoken) reached(id nod.MessageID, statuses ...nod.MessageStatus) nod.Message {
	s.Helper()
	var now nod.Message
	rig.Until(s, fmt.Sprintf("message %s to be %s", id, statuses), func() bool {
		now = s.m.get(id)
		for _, status := range statuses {
			if now.Status == status {
				return true
			}
		}
		return false
	}, func() string { return fmt.Sprintf("%+v\n%s\n%s", now, s.evidence(), s.w.hubLog) })
	return now
}

func (s *spoken) delivered(text string) nod.MessageID {
	s.Helper()
	id := s.w.say(s.T, s.a, text, nod.Queue)
	if got := s.reached(id, nod.Delivered, nod.Failed); got.Status != nod.Delivered {
		s.Fatalf("%.60q: %s: %s\n%s", text, got.Status, got.Problem, s.evidence())
	}
	return id
}

func (s *spoken) status() string {
	now, _ := wire.ReadStatus(filepath.Join(s.w.ConfigDir, "sessions", strconv.Itoa(s.claude)+".json"))
	return now.State
}

func (s *spoken) is(status string) {
	s.Helper()
	rig.Until(s, "status "+status, func() bool { return s.status() == status }, s.evidence)
}

// work keeps the agent busy until it is released.
func (s *spoken) work(prompt string) (release func()) {
	s.Helper()
	hold := make(chan struct{})
	s.w.API.On(prompt, fakeapi.Say(prompt+" over").Until(hold))
	s.delivered(prompt)
	s.is(wire.StatusBusy)
	return sync.OnceFunc(func() { close(hold) })
}

// A person without tmux: words, stop and dialogs go through the wrapper's socket,
// which is the only way there is.
func TestSpeakingUnderRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Env: map[string]string{"CLAUDE_CODE_DISABLE_TERMINAL_TITLE": ""}}) // with it, it tells its status
	all := w.runSpoken(t)
	for _, c := range []struct{ name, text string }{
		{"plain", "please go on"},
		{"multi-line", "one\n\n  two\nthree\nfour\nfive"},
		{"20 kB", strings.TrimSpace(strings.Repeat("長い文章です。", 980))},
		{"leading dash and trailing semicolon", "-x --help; echo;"},
		{"a shell command is words", "!echo oops"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := all.in(t)
			id := s.delivered(c.text)
			turns := s.m.said()
			if got := turns[len(turns)-1]; strings.TrimSpace(got.Text) != c.text && (got.Cut == 0 || !strings.HasPrefix(c.text, got.Text)) {
				t.Errorf("the agent was told %.80q (cut %d)", got.Text, got.Cut)
			}
			s.m.mu.Lock()
			defer s.m.mu.Unlock()
			if way := s.m.seen[id]; len(way) != 3 || way[1] != nod.Typed {
				t.Errorf("its way was %v", way)
			}
		})
	}
	t.Run("nod say", func(t *testing.T) {
		s := all.in(t)
		s.is(wire.StatusIdle)
		w.ok(t, "say", string(s.a.ID), "said in a terminal")
		rig.Until(t, "the words to reach the model", func() bool { return w.timesSent("said in a terminal") == 1 }, s.evidence)
	})
	t.Run("stop is an Escape", func(t *testing.T) {
		s := all.in(t)
		s.is(wire.StatusIdle)
		release := s.work("second task")
		defer release()
		later := w.say(t, s.a, "never to be said", nod.Wait)
		w.ok(t, "stop", string(s.a.ID))
		s.is(wire.StatusIdle)
		w.agent(t, "has stopped", func(a *nod.Agent) bool { return a.State == nod.AgentIdle && a.Stopping == nil })
		if got := s.reached(later, nod.Failed); !strings.Contains(got.Problem, "stopped by") {
			t.Errorf("the waiting words: %q", got.Problem)
		}
		s.tmux("send-keys", "-t", "%0", "C-e", "C-u", "C-u") // Claude Code has put the prompt back into its box
		s.delivered("and again")
		if n := w.timesSent("never to be said"); n != 0 {
			t.Errorf("the agent was told what was stopped, %d times", n)
		}
	})
	t.Run("a dialog is never typed into", func(t *testing.T) {
		s := all.in(t)
		s.is(wire.StatusIdle)
		call := fakeapi.Bash(`python3 -c "print('asked')"`)
		w.API.On("ask me", fakeapi.Use(call), fakeapi.Say("asked and done"))
		s.delivered("ask me")
		r := w.one(t)
		s.shows("Do you want")
		s.is(wire.StatusWaiting) // its status file may be later than its screen
		id := w.say(t, s.a, "meanwhile, this", nod.Queue)
		looks := 0
		rig.Until(t, "the dialog to stay as it is", func() bool {
			if got := s.m.get(id); got.Status != "" && got.Status != nod.Queued || s.status() != wire.StatusWaiting {
				t.Fatalf("the message is %s, the agent %s\n%s", got.Status, s.status(), s.evidence())
			}
			looks++
			return looks > 60
		}, s.evidence)
		w.answer(t, r, nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
		if got, err := w.API.WaitToolResult(t.Context(), call.ID); err != nil || got.Text != "not now" {
			t.Errorf("the dialog was answered otherwise: %+v %v", got, err)
		}
		s.reached(id, nod.Delivered)
		rig.Until(t, "the words to reach the model", func() bool { return w.timesSent("meanwhile, this") == 1 }, s.evidence)
	})
	t.Run("a draft of the person comes back", func(t *testing.T) {
		s := all.in(t)
		s.is(wire.StatusIdle)
		s.tmux("send-keys", "-t", "%0", "-l", "--", "half a thought")
		s.shows("half a thought")
		s.delivered("past a draft")
		rig.Until(t, "the draft to come back", func() bool {
			lines := strings.Split(s.terminal(), "\n")
			return len(lines) > 3 && strings.Contains(strings.Join(lines[len(lines)-4:], "\n"), "half a thought")
		}, s.evidence)
		if n := s.m.count("past a draft"); n != 1 {
			t.Errorf("it was heard %d times", n)
		}
	})
}

// Where no hook asks, the screen does, and keys answer.
func TestDialogsUnderRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.forgetHook(t, "PermissionRequest")
	s := w.runSpoken(t)
	permission := fakeapi.Bash(`python3 -c "print('by label')"`)
	w.API.On("permit", fakeapi.Use(permission), fakeapi.Say("permitted"))
	s.delivered("permit")
	w.reply(t, w.one(t), "Yes")
	if got, err := w.API.WaitToolResult(t.Context(), permission.ID); err != nil || got.IsError || strings.TrimSpace(got.Text) != "by label" {
		t.Errorf("the model was told %+v %v", got, err)
	}
	s.is(wire.StatusIdle)
	question := questions(question("Which DB?", false, "Postgres", "SQLite"))
	w.API.On("which", fakeapi.Use(question), fakeapi.Say("so be it"))
	s.delivered("which")
	w.reply(t, w.one(t), "2 flat files; -x")
	if got, err := w.API.WaitToolResult(t.Context(), question.ID); err != nil || !strings.Contains(got.Text, "2 flat files; -x") {
		t.Errorf("the model was told %+v %v", got, err)
	}
}
