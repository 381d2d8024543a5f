package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
)

func TestOnlyOneOfFiftyAnswersWins(t *testing.T) {
	g := newRig(t)
	id := g.create(g.keys["phone"], bash)
	var won, late atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			w := g.send("POST", "/permission-request/"+id+"/respond", g.keys["phone"], fmt.Sprintf(`{"choice":%d}`, i%3+1))
			switch {
			case w.Code == 200:
				won.Add(1)
			case w.Code == 404 && strings.Contains(w.Body.String(), tooLate):
				late.Add(1)
			default:
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if got := g.outcome(g.keys["phone"], id); got == "- -" || strings.HasSuffix(got, " -") {
				t.Errorf("after an answer a hook reads %q", got)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || late.Load() != 49 {
		t.Errorf("%d answers won, %d came late", won.Load(), late.Load())
	}
}

// However many prompts of one pane come at once, only one is pending in the end.
func TestOnePaneHasOnePendingPrompt(t *testing.T) {
	g := newRig(t)
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() { g.send("POST", "/permission-request", g.keys["phone"], bash) })
	}
	all.Wait()
	w := g.send("GET", "/permission-requests", g.keys["phone"], "")
	var list []item
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	open := 0
	for _, it := range list {
		if it.Response == nil {
			open++
		}
	}
	if open != 1 || len(list) != 30 {
		t.Errorf("%d of %d wait", open, len(list))
	}
}

func TestHookCanWaitForItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		key := g.keys["phone"]
		id := g.create(key, `{"timeout":100}`)
		ask := func(query string) (string, time.Duration) {
			at := time.Now()
			w := g.send("GET", "/permission-request/"+id+"/response"+query, key, "")
			return w.Body.String(), time.Since(at)
		}
		for _, query := range []string{"", "?wait=0", "?wait=-4", "?wait=soon", "?wait=NaN"} {
			if body, took := ask(query); took != 0 || !strings.Contains(body, `"response":null`) {
				t.Errorf("%q: %s after %s", query, body, took)
			}
		}
		if body, took := ask("?wait=2.5"); took != 2500*time.Millisecond || !strings.Contains(body, `"response":null`) {
			t.Errorf("%s after %s", body, took)
		}
		if _, took := ask("?wait=1000"); took != longestPoll {
			t.Errorf("a poll lasted %s", took)
		}
		go func() {
			time.Sleep(3 * time.Second)
			g.decide(id, nod.Answer{Verdict: nod.VerdictAllow})
		}()
		if body, took := ask("?wait=30"); took != 3*time.Second || !strings.Contains(body, `"send_key":"1"`) {
			t.Errorf("%s after %s", body, took)
		}
		id = g.create(key, `{"timeout":4}`)
		if body, took := ask("?wait=30"); took != 4*time.Second || !strings.Contains(body, expired) {
			t.Errorf("%s after %s", body, took)
		}
	})
}

func TestPromptBecomesARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		key := g.keys["phone"]
		id := g.create(key, bash)
		g.settle()
		r := g.request(id)
		if r.Kind != nod.KindApproval || r.Tool != "Bash" || string(r.Input) != `{"command":"git status"}` || r.Title != "Bash: git status" || r.OneTap || !r.Unsure || !r.CanAlways {
			t.Errorf("%+v", r)
		}
		if r.Agent.Kind != "relay" || r.Agent.Name != "desk:main" || r.Agent.Host != "desk" {
			t.Errorf("%+v", r.Agent)
		}
		if len(r.Options) != 1 || r.Options[0].ID != "choice-2" || r.Options[0].Kind != nod.OptionAlways {
			t.Errorf("%+v", r.Options)
		}
		state := func() nod.AgentState {
			var at nod.AgentState
			g.Hub.Look(func(s *nod.State) { at = s.Agents[r.Agent.ID].State })
			return at
		}
		if state() != nod.AgentWaiting {
			t.Errorf("its agent is %s", state())
		}
		g.decide(id, nod.Answer{Verdict: nod.VerdictAllow, Remember: "choice-2"})
		if got := g.outcome(key, id); got != "allow 2" {
			t.Errorf("the hook reads %q", got)
		}
		g.settle()
		if _, ok := g.request(id).Receipt(nod.StepDelivered); !ok {
			t.Error("that the hook has the answer is not noted")
		}
		time.Sleep(2 * quiet) // its hook reports no end of a turn
		g.settle()
		if state() != nod.AgentIdle {
			t.Errorf("long after the answer its agent is %s", state())
		}
		g.send("POST", "/notify", key, `{"title":"Done","message":"all green","hostname":"desk:main","tmux_target":"desk:main:0.1"}`)
		g.settle()
		turns, err := g.Desk().Turns(t.Context(), r.Agent.ID, 0, 10)
		if err != nil || len(turns) != 1 || turns[0].Role != nod.TurnSystem || turns[0].Text != "Done: all green" {
			t.Errorf("%+v, %v", turns, err)
		}
		if state() != nod.AgentIdle {
			t.Errorf("its agent is %s", state())
		}
		time.Sleep(3 * time.Hour) // no hook reports anything more
		g.settle()
		if state() != nod.AgentEnded {
			t.Errorf("its agent is %s", state())
		}
	})
}

func TestQuestionBecomesAQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		id := g.create(g.keys["phone"], `{"tool_name":"Question","header":"Color","prompt_question":"Which colour?","choices":[{"number":1,"text":"Red"},{"number":2,"text":"Blue"}]}`)
		r := g.request(id)
		if r.Kind != nod.KindQuestion || len(r.Questions) != 1 || r.Title != "Which colour?" || len(r.Questions[0].Choices) != 2 {
			t.Errorf("%+v", r)
		}
	})
}

// What is pending when nod ends is pending after the restart, with the same keys.
func TestARestartLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.key("attic", "raise,view,answer", "attic")
		attic := g.keys["attic"]
		id := g.create(attic, `{"tool_name":"Bash","message":"x","hostname":"desk:main","tmux_target":"a","choices":[{"number":4,"text":"Yes"},{"number":5,"text":"Always"},{"number":6,"text":"No"}]}`)
		plain := g.create(g.keys["phone"], `{"message":"y"}`)
		g.settle()
		before := g.send("GET", "/permission-requests", attic, "").Body.String()
		others := g.send("GET", "/permission-requests", g.keys["phone"], "").Body.String()
		g.begin()
		g.settle()
		if after := g.send("GET", "/permission-requests", attic, "").Body.String(); after != before {
			t.Errorf("%s\nbecame\n%s", before, after)
		}
		if after := g.send("GET", "/permission-requests", g.keys["phone"], "").Body.String(); after != others {
			t.Errorf("%s\nbecame\n%s", others, after)
		}
		g.send("POST", "/permission-request/"+id+"/respond", attic, `{"choice":5}`)
		g.decide(plain, nod.Answer{Verdict: nod.VerdictDeny})
		if got := g.outcome(attic, id) + ", " + g.outcome(g.keys["phone"], plain); got != "allow 5, deny 3" {
			t.Errorf("the hooks read %q", got)
		}
		g.create(attic, `{"message":"again","tmux_target":"a"}`)
		if w := g.send("GET", "/permission-requests", attic, ""); strings.Count(w.Body.String(), `"response":null`) != 1 {
			t.Errorf("%s", w.Body)
		}
	})
}

func TestUnchangedListIsNotSentAgain(t *testing.T) {
	g := newRig(t)
	w := g.send("GET", "/permission-requests", g.keys["phone"], "")
	tag := w.Header().Get("ETag")
	if !strings.HasPrefix(tag, `W/"2-`) || w.Header().Get("Content-Length") != "2" {
		t.Errorf("%v", w.Header())
	}
	if w = g.send("GET", "/permission-requests", g.keys["phone"], "", "If-None-Match", tag); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestBodyTooLarge(t *testing.T) {
	g := newRig(t)
	w := g.send("POST", "/permission-request", "", `{"message":"`+strings.Repeat("x", mostBody)+`"}`)
	if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "<pre>") {
		t.Errorf("%d %.100s", w.Code, w.Body)
	}
}

// The schemes that the original accepts.
func TestAuthorizationSchemes(t *testing.T) {
	g := newRig(t)
	for header, want := range map[string]int{
		"Bearer " + g.keys["phone"]: 200, "bearer    " + g.keys["phone"]: 200, "BEARER " + g.keys["phone"]: 200,
		g.keys["phone"]: 401, "Bearer": 401, "Bearer ": 401, "Bearer" + g.keys["phone"]: 401,
	} {
		if w := g.send("GET", "/permission-requests", "", "", "Authorization", header); w.Code != want {
			t.Errorf("%q: %d", header[:8], w.Code)
		}
	}
}

