package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/surface/ollama"
	"nod/internal/surface/openai"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// compatHeard is what a third-party client receives; see compat/*.mjs.
type compatHeard struct {
	Models, Show, Pulled, Running                       []string
	Version, Alone                                      string
	First, Second, Asked, Unclear, Done, Asked2, Denied compatSaid
	Unknown, Picture, Failed, Stranger                  compatFailure
}

type compatSaid struct {
	Text, Reason string
	Done, Took   bool
}

type compatFailure struct {
	Status              int
	Message, Code, Type string
}

// speak runs an official client, unmodified, against a hub.
func speak(t *testing.T, client, url, token string) (heard compatHeard) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("node_modules", client))
	}
	if err != nil {
		if os.Getenv("NOD_E2E_REQUIRE") == "1" {
			t.Fatal(err)
		}
		t.Skipf("the client %s is not installed: run `npm ci` in e2e", client)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, filepath.Join("compat", client+".mjs"), url, token)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + t.TempDir()}
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", client, err, out.String(), problems.String())
	}
	if err := json.Unmarshal(out.Bytes(), &heard); err != nil {
		t.Fatalf("%s: %v\n%s", client, err, out.String())
	}
	return heard
}

// check is what every client must receive, whichever assistant answers.
func (h *compatHeard) check(t *testing.T) {
	t.Helper()
	for _, tt := range []struct {
		what string
		got  compatSaid
		want string
	}{
		{"a question", h.First, "Warsaw."},
		{"a follow-up", h.Second, "Tokyo."},
		{"a yes", h.Done, "The lamp is off."},
		{"a no", h.Denied, "Then it stays on."},
	} {
		if tt.got.Text != tt.want || !tt.got.Done || tt.got.Reason != "stop" || !tt.got.Took {
			t.Errorf("%s: %+v, want %q", tt.what, tt.got, tt.want)
		}
	}
	if q := h.Asked.Text; !strings.HasSuffix(strings.TrimSpace(q), "?") && !strings.Contains(q, "yes") || h.Asked2.Text == "" {
		t.Errorf("it did not ask: %q, %q", q, h.Asked2.Text)
	}
	if h.Unclear.Text == "" || strings.Contains(h.Unclear.Text, "The lamp is off.") {
		t.Errorf("neither yes nor no: %q", h.Unclear.Text)
	}
	if !strings.Contains(strings.Join(h.Models, " "), "house") || h.Unknown.Status != http.StatusNotFound || !strings.Contains(h.Unknown.Message, "There is: house") {
		t.Errorf("models %v, unknown: %+v", h.Models, h.Unknown)
	}
	if h.Picture.Status != http.StatusBadRequest || h.Stranger.Status != http.StatusUnauthorized {
		t.Errorf("a picture: %+v; without a token: %+v", h.Picture, h.Stranger)
	}
	if h.Failed.Status != http.StatusServiceUnavailable || h.Failed.Message == "" {
		t.Errorf("trouble: %+v", h.Failed)
	}
}

// The clients are tested against nod's endpoints with a scripted assistant…
func TestOfficialClientsAndAScriptedAssistant(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"ollama", "openai"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			h, url, token := scriptedHub(t)
			heard := speak(t, client, url, token)
			heard.check(t)
			if client == "ollama" && (heard.Alone != "Warsaw." || strings.Join(heard.Pulled, " ") != "pulling manifest success" || len(heard.Running) != 1 || heard.Version == "") {
				t.Errorf("%+v", heard)
			}
			h.Look(func(s *nod.State) {
				threads := 0
				for _, a := range s.Agents {
					if a.Talk.Turns == 4 && a.Talk.Hints == "You are in the kitchen." {
						threads++
					}
				}
				if threads != 1 {
					t.Errorf("%d conversations with four answers among %d", threads, len(s.Agents))
				}
			})
		})
	}
}

// … and with the real binary and the real Claude Code.
func TestOfficialClientsAndClaudeCode(t *testing.T) {
	t.Parallel()
	w, switched := switchWorld(t, "[brain]\nrate = 100\n")
	lamp := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "kitchen lamp"})
	heat := fakeapi.Tool("mcp__house__HassTurnOff", map[string]any{"name": "heating"})
	w.API.OnContaining("capital of Poland?", fakeapi.Say("Warsaw."))
	w.API.OnContaining("And of Japan?", fakeapi.Say("Tokyo."))
	w.API.OnContaining("Switch the lamp off", fakeapi.Use(lamp), fakeapi.Say("The lamp is off."))
	w.API.OnContaining("Switch the heating off", fakeapi.Use(heat), fakeapi.Say("Then it stays on."))
	w.API.OnContaining("Trouble, please", fakeapi.Overloaded())
	token := w.speaker(t).token
	for i, client := range []string{"ollama", "openai"} {
		heard := speak(t, client, w.url, token)
		heard.check(t)
		if list := switched(); len(list) != i+1 || !strings.Contains(list[i], "kitchen lamp") {
			t.Errorf("%s: switched %v", client, list)
		}
		if n := w.threads(t, client, 4); n != 1 {
			t.Errorf("%s: %d conversations with four answers", client, n)
		}
	}
}

