package e2e

import (
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
)

// mail follows what becomes of messages.
type mail struct {
	mu    sync.Mutex
	last  map[nod.MessageID]nod.Message
	seen  map[nod.MessageID][]nod.MessageStatus
	turns []nod.Turn // what was said to the agent, in order
}

// follow reads the log from its beginning until the test ends, hub restarts
// included.
func (w *world) follow(t *testing.T) *mail {
	t.Helper()
	m := &mail{last: map[nod.MessageID]nod.Message{}, seen: map[nod.MessageID][]nod.MessageStatus{}}
	go func() {
		var after nod.Seq
		for t.Context().Err() == nil {
			for e, err := range w.client.Follow(t.Context(), after) {
				if err != nil {
					break
				}
				after = e.Seq
				m.take(e)
			}
		}
	}()
	return m
}

func (m *mail) take(e nod.Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Message != nil {
		m.last[e.Message.ID] = *e.Message
		m.seen[e.Message.ID] = append(m.seen[e.Message.ID], e.Message.Status)
	}
	if e.Turn != nil && e.Turn.Role == nod.TurnPerson {
		m.turns = append(m.turns, *e.Turn)
	}
}

func (m *mail) get(id nod.MessageID) nod.Message {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last[id]
}

func (m *mail) said() []nod.Turn {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]nod.Turn(nil), m.turns...)
}

// count is how often the agent received a text.
func (m *mail) count(text string) (n int) {
	for _, turn := range m.said() {
		if turn.Cut == 0 && turn.Text == text || turn.Cut > 0 && strings.HasPrefix(text, turn.Text) {
			n++
		}
	}
	return n
}

// reached waits until a message has one of some statuses.
func (m *mail) reached(t *testing.T, w *world, s *rig.TUI, id nod.MessageID, statuses ...nod.MessageStatus) nod.Message {
	t.Helper()
	var now nod.Message
	rig.Until(t, fmt.Sprintf("message %s to be %s", id, statuses), func() bool {
		now = m.get(id)
		for _, status := range statuses {
			if now.Status == status {
				return true
			}
		}
		return false
	}, func() string { return fmt.Sprintf("%+v\n%s\n%s", now, s.Screen(), w.hubLog) })
	return now
}

// talkable waits until the only agent can be spoken to.
func (w *world) talkable(t *testing.T) *nod.Agent {
	t.Helper()
	return w.agent(t, "can be spoken to", func(a *nod.Agent) bool { return a.Able(nod.CanSay) && a.Able(nod.CanBackground) })
}

func (w *world) say(t *testing.T, a *nod.Agent, text string, when nod.WhenBusy) nod.MessageID {
	t.Helper()
	id := nod.MessageID("msg-" + rand.Text())
	if _, err := w.client.Say(t.Context(), a.ID, v1.NewMessage{ID: id, Text: text, WhenBusy: when}); err != nil {
		t.Fatal(err)
	}
	return id
}

// delivered says something and waits until the agent has it.
func (w *world) delivered(t *testing.T, m *mail, s *rig.TUI, a *nod.Agent, text string) nod.MessageID {
	t.Helper()
	id := w.say(t, a, text, nod.Queue)
	if got := m.reached(t, w, s, id, nod.Delivered, nod.Failed); got.Status != nod.Delivered {
		t.Fatalf("%.60q: %s: %s\n%s", text, got.Status, got.Problem, s.Screen())
	}
	return id
}

func TestEveryTextReachesTheAgentUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	for _, c := range []struct{ name, text, want string }{
		{"plain", "please go on", ""},
		{"multi-line", "one\n\n  two\nthree\nfour\nfive", ""},
		{"20 kB", strings.TrimSpace(strings.Repeat("長い文章です。", 980)), ""},
		{"one long line", strings.TrimSpace(strings.Repeat("0123456789 ", 300)), ""},
		{"leading dash", "-x --help", ""},
		{"trailing semicolon", "ls; echo;", ""},
		{"quotes", `it's "so" $HOME $(id) #{pane_id} \n`, ""},
		{"emoji", "zażółć 👩‍👩‍👧 語 🏳️‍🌈", ""},
		{"backslash at the end", `C:\dir\`, ""},
		{"tab", "a\tb", "a    b"},
		{"a shell command is words", "!echo oops", "!echo oops"},
		{"several lines with a command", "/help me\nwith this", ". /help me\nwith this"},
		{"a path is no command", "/etc/hosts is what", ""},
		{"question mark", "?", ""},
		{"memory mark", "#note this", ""},
		{"mention", "look at @world", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.text
			}
			id := w.delivered(t, m, s, a, c.text)
			turns := m.said()
			if got := turns[len(turns)-1]; strings.TrimSpace(got.Text) != c.want && (got.Cut == 0 || !strings.HasPrefix(c.want, got.Text)) {
				t.Errorf("the agent was told %.80q (cut %d)", got.Text, got.Cut)
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			if way := m.seen[id]; len(way) != 3 || way[1] != nod.Typed {
				t.Errorf("its way was %v", way)
			}
		})
	}
	s.WaitStatus(t, "idle")
	for _, r := range w.API.Requests() {
		if r.Told("<bash-stdout>") {
			t.Fatal("a shell command ran")
		}
	}
}

func TestCommandsAreCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	s := w.StartTUI(t)
	a, m := w.talkable(t), w.follow(t)
	id := w.say(t, a, "/nonsense", nod.Queue)
	if got := m.reached(t, w, s, id, nod.Failed, nod.Delivered); got.Status != nod.Failed || !strings.Contains(got.Problem, "/nonsense") {
		t.Errorf("an unknown command: %s %q", got.Status, got.Problem)
	}
	id = w.say(t, a, "/status", nod.Queue)
	m.reached(t, w, s, id, nod.Delivered)
	s.WaitStatus(t, "waiting")
	s.Keys(t, "Escape")
	s.WaitStatus(t, "idle")
	w.delivered(t, m, s, a, "and on we go")
	id = w.say(t, a, "a\x1b[201~b", nod.Queue)
	if got := m.reached(t, w, s, id, nod.Failed, nod.Delivered); got.Status != nod.Failed || !strings.Contains(got.Problem, "control character") {
		t.Errorf("a control character: %s %q", got.Status, got.Problem)
	}
}
