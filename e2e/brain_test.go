package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// heardReply is what /ask and /cancel answer.
type heardReply struct {
	Text        string `json:"text"`
	Language    string `json:"language"`
	Session     string `json:"session_id"`
	Timestamp   string `json:"timestamp"`
	Permission  bool   `json:"requires_permission"`
	Action      string `json:"action_id"`
	Description string `json:"action_description"`
	Executed    bool   `json:"action_executed"`
	Cancelled   bool   `json:"cancelled"`
	Error       string `json:"error"`
}

// speaker is a voice puck: a token of its own, and nothing else.
type speaker struct {
	world *world
	token string
}

func (w *world) speaker(t *testing.T) *speaker {
	t.Helper()
	return &speaker{w, strings.TrimSpace(w.ok(t, "token", "create", "--name", "kitchen puck", "--rights", "view,answer"))}
}

func (s *speaker) call(t *testing.T, path string, body any, header ...string) *http.Response {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, "POST", s.world.url+path, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.token)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

func (s *speaker) ask(t *testing.T, fields map[string]any) heardReply {
	t.Helper()
	return decodeReply(t, s.call(t, "/ask", fields))
}

func decodeReply(t *testing.T, r *http.Response) (got heardReply) {
	t.Helper()
	if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
		t.Fatalf("status %d: %v", r.StatusCode, err)
	}
	return got
}

func TestASpokenQuestionAndItsFollowUp(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining(`Jaka jest "pogoda" jutro? 🌦️`, fakeapi.Say("Jutro będzie **słonecznie**, 18 stopni."))
	w.API.OnContaining("A pojutrze?", fakeapi.Say("Pojutrze deszcz."))
	puck := w.speaker(t)
	first := puck.ask(t, map[string]any{"query": `Jaka jest "pogoda" jutro? 🌦️`, "language": "pl", "room": "kitchen"})
	if first.Text != "Jutro będzie słonecznie, 18 stopni." || first.Language != "pl" || first.Session == "" || first.Timestamp == "" || first.Error != "" {
		t.Fatalf("%+v", first)
	}
	second := puck.ask(t, map[string]any{"query": "A pojutrze?", "language": "pl", "room": "kitchen"})
	if second.Text != "Pojutrze deszcz." || second.Session != first.Session {
		t.Fatalf("%+v", second)
	}
	all := w.API.Requests()
	if last := all[len(all)-1]; !last.Told("pogoda") {
		t.Errorf("the model did not hear of the first question: %v", last.UserTexts())
	}
	other := puck.ask(t, map[string]any{"query": "A pojutrze?", "language": "pl", "room": "bedroom"})
	if other.Session == first.Session {
		t.Error("two rooms share a conversation")
	}
}

func TestDeviceIsSwitchedOnlyAfterYes(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "")
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	heat := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "heating"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("The lamp is off."))
	w.API.OnContaining("the heating", fakeapi.Use(heat), fakeapi.Say("Then it stays on."))
	puck := w.speaker(t)

	asked := puck.ask(t, map[string]any{"query": "Switch the lamp off", "room": "kitchen"})
	if !asked.Permission || asked.Action == "" || asked.Description == "" || asked.Text == "" || len(switched()) != 0 {
		t.Fatalf("%+v, switched %v", asked, switched())
	}
	done := puck.ask(t, map[string]any{"query": "yes", "session_id": asked.Session, "confirm_action": true})
	if done.Text != "The lamp is off." || !done.Executed || done.Session != asked.Session {
		t.Fatalf("%+v", done)
	}
	if list := switched(); len(list) != 1 || !strings.Contains(list[0], "kitchen lamp") {
		t.Errorf("switched %v", list)
	}

	asked = puck.ask(t, map[string]any{"query": "Switch the heating off", "room": "kitchen"})
	if !asked.Permission {
		t.Fatalf("%+v", asked)
	}
	gone := decodeReply(t, puck.call(t, "/cancel", map[string]any{"session_id": asked.Session}))
	if !gone.Cancelled || gone.Text == "" {
		t.Errorf("%+v", gone)
	}
	w.settled(t, nod.RequestID(asked.Action))
	if list := switched(); len(list) != 1 {
		t.Errorf("switched %v", list)
	}
	w.agent(t, "is at rest", func(a *nod.Agent) bool { return string(a.ID) == asked.Session && a.State == nod.AgentIdle })
	if again := decodeReply(t, puck.call(t, "/cancel", map[string]any{"session_id": asked.Session})); again.Cancelled {
		t.Errorf("cancelled twice: %+v", again)
	}
}

func TestNoAnswerIsNoConsent(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "[brain]\ncontext = \"2s\"\n")
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("Nobody said yes, so I left it on."))
	puck := w.speaker(t)
	asked := puck.ask(t, map[string]any{"query": "Switch the lamp off", "room": "kitchen"})
	if !asked.Permission {
		t.Fatalf("%+v", asked)
	}
	if r := w.settled(t, nod.RequestID(asked.Action)); r.Status != nod.Expired {
		t.Errorf("it is %s", r.Status)
	}
	late := puck.ask(t, map[string]any{"query": "yes", "session_id": asked.Session, "confirm_action": true})
	if late.Executed || late.Text == "" || len(switched()) != 0 {
		t.Errorf("%+v, switched %v", late, switched())
	}
}

