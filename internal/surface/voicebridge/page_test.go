package voicebridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/net/auth"
)

// The routes below are those that the original's page calls besides /api/voice: it
// fills its list of projects and personas, creates by project_id, and asks again for
// the options of a permission.

func TestProjects(t *testing.T) {
	g := newRig(t, 0, twoAssistants)
	g.typist()
	g.agent("api-1", nod.AgentIdle)
	g.agent("api-2", nod.AgentIdle)
	g.Agent("far-3", nod.AgentIdle, func(a *nod.Agent) { a.Name, a.Host, a.Cwd = "far", "laptop", "/home/anna/far" })
	w := g.send("GET", "/api/projects", g.token(auth.Paired), "")
	var list []Project
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || w.Code != 200 {
		t.Fatalf("%d %s %v", w.Code, w.Body, err)
	}
	byName := map[string]Project{}
	for _, p := range list {
		byName[p.Name] = p
	}
	if api := byName["api"]; len(list) != 4 || api.Agents != 2 || api.Path != "/home/anna/code/api" || !api.Create || api.ID < 1 || byName["far"].Create || !byName["site"].Create {
		t.Fatalf("%+v", list)
	}
	for body, want := range map[string]string{
		fmt.Sprintf(`{"project_id":%d}`, byName["api"].ID):                   "home in /home/anna/code/api",
		`{"project_name":"API"}`:                                             "home in /home/anna/code/api",
		fmt.Sprintf(`{"project_id":"%d"}`, byName["site"].ID):                "Coder in /home/anna/src/site",
		`{"project_name":"api","persona_slug":"coder","prompt":"look here"}`: "Coder in /home/anna/code/api",
		fmt.Sprintf(`{"project_id":%d}`, byName["far"].ID):                   "assistant_not_found",
		`{"project_id":7}`: "assistant_not_found",
	} {
		_, got := g.reply("POST", "/api/voice/agents/create", body)
		opened := fmt.Sprint(got["error"])
		if id, ok := got["nod_id"].(string); ok {
			g.Hub.Look(func(s *nod.State) {
				a := s.Agents[nod.AgentID(id)]
				opened = a.Talk.Assistant + " in " + a.Cwd
			})
		}
		if opened != want {
			t.Errorf("%s: %s, want %s: %v", body, opened, want, got)
		}
	}
	w = g.send("GET", "/api/personas/active", g.token(auth.Paired), "")
	if !strings.Contains(w.Body.String(), `"slug":"Coder"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestRoutesOfTheOriginalPage(t *testing.T) {
	g := newRig(t, 0)
	g.agent("nod-1", nod.AgentWorking)
	if w := g.send("GET", "/voice", "", ""); w.Code != http.StatusFound || w.Header().Get("Location") != "/agents" {
		t.Errorf("/voice: %d %s", w.Code, w.Header().Get("Location"))
	}
	for _, path := range []string{"/api/focus/1", "/api/agents/1/attach", "/api/agents/1/handoff", "/api/agents/1/revive", "/api/agents/1/reconcile"} {
		if code, got := g.reply("POST", path, ""); code != http.StatusNotImplemented || got["error"] != "not_implemented" || !strings.Contains(fmt.Sprint(got["message"]), "nod ") || said(got, "status_line") != "nod cannot do that." {
			t.Errorf("%s: %d %v", path, code, got)
		}
	}
	if code, got := g.reply("POST", "/api/voice/agents/1/recapture-permission", ""); code != 409 {
		t.Errorf("nothing is asked: %d %v", code, got)
	}
	g.Ask(approval("aaaa0001", "nod-1", "ls", "read"))
	code, got := g.reply("POST", "/api/voice/agents/1/recapture-permission", "")
	if options, _ := got["question_options"].([]any); code != 200 || got["recaptured"] != false || got["already_present"] != true || len(options) != 2 {
		t.Errorf("%d %v", code, got)
	}
}

// uploaded sends a file as the original's page does, and returns its address.
func (g *rig) uploaded(name, content string) string {
	g.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		g.Fatal(err)
	}
	_, _ = part.Write([]byte(content))
	_ = w.Close()
	res := g.send("POST", "/api/voice/agents/nod-1/upload", g.token(auth.Paired), form.String(), "Content-Type", w.FormDataContentType())
	var got struct {
		File FileMetadata `json:"file_metadata"`
	}
	if err := json.Unmarshal(res.Body.Bytes(), &got); err != nil || got.File.URL == "" {
		g.Fatalf("%d %s", res.Code, res.Body)
	}
	return got.File.URL
}

func TestUploadsAreServed(t *testing.T) {
	g := newRig(t, 0)
	g.typist()
	g.agent("nod-1", nod.AgentIdle, nod.CanSay)
	for name, want := range map[string][2]string{
		"a photo.png": {"image/png", "inline"}, "page.html": {"application/octet-stream", "attachment"}, "draw.svg": {"application/octet-stream", "attachment"},
	} {
		address := g.uploaded(name, "<script>alert(1)</script>")
		w := g.send("GET", address, g.token(nod.RightsOf(nod.View)), "")
		if w.Code != 200 || w.Header().Get("Content-Type") != want[0] || !strings.HasPrefix(w.Header().Get("Content-Disposition"), want[1]) || w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Body.String() != "<script>alert(1)</script>" {
			t.Errorf("%s: %d %v %s", name, w.Code, w.Header(), w.Body)
		}
		if w := g.send("GET", address, "", ""); w.Code != http.StatusUnauthorized {
			t.Errorf("%s without a token: %d", name, w.Code)
		}
	}
	for _, path := range []string{"/api/voice/uploads/abcdefghijklmnopqrstuvwxyz", "/api/voice/uploads/..%2f..%2fetc%2fpasswd", "/api/voice/uploads/%00"} {
		if w := g.send("GET", path, g.token(auth.Paired), ""); w.Code != 404 && w.Code != 400 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// browser opens streams as EventSource does: an address and nothing else, and the same
// address again when the connection breaks.
type browser struct {
	*httptest.Server
	ended chan struct{} // the server has noticed that a connection is gone
}

func (g *rig) browser() *browser {
	b := &browser{ended: make(chan struct{}, 1)}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.web.ServeHTTP(w, r)
		b.ended <- struct{}{}
	}))
	g.Cleanup(b.Close)
	return b
}

func (b *browser) eventSource(t *testing.T, address string) (status int, first string) {
	t.Helper()
	res, err := http.Get(b.URL + address)
	if err != nil {
		t.Fatal(err)
	}
	first, _ = bufio.NewReader(res.Body).ReadString('\n')
	_ = res.Body.Close()
	<-b.ended
	return res.StatusCode, first
}

func TestEventSourceWithATicket(t *testing.T) {
	g := newRig(t, 0)
	now := time.Unix(1e9, 0)
	g.bridge.Now = func() time.Time { return now }
	b := g.browser()
	ticket := func(token string) string {
		w := g.send("POST", "/api/voice/ticket", token, "")
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 201 || got["expires_in"] != 60.0 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return "/api/events/stream?types=turn_created&ticket=" + got["ticket"].(string)
	}
	viewer := g.token(nod.RightsOf(nod.View))
	address := ticket(viewer)
	for range 2 { // the second time after a broken connection
		if code, first := b.eventSource(t, address); code != 200 || first != "retry: 2000\n" {
			t.Errorf("%d %q", code, first)
		}
		now = now.Add(50 * time.Second)
	}
	now = now.Add(2 * time.Minute)
	if code, first := b.eventSource(t, address); code != 401 || !strings.Contains(first, "POST /api/voice/ticket") {
		t.Errorf("an old ticket: %d %s", code, first)
	}
	if code, _ := b.eventSource(t, "/api/events/stream?ticket=guessed"); code != 401 {
		t.Errorf("a guess: %d", code)
	}
	if w := g.send("POST", "/api/voice/ticket", g.token(nod.RightsOf(nod.Raise)), ""); w.Code != 403 {
		t.Errorf("an agent gets a ticket: %d %s", w.Code, w.Body)
	}
	address = ticket(viewer)
	name := address[strings.LastIndex(address, "=")+1:]
	for _, path := range []string{"/api/voice/sessions?ticket=", "/api/projects?ticket="} { // it opens nothing else
		if code, _ := b.eventSource(t, path+name); code != 401 {
			t.Errorf("%s: %d", path, code)
		}
	}
	id := strings.Split(viewer, "_")[1]
	if err := g.web.Credentials.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if code, _ := b.eventSource(t, address); code != 401 {
		t.Errorf("the ticket outlives its token: %d", code)
	}
}
