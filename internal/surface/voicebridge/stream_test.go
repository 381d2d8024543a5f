package voicebridge

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/internal/net/auth"
)

// until reads events up to one of a kind, and lists their names.
func until(next func() event, last string) (names []string, found event) {
	for {
		e := next()
		if e.name == "" {
			names = append(names, "|") // where the client stands
			continue
		}
		names = append(names, e.name)
		if e.name == last || e.name == "over" {
			return names, e
		}
		if e.id != "" {
			names = append(names, "|") // the last of a fact says where the client stands
		}
	}
}

func TestStreamOrder(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	g.typist()
	next := g.stream("")
	if code, got := g.reply("POST", "/api/voice/command", `{"text":"run the tests"}`); code != 200 {
		t.Fatal(code, got)
	}
	names, turn := until(next, "turn_created")
	want := "turn_updated state_changed state_transition card_refresh | turn_updated card_refresh | turn_created"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for key, value := range map[string]any{"agent_id": 1.0, "nod_id": "nod-1", "actor": "user", "intent": "command", "text": "run the tests", "project_path": "/home/anna/code/nod"} {
		if turn.data[key] != value {
			t.Errorf("%s is %v, want %v", key, turn.data[key], value)
		}
	}
	_, moved := until(next, "state_changed")
	if moved.data["new_state"] != "processing" {
		t.Errorf("%v", moved.data)
	}

	g.Ask(approval("aaaa0001", "nod-1", "go test ./...", "read"))
	_, asked := until(next, "turn_created")
	if asked.data["intent"] != "question" || asked.data["question_source_type"] != "permission_request" || asked.data["tool_input"] == nil {
		t.Errorf("%v", asked.data)
	}
	_, moved = until(next, "state_transition")
	if moved.data["from_state"] != "processing" || moved.data["to_state"] != "awaiting_input" {
		t.Errorf("%v", moved.data)
	}
	if code, got := g.reply("POST", "/api/respond/nod-1", fmt.Sprintf(`{"mode":"select","option_index":0,"turn_id":%v}`, asked.data["turn_id"])); code != 200 {
		t.Fatal(code, got)
	}
	_, answered := until(next, "turn_created")
	if answered.data["intent"] != "answer" || answered.data["answered_by_turn_id"] != asked.data["turn_id"] || answered.data["text"] != "Allow" {
		t.Errorf("%v", answered.data)
	}
	if _, updated := until(next, "turn_updated"); updated.data["turn_id"] != asked.data["turn_id"] || updated.data["update_type"] != "answered" {
		t.Errorf("%v", updated.data)
	}

	g.said("nod-1", nod.TurnAgent, "All `ok`. Shall I **push**?")
	_, asked = until(next, "turn_created")
	if asked.data["intent"] != "question" || asked.data["spoken"] != "All ok. Shall I push?" {
		t.Errorf("%v", asked.data)
	}
	g.agent("nod-1", nod.AgentIdle)
	if _, moved = until(next, "state_changed"); moved.data["new_state"] != "awaiting_input" {
		t.Errorf("%v", moved.data)
	}
	g.agent("web-2", nod.AgentIdle)
	if _, created := until(next, "session_created"); created.data["nod_id"] != "web-2" {
		t.Errorf("%v", created.data)
	}
	g.agent("web-2", nod.AgentEnded)
	if _, over := until(next, "session_ended"); over.data["nod_id"] != "web-2" {
		t.Errorf("%v", over.data)
	}
}

// A client that reconnects gets what it missed, with the same numbers as before and as
// in the transcript.
func TestReplayHasSameTurns(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	g.typist()
	live := g.stream("?types=turn_created")
	var ids []string
	note := func(e event) string { return fmt.Sprint(e.data["turn_id"], " ", e.data["intent"]) }
	take := func() { _, e := until(live, "turn_created"); ids = append(ids, note(e)) }
	g.reply("POST", "/api/voice/command", `{"text":"run the tests"}`)
	take()
	for i := range 3 {
		g.Ask(approval(fmt.Sprintf("aaaa000%d", i), "nod-1", "go test", "read"))
		take()
		if code, got := g.reply("POST", "/api/respond/nod-1", `{"text":"yes"}`); code != 200 {
			t.Fatal(code, got)
		}
		take()
	}
	g.said("nod-1", nod.TurnAgent, "Done.")
	take()

	for name, replay := range map[string]func() event{
		"by the header":  g.stream("?types=turn_created&last_event_id=999999", "Last-Event-ID", "1"),
		"by the address": g.stream("?types=turn_created&last_event_id=1&agent_id=nod-1"),
	} {
		for i, want := range ids {
			if _, e := until(replay, "turn_created"); note(e) != want {
				t.Errorf("%s, turn %d: %s, want %s", name, i, note(e), want)
			}
		}
	}
	_, got := g.reply("GET", "/api/voice/agents/nod-1/transcript", "")
	for i, line := range got["turns"].([]any) {
		turn := line.(map[string]any)
		if told := fmt.Sprint(turn["id"], " ", turn["intent"]); told != ids[i] {
			t.Errorf("in the transcript: %s, want %s", told, ids[i])
		}
	}
}