func TestPhoneAnswersASpokenRequest(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "")
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	w.API.OnContaining("the lamp", fakeapi.Use(lamp), fakeapi.Say("The lamp is off."))
	puck := w.speaker(t)
	asked := puck.ask(t, map[string]any{"query": "Switch the lamp off", "room": "kitchen"})
	w.ok(t, "allow", asked.Action)
	w.reached(t, nod.RequestID(asked.Action), nod.StepApplied)
	if list := switched(); len(list) != 1 {
		t.Errorf("switched %v", list)
	}
}

func TestADangerousPhraseIsAskedAboutFirst(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining("Turn off all the lights", fakeapi.Say("It is dark now."))
	puck := w.speaker(t)
	asked := puck.ask(t, map[string]any{"query": "Turn off all the lights", "room": "hall"})
	if !asked.Permission || len(w.API.Requests()) != 0 {
		t.Fatalf("%+v, the model heard %d", asked, len(w.API.Requests()))
	}
	if done := puck.ask(t, map[string]any{"query": "yes", "session_id": asked.Session, "confirm_action": true}); done.Text != "It is dark now." || !done.Executed {
		t.Errorf("%+v", done)
	}
}

func TestPermissionLineOfTheModelBecomesARequest(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining("good night", fakeapi.Say("PERMISSION_REQUIRED: Switch everything off and lock the door | COMMANDS: light.turn_off, lock.lock"))
	w.API.OnContaining("confirmed exactly this", fakeapi.Say("Done. Good night!"))
	puck := w.speaker(t)
	asked := puck.ask(t, map[string]any{"query": "good night", "room": "bedroom"})
	if !asked.Permission || !strings.Contains(asked.Description, "lock the door") || strings.Contains(asked.Text, "PERMISSION_REQUIRED") {
		t.Fatalf("%+v", asked)
	}
	if done := puck.ask(t, map[string]any{"query": "yes", "session_id": asked.Session, "confirm_action": true}); done.Text != "Done. Good night!" || !done.Executed {
		t.Errorf("%+v", done)
	}
}

func TestTwoSpeakersAtOnce(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	for i := range 4 {
		w.API.OnContaining("question "+strconv.Itoa(i), fakeapi.Say("Answer "+strconv.Itoa(i)+"."))
	}
	puck := w.speaker(t)
	var all sync.WaitGroup
	for i := range 4 { // two in each room, at the same time
		all.Go(func() {
			got := puck.ask(t, map[string]any{"query": "question " + strconv.Itoa(i), "room": "room" + strconv.Itoa(i%2)})
			if got.Text != "Answer "+strconv.Itoa(i)+"." {
				t.Errorf("question %d: %+v", i, got)
			}
		})
	}
	all.Wait()
}

func TestAnswerIsStreamed(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining("tell me", fakeapi.Say("First this. Then that."))
	r := w.speaker(t).call(t, "/ask", map[string]any{"query": "tell me"}, "Accept", "text/event-stream")
	if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/event-stream") {
		t.Fatalf("it is %s", got)
	}
	var events []string
	var last heardReply
	lines := bufio.NewScanner(r.Body)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			events = append(events, name)
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && len(events) > 0 && events[len(events)-1] == "done" {
			if err := json.Unmarshal([]byte(data), &last); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(events) < 2 || events[0] != "piece" || events[len(events)-1] != "done" || last.Text != "First this. Then that." {
		t.Errorf("%v, %+v", events, last)
	}
}

func TestErrorsAreSpoken(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining("are you there", fakeapi.Overloaded())
	puck := w.speaker(t)
	got := puck.ask(t, map[string]any{"query": "are you there", "language": "en"})
	if got.Error != string(nod.TroubleBusy) || got.Text == "" {
		t.Errorf("%+v", got)
	}
	if r := puck.call(t, "/ask", map[string]any{"query": strings.Repeat("x", 1<<20)}); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a megabyte was answered with %d", r.StatusCode)
	}
	w.API.OnContaining("and now", fakeapi.Say("Now I am."))
	if got := puck.ask(t, map[string]any{"query": "and now", "session_id": got.Session}); got.Text != "Now I am." {
		t.Errorf("after the trouble: %+v", got)
	}
}

// The hub is killed in the middle of a turn: the turn is over, and says so; the
// conversation continues and remembers.
func TestTheHubIsKilledInTheMiddleOfAnAnswer(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	w.API.OnContaining("my name is Anna", fakeapi.Say("Hello Anna."))
	w.API.OnContaining("think long", fakeapi.Say("never heard").Until(hold))
	w.API.OnContaining("who am I", fakeapi.Say("You are Anna."))
	first := w.ok(t, "ask", "--json", "my name is Anna")
	var got struct {
		Session string `json:"session"`
	}
	if err := json.Unmarshal([]byte(first), &got); err != nil || got.Session == "" {
		t.Fatalf("%s: %v", first, err)
	}
	thinking := exec.Command(binary, "ask", "--session", got.Session, "think long")
	thinking.Env, thinking.Dir = w.env(), w.Dir
	if err := thinking.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = thinking.Process.Kill(); _ = thinking.Wait() })
	w.agent(t, "thinks", func(a *nod.Agent) bool { return a.State == nod.AgentWorking && a.Prompt != "" })
	w.killHub(t)
	w.startHub(t)
	w.agent(t, "has stopped thinking", func(a *nod.Agent) bool { return string(a.ID) == got.Session && a.State == nod.AgentIdle })
	if out := w.ok(t, "ask", "--session", got.Session, "who am I"); !strings.Contains(out, "You are Anna.") {
		t.Errorf("it said %q", out)
	}
	all := w.API.Requests()
	if !all[len(all)-1].Told("my name is Anna") {
		t.Error("the conversation has forgotten its beginning")
	}
}