func TestEndpointsWithoutAKey(t *testing.T) {
	g := newRig(t, func(o *options) {
		o.CA = []byte("-----BEGIN")
		o.VAPIDKey = func(context.Context) (string, error) { return "BPublic", nil }
		o.Timeout = 30 * time.Second
	})
	for path, want := range map[string]string{
		"/health": `{"status":"ok","request_timeout_ms":30000}`, "/PromptRelay-CA.pem": "-----BEGIN", "/vapid-public-key": `{"key":"BPublic"}`,
	} {
		if w := g.send("GET", path, "", ""); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestDevicesSurviveARestart(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(data, "relay-devices.json")
	g := newRig(t, func(o *options) { o.Data = data })
	g.key("attic", "view", "attic")
	for i := range 6 { // two more than there is room for
		g.send("POST", "/register", g.keys["phone"], fmt.Sprintf(`{"token":"t%d"}`, i))
	}
	g.send("POST", "/register", g.keys["attic"], `{"token":"t5","platform":"watchos"}`) // moves
	g.begin(func(o *options) { o.Data = data })
	apple, _ := g.surface.devices.of(owners)
	moved, _ := g.surface.devices.of(namedRoom("attic"))
	if len(apple) != 3 || apple[0].Token != "t2" || len(moved) != 1 || moved[0].Platform != watchOS {
		t.Errorf("%+v, %+v", apple, moved)
	}
	about, err := os.Stat(file)
	if err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", about, err)
	}
	if text, _ := os.ReadFile(file); strings.Contains(string(text), g.keys["phone"]) {
		t.Error("the file reveals a key")
	}
}

// A request that is refused leaves nothing behind.
func TestClosedHub(t *testing.T) {
	g := newRig(t)
	g.Close()
	w := g.send("POST", "/permission-request", g.keys["phone"], bash)
	if w.Code != http.StatusServiceUnavailable || !strings.HasPrefix(w.Body.String(), `{"error":"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if n := len(g.surface.registry.coming); n != 0 {
		t.Errorf("%d are still coming", n)
	}
}

func FuzzBodies(f *testing.F) {
	for _, body := range []string{bash, `{"choices":"abc"}`, `{"choices":[null]}`, `{"description":5}`, `{"tool_input":{"file_path":9}}`, `[]`, `null`, `{"choice":1e999}`, `{"timeout":1e300}`, `{"choices":[{"number":1},{"number":1}]}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		fs, ok := parseFields(body)
		if !ok {
			return
		}
		list, ok := parseChoices(fs["choices"])
		if !ok {
			return
		}
		e := &entry{own: true, room: keyRoom("some-key")}
		e.read(fs, list)
		r := e.request(fs, time.Unix(1e9, 0), 2*time.Minute)
		if back := recovered(&r); len(back) != len(e.options) {
			t.Fatalf("%d choices became %d", len(e.options), len(back))
		}
		e.last = &r
		answer, problem := e.meant(fs)
		if problem == "" {
			if _, err := r.Fit(answer); err != nil {
				t.Fatalf("%+v does not fit: %v", answer, err)
			}
		}
		_ = shorten(r.Display)
		_ = encode(fs)
	})
}

func TestFits(t *testing.T) {
	for _, tt := range []struct {
		path, id string
		ok       bool
	}{
		{"/permission-request/ab/RESPOND", "ab", true},
		{"/permission-request//respond", "", false},
		{"/permission-request/ab/respond/x", "", false},
		{"/permission-request/{id}/respond", "{id}", true},
	} {
		if id, ok := fits("/permission-request/{id}/respond", tt.path); id != tt.id || ok != tt.ok {
			t.Errorf("%s: %q %v", tt.path, id, ok)
		}
	}
}

// The page of the original leads to nod's own.
func TestPageLeadsToTheApp(t *testing.T) {
	for _, c := range []struct {
		address, host string
		status        int
		location      string
	}{
		{"https://desk.local:8742", "desk.local:3940", 302, "https://desk.local:8742/"},
		{"http://127.0.0.1:8742", "localhost:3939", 302, "http://127.0.0.1:8742/"},
		{"http://127.0.0.1:8742", "192.168.1.5:3939", 404, ""}, // the caller's own machine has no app
		{"", "localhost:3939", 404, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newRig(t, func(o *options) { o.Address = func() string { return c.address } })
			for _, path := range []string{"/", "/index.html"} {
				w := g.own.Send("GET", path, "", "", func(r *http.Request) { r.Host = c.host })
				if w.Code != c.status && c.address != "" || w.Header().Get("Location") != c.location {
					t.Errorf("%+v %s: %d %s", c, path, w.Code, w.Header())
				}
			}
		})
	}
}

// Without encryption a key that is read on the way must open nothing but its room.
func TestUnencryptedListenerTakesOnlyKeysOfRooms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t, func(o *options) { o.Plain = []string{":3939"} })
		g.key("attic", "raise,view,answer", "attic")
		list := g.surface.Listeners()
		if len(list) != 1 || !list[0].Plain || list[0].Address != ":3939" {
			t.Fatalf("%+v", list)
		}
		web := g.Web()
		web.Handler = list[0].Handler
		for key, want := range map[string]int{"attic": 200, "phone": 401} {
			if w := g.sendTo(web, "GET", "/permission-requests", g.keys[key], ""); w.Code != want {
				t.Errorf("%s: %d %s", key, w.Code, w.Body)
			}
		}
		if w := g.send("GET", "/permission-requests", g.keys["phone"], ""); w.Code != 200 {
			t.Errorf("with encryption: %d", w.Code)
		}
	})
}