func TestUnknownEventIDIsAGap(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle)
	head, _ := g.Hub.Head()
	next := g.stream("", "Last-Event-ID", "999")
	if e := next(); e.name != "gap" || e.data["_eid"] != float64(head) || e.data["message"] == "" {
		t.Fatalf("%+v", e)
	}
	if e := next(); e.id != fmt.Sprint(head) {
		t.Errorf("it stands at %q", e.id)
	}
	g.said("nod-1", nod.TurnPerson, "hello")
	if _, e := until(next, "turn_created"); e.data["text"] != "hello" {
		t.Errorf("%+v", e)
	}
}

func TestAutomaticAnswersAreNotQuestions(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentWorking)
	next := g.stream("")
	if r := g.Ask(approval("aaaa0001", "nod-1", "ls by-rule", "read")); !r.Settled() {
		t.Fatal("the rule did not answer")
	}
	g.said("nod-1", nod.TurnPerson, "hello")
	if names, e := until(next, "turn_created"); e.data["text"] != "hello" || len(names) != 1 {
		t.Errorf("%v %v", names, e.data)
	}
	_, got := g.reply("GET", "/api/voice/agents/nod-1/transcript", "")
	if turns := got["turns"].([]any); len(turns) != 1 {
		t.Errorf("in the transcript: %v", turns)
	}
}

func TestInvalidStreamRequests(t *testing.T) {
	g := newRig(t, 0)
	token := g.token(nod.RightsOf(nod.View))
	for _, bad := range []string{"?last_event_id=x", "?last_event_id=-1", "?token=1"} {
		if w := g.send("GET", "/api/events/stream"+bad, token, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, w.Code)
		}
	}
	if w := g.send("HEAD", "/api/events/stream", token, ""); w.Code != http.StatusOK {
		t.Errorf("HEAD: %d", w.Code)
	}
}

func TestUnconfirmedMessageIsPending(t *testing.T) {
	g := newRig(t, 1) // a nanosecond
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	code, got := g.reply("POST", "/api/voice/command", `{"text":"stay silent"}`)
	if code != 200 || got["confirmed"] != false || got["new_state"] != "commanded" {
		t.Errorf("%d %v", code, got)
	}
	_, got = g.reply("GET", "/api/voice/agents/nod-1/transcript", "")
	if turns, pending := got["turns"].([]any), got["pending"].([]any); len(turns) != 0 || len(pending) != 1 {
		t.Errorf("turns %v, pending %v", turns, pending)
	}
}

func TestUpload(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	g.typist()
	upload := func(id string, fields ...string) *httptest.ResponseRecorder {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for i := 0; i < len(fields); i += 2 {
			if fields[i] == "file" {
				part, _ := form.CreateFormFile("file", `C:\photos\cat picture.png`)
				_, _ = part.Write([]byte(fields[i+1]))
			} else {
				_ = form.WriteField(fields[i], fields[i+1])
			}
		}
		_ = form.Close()
		return g.send("POST", "/api/voice/agents/"+id+"/upload", g.token(auth.Paired), body.String(), "Content-Type", form.FormDataContentType())
	}
	w := upload("nod-1", "file", "a picture", "text", "what is this?")
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"original_filename":"cat_picture.png"`) || !strings.Contains(w.Body.String(), `"file_type":"image"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), g.files) {
		t.Errorf("the path of the file is told: %s", w.Body)
	}
	_, got := g.reply("GET", "/api/voice/agents/nod-1/transcript", "")
	if turns := got["turns"].([]any); len(turns) != 1 {
		t.Errorf("turns: %v", turns)
	}
	for name, tt := range map[string]struct {
		fields []string
		id     string
		code   int
	}{
		"no file":       {[]string{"text", "hello"}, "nod-1", 400},
		"two files":     {[]string{"file", "a", "file", "b"}, "nod-1", 400},
		"another field": {[]string{"photo", "a"}, "nod-1", 400},
		"nobody":        {[]string{"file", "a"}, "web-9", 404},
	} {
		if w := upload(tt.id, tt.fields...); w.Code != tt.code || !strings.Contains(w.Body.String(), `"status_line"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	g.agent("api-3", nod.AgentIdle)
	if w := upload("api-3", "file", "a"); w.Code != 503 {
		t.Errorf("without a way to it: %d", w.Code)
	}
}

// Many listeners get every turn in order and without a gap.
func TestManyListenersGetEveryTurn(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	const listeners, turns = 40, 50
	var all sync.WaitGroup
	for i := range listeners {
		next := g.stream("?types=turn_created")
		all.Go(func() {
			for n := range turns {
				if _, e := until(next, "turn_created"); e.data["text"] != fmt.Sprint("turn ", n) {
					t.Errorf("listener %d hears %v instead of turn %d", i, e.data["text"], n)
					return
				}
			}
		})
	}
	for n := range turns {
		g.said("nod-1", nod.TurnPerson, fmt.Sprint("turn ", n))
	}
	all.Wait()
}

// Two devices answer at once: one wins, the other hears that it is settled.
func TestOneAnswerWins(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentWorking)
	g.Ask(approval("aaaa0001", "nod-1", "ls", "read"))
	token := g.token(auth.Paired)
	codes := make([]int, 8)
	var all sync.WaitGroup
	for i := range codes {
		all.Go(func() { codes[i] = g.send("POST", "/api/respond/nod-1", token, `{"text":"yes"}`).Code })
	}
	all.Wait()
	slices.Sort(codes)
	if codes[0] != 200 || codes[1] != 409 || codes[7] != 409 {
		t.Errorf("%v", codes)
	}
}