// threads counts the conversations of a surface with so many answers.
func (w *world) threads(t *testing.T, door string, answers int) (n int) {
	t.Helper()
	agents, err := w.client.Agents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range agents {
		if strings.HasPrefix(string(a.ID), door+"-") && a.Talk != nil && a.Talk.Turns == answers {
			n++
		}
	}
	return n
}

// The hub is killed in between, so only the program and the log know the history.
func TestClientConversationSurvivesARestart(t *testing.T) {
	t.Parallel()
	w, _ := switchWorld(t, "")
	w.API.OnContaining("capital of Poland?", fakeapi.Say("Warsaw."))
	w.API.OnContaining("And of Japan?", fakeapi.Say("Tokyo."))
	client := w.speaker(t)
	said := []map[string]string{}
	say := func(text string) string {
		said = append(said, map[string]string{"role": "user", "content": text})
		var got struct {
			Choices []struct {
				Message map[string]string `json:"message"`
			} `json:"choices"`
		}
		r := client.call(t, "/v1/chat/completions", map[string]any{"model": "house", "messages": said})
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || len(got.Choices) != 1 {
			t.Fatalf("status %d: %v", r.StatusCode, err)
		}
		answer := got.Choices[0].Message["content"]
		said = append(said, map[string]string{"role": "assistant", "content": answer})
		return answer
	}
	if got := say("What is the capital of Poland?"); got != "Warsaw." {
		t.Fatalf("%q", got)
	}
	w.killHub(t)
	w.startHub(t)
	if got := say("And of Japan?"); got != "Tokyo." || w.threads(t, "openai", 2) != 1 {
		t.Errorf("%q, and %d conversations with two answers", got, w.threads(t, "openai", 2))
	}
	all := w.API.Requests()
	if last := all[len(all)-1]; !last.Told("capital of Poland?") {
		t.Errorf("the model did not hear of the first question: %v", last.UserTexts())
	}
}

// scriptedHub serves nod's endpoints for third-party clients on a real address.
func scriptedHub(t *testing.T) (h *hub.Hub, url, token string) {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test", Assistants: []nod.Assistant{{Name: "house", Kind: "claude"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	scripted.New(t, h, func(turn *scripted.Turn) {
		approval := nod.Request{ID: nod.RequestID("r-" + turn.Message.ID), Tool: "mcp__house__HassTurnOff", Title: "HassTurnOff: it", OneTap: true}
		switch turn.Message.Text {
		case "What is the capital of Poland?":
			turn.Piece("War")
			turn.Piece("saw.")
			turn.Reply("Warsaw.")
		case "And of Japan?":
			turn.Reply("Tokyo.")
		case "Trouble, please":
			turn.Fail(nod.TroubleBusy, "overloaded")
		default:
			answer := "Then it stays on."
			if r := turn.Ask(approval); r != nil && r.Decision != nil && r.Decision.Verdict == nod.VerdictAllow {
				answer = "The lamp is off."
			}
			turn.Reply(answer)
		}
	})
	keeper := auth.NewCredentials(store, nil, nil)
	admin := nod.Actor{Name: "test", Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)}
	secret, _, err := keeper.Create(t.Context(), admin, "client", nod.RightsOf(nod.View, nod.Answering), "")
	if err != nil {
		t.Fatal(err)
	}
	chats := talk.NewChats(talk.ChatOptions{Asker: talk.New(hub.Deps{Hub: h}, 0), While: httpd.WhileServing})
	gate := &httpd.Gate{Credentials: keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	d := adapter.Deps{Deps: hub.Deps{Hub: h}, Version: "test"}
	routes := append(ollama.New(d, ollama.Needs{Chats: chats}).Routes(), openai.New(d, openai.Needs{Chats: chats}).Routes()...)
	server := httptest.NewServer(httpd.Mux(gate, slog.New(slog.DiscardHandler), routes...))
	t.Cleanup(server.Close)
	return h, server.URL, secret.Reveal()
}
