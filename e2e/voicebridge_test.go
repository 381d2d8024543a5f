package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
)

// speaking is a person with a phone, at the voice bridge of a hub.
type speaking struct {
	*testing.T
	world      *world
	url, token string

	mu     sync.Mutex
	events []heardEvent
}

// heardEvent is one event of the stream.
type heardEvent struct {
	name string
	data map[string]any
}

// String is what tells events apart: their name, and what they are about.
func (e heardEvent) String() string {
	text := e.name
	for _, key := range []string{"actor", "intent", "update_type", "new_state"} {
		if value, ok := e.data[key]; ok {
			text += fmt.Sprint(" ", value)
		}
	}
	return text
}

func (w *world) speaking(t *testing.T) *speaking {
	t.Helper()
	h, err := w.client.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token, err := w.client.CreateToken(t.Context(), v1.NewToken{Name: "phone", Rights: nod.RightsOf(nod.View, nod.Answering)})
	if err != nil {
		t.Fatal(err)
	}
	s := &speaking{T: t, world: w, url: h.Listen, token: token.Secret}
	s.listen()
	return s
}

// listen opens the stream and returns once it delivers every later event.
func (s *speaking) listen() {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), "GET", s.url+"/api/events/stream", nil)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != 200 {
		s.Fatalf("%v, %v", res, err)
	}
	in := bufio.NewScanner(res.Body)
	in.Buffer(nil, 1<<20)
	for in.Scan() && !strings.HasPrefix(in.Text(), "id: ") {
	}
	go func() {
		defer res.Body.Close()
		var e heardEvent
		for in.Scan() {
			name, value, _ := strings.Cut(in.Text(), ": ")
			switch name {
			case "event":
				e.name = value
			case "data":
				if err := json.Unmarshal([]byte(value), &e.data); err != nil {
					s.Errorf("%q: %v", value, err)
				}
			case "":
				s.mu.Lock()
				if e.name != "" {
					s.events = append(s.events, e)
				}
				s.mu.Unlock()
				e = heardEvent{}
			}
		}
	}()
}

// forget makes the next look at the stream begin here.
func (s *speaking) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = nil
}

// hears waits until events came in an order, with any others between them, and
// returns them.
func (s *speaking) hears(want ...string) []heardEvent {
	s.Helper()
	var found []heardEvent
	rig.Until(s.T, fmt.Sprintf("the events %q, in this order", want), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		found = nil
		for _, e := range s.events {
			if len(found) < len(want) && e.String() == want[len(found)] {
				found = append(found, e)
			}
		}
		return len(found) == len(want)
	}, func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return fmt.Sprint(s.events) + "\n" + s.world.hubLog.String()
	})
	return found
}

func (s *speaking) call(method, path, kind string, body io.Reader) (int, map[string]any) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.url+path, body)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", kind)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
		s.Fatalf("%s %s: %s: %v", method, path, res.Status, err)
	}
	if voice, ok := got["voice"].(map[string]any); !ok || voice["status_line"] == "" {
		s.Errorf("%s %s has nothing for the ear: %v", method, path, got)
	}
	return res.StatusCode, got
}

func (s *speaking) post(path string, body map[string]any) (int, map[string]any) {
	s.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.Fatal(err)
	}
	return s.call("POST", path, "application/json", bytes.NewReader(text))
}

func TestTheVoiceBridgeAndARealAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	w.API.On("say hello", fakeapi.Say("Hello, **you**."))
	tui := w.StartTUI(t)
	a := w.talkable(t)
	s := w.speaking(t)
	one := "/api/voice/agents/" + string(a.ID)

	t.Run("a command and its answer", func(t *testing.T) {
		code, got := s.post("/api/voice/command", map[string]any{"text": "say hello"}) // no agent named: there is only one
		if code != 200 || got["nod_id"] != string(a.ID) || got["confirmed"] != true || got["message_status"] != "delivered" {
			t.Fatalf("%d %v", code, got)
		}
		events := s.hears("turn_updated message_queued", "state_changed commanded", "turn_updated message_typed",
			"turn_created user command", "state_changed processing", "turn_created agent completion")
		s.hears("state_changed processing", "state_changed idle", "card_refresh") // the screen may show it before the answer's hook arrives
		if first, last := events[3].data, events[5].data; first["text"] != "say hello" || last["text"] != "Hello, **you**." || last["spoken"] != "Hello, you." || last["command_id"] != first["command_id"] {
			t.Errorf("asked %v\nanswered %v", first, last)
		}
		code, got = s.call("GET", one+"/transcript", "", nil)
		if turns, _ := got["turns"].([]any); code != 200 || len(turns) != 2 || turns[0].(map[string]any)["id"] != events[3].data["turn_id"] {
			t.Errorf("%d %v", code, got)
		}
		tui.WaitStatus(t, "idle")
	})

	t.Run("how full its memory is", func(t *testing.T) {
		w.agent(t, "told how much it keeps in mind", func(a *nod.Agent) bool { return a.Context != nil && a.Context.Tokens > 0 })
		code, got := s.call("GET", one+"/context", "", nil)
		if raw, _ := got["raw"].(string); code != 200 || !strings.HasPrefix(raw, "120 ") { // what the fake model counts
			t.Errorf("%d %v", code, got)
		}
	})

	t.Run("a question", func(t *testing.T) {
		s.forget()
		call := questions(question("Which DB?", false, "Postgres", "SQLite"))
		w.API.On("ask me", fakeapi.Use(call), fakeapi.Say("as you like"))
		s.post("/api/voice/command", map[string]any{"text": "ask me"})
		asked := s.hears("turn_created agent question", "state_changed awaiting_input")[0].data
		code, got := s.call("GET", one+"/question", "", nil)
		if q, _ := got["question"].(map[string]any); code != 200 || q["turn_id"] != asked["turn_id"] || q["question_text"] != "Which DB?" {
			t.Fatalf("%d %v", code, got)
		}
		wrong := map[string]any{"mode": "select", "option_index": 1, "option_label": "Postgres"}
		if code, got = s.post("/api/respond/"+string(a.ID), wrong); code != 422 {
			t.Errorf("a button of another question: %d %v", code, got)
		}
		right := map[string]any{"mode": "select", "option_index": 1, "option_label": "SQLite", "turn_id": asked["turn_id"]}
		if code, got = s.post("/api/respond/"+string(a.ID), right); code != 200 || got["new_state"] != "processing" {
			t.Fatalf("%d %v", code, got)
		}
		if got := tui.WaitToolResult(t, call.ID); !strings.Contains(got.Text, `"Which DB?"="SQLite"`) {
			t.Errorf("the model was told %q", got.Text)
		}
		s.hears("turn_created agent question", "turn_created user answer", "turn_updated answered", "turn_created agent completion", "state_changed idle")
		if code, got = s.post("/api/respond/"+string(a.ID), right); code != 409 || got["error_type"] != "wrong_state" {
			t.Errorf("answered again: %d %v", code, got)
		}
		tui.WaitStatus(t, "idle")
	})

	t.Run("a file", func(t *testing.T) {
		s.forget()
		w.API.OnContaining("what is this?", fakeapi.Say("A note."))
		var form bytes.Buffer
		fields := multipart.NewWriter(&form)
		part, err := fields.CreateFormFile("file", "note.txt")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, "remember the milk")
		_ = fields.WriteField("text", "what is this?")
		_ = fields.Close()
		code, got := s.call("POST", one+"/upload", fields.FormDataContentType(), &form)
		if about, _ := got["file_metadata"].(map[string]any); code != 200 || about["original_filename"] != "note.txt" {
			t.Fatalf("%d %v", code, got)
		}
		told := s.hears("turn_created user command", "turn_created agent completion")[0].data["text"].(string)
		path := strings.Fields(told)[slices.IndexFunc(strings.Fields(told), func(word string) bool { return strings.Contains(word, "note") })]
		if text, err := os.ReadFile(strings.TrimPrefix(path, "@")); err != nil || string(text) != "remember the milk" {
			t.Errorf("the agent was told %q: %v", told, err)
		}
		tui.WaitStatus(t, "idle")
	})

	t.Run("two that wait", func(t *testing.T) {
		second := w.StartTUI(t)
		calls := []fakeapi.Call{fakeapi.Bash(`python3 -c "print('first')"`), fakeapi.Bash(`python3 -c "print('second')"`)}
		for i, session := range []*rig.TUI{tui, second} {
			name := fmt.Sprint("run number ", i)
			w.API.On(name, fakeapi.Use(calls[i]), fakeapi.Say("ran "+name))
			session.Prompt(t, name)
		}
		requests := w.waiting(t, 2)
		code, got := s.post("/api/voice/command", map[string]any{"text": "allow"})
		if list, _ := got["agents"].([]any); code != 409 || got["error"] != "multiple_agents" || len(list) != 2 {
			t.Fatalf("to which of two: %d %v", code, got)
		}
		if n := len(w.waiting(t, 2)); n != 2 {
			t.Fatalf("one of them was answered: %d wait", n)
		}
		for _, r := range requests {
			if code, got = s.post("/api/voice/command", map[string]any{"text": "allow", "agent_id": r.Agent.ID}); code != 200 {
				t.Errorf("%d %v", code, got)
			}
		}
		for i, session := range []*rig.TUI{tui, second} {
			if got := session.WaitToolResult(t, calls[i].ID); got.IsError {
				t.Errorf("%+v", got)
			}
			session.WaitStatus(t, "idle")
		}
		if code, got = s.post("/api/voice/command", map[string]any{"text": "go on"}); code != 409 || got["error"] != "no_agent_waiting" {
			t.Errorf("to which of two that are idle: %d %v", code, got)
		}
	})
}
