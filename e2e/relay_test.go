package e2e

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
)

// relayHook does what Prompt Relay's hook for Claude Code does once it has seen a
// dialog: it posts the prompt, polls every second for an answer,
// presses the key in the pane, and takes the request back whatever happened.
const relayHook = `set -u
auth="Authorization: Bearer $KEY"
created=$(curl -s --connect-timeout 3 -X POST "$URL/permission-request" -H "$auth" -H "Content-Type: application/json" -d "$PAYLOAD") || exit 1
id=$(printf '%s' "$created" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
[ -n "$id" ] || { printf '%s\n' "$created"; exit 1; }
while :; do
  sleep 1
  answer=$(curl -s --connect-timeout 3 "$URL/permission-request/$id/response" -H "$auth") || continue
  case $answer in
    *'"response":null'*) continue ;;
    *'"response":"cancelled"'* | *'"response":"expired"'*) break ;;
  esac
  key=$(printf '%s' "$answer" | sed -n 's/.*"send_key":"\([0-9]*\)".*/\1/p')
  [ -n "$key" ] && tmux -S "$TMUX_SOCKET" send-keys -t "$PANE" "$key"
  break
done
curl -s --connect-timeout 3 -X POST "$URL/permission-request/$id/cancel" -H "$auth"
printf ' %s\n' "$answer"
`

// relayDialog is an agent that asks in its own way and takes one key.
const relayDialog = `stty -icanon -echo
printf 'Bash command\n  git push\nDo you want to proceed?\n❯ 1. Yes\n  2. Yes, and always\n  3. No\nEsc to cancel\n'
key=$(dd bs=1 count=1 2>/dev/null)
printf 'pressed <%s>\n' "$key"
`

const relayPrompt = `{"tool_name":"Bash","tool_input":{"command":"git push"},"header":"Bash command","description":"git push","prompt_question":"Do you want to proceed?","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"Yes, and always"},{"number":3,"text":"No"}],"has_tmux":true,"tmux_target":"desk:main:0.0","hostname":"desk:main","timeout":120}`

// relayKey is a token for one side of the wire.
func (w *world) relayKey(t *testing.T, name, room string, rights ...nod.Right) string {
	t.Helper()
	token, err := w.client.CreateToken(t.Context(), v1.NewToken{Name: name, Room: room, Rights: nod.RightsOf(rights...)})
	if err != nil {
		t.Fatal(err)
	}
	return token.Secret
}

// paneWith opens a private tmux whose pane runs a script.
func (w *world) paneWith(t *testing.T, script string) (run func(args ...string) string, socket string) {
	t.Helper()
	program, file := rig.NeedTmux(t), filepath.Join(t.TempDir(), "dialog.sh")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "nod-pane-") // short enough for a socket
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(dir, "tmux")
	run = func(args ...string) string {
		cmd := exec.Command(program, append([]string{"-u", "-S", socket, "-f", "/dev/null"}, args...)...)
		cmd.Env = w.env()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("tmux %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	t.Cleanup(func() { run("kill-server"); _ = os.RemoveAll(dir) })
	run("start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";", "new-session", "-d", "-x", "100", "-y", "30", "--", "sh", file)
	rig.Until(t, "the dialog", func() bool { return strings.Contains(run("capture-pane", "-p"), "Esc to cancel") }, func() string { return run("capture-pane", "-p") })
	return run, socket
}

// The original's hook works after changing its address, and any surface of nod answers it.
func TestPromptRelaysHookIsAnsweredThroughNod(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the original's hook needs curl, and there is none")
	}
	w := newWorld(t, rig.Options{})
	key := w.relayKey(t, "hook on desk", "desk", nod.Raise)
	for _, tt := range []struct {
		name, press, word string
		answer            nod.Answer
	}{
		{"allowed", "<1>", "allow", nod.Answer{Verdict: nod.VerdictAllow}},
		{"made a rule", "<2>", "allow", nod.Answer{Verdict: nod.VerdictAllow, Remember: "choice-2"}},
		{"denied", "<3>", "deny", nod.Answer{Verdict: nod.VerdictDeny}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			pane, socket := w.paneWith(t, relayDialog)
			ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
			defer cancel()
			hook := exec.CommandContext(ctx, "sh", "-c", relayHook)
			hook.Env = append(w.env(), "URL="+w.url, "KEY="+key, "PAYLOAD="+relayPrompt, "TMUX_SOCKET="+socket, "PANE=%0")
			said := make(chan string, 1)
			go func() {
				out, err := hook.CombinedOutput()
				if err != nil {
					out = append(out, err.Error()...)
				}
				said <- string(out)
			}()
			r := w.one(t)
			if r.Agent.Kind != "relay" || r.Agent.Name != "desk:main" || r.Title != "Bash: git push" {
				t.Errorf("%+v", r)
			}
			w.answer(t, r, tt.answer)
			rig.Until(t, "the key in the pane", func() bool { return strings.Contains(pane("capture-pane", "-p"), "pressed "+tt.press) }, func() string { return pane("capture-pane", "-p") })
			if out := <-said; !strings.HasPrefix(out, `{"error":"not found or already responded"} `) || !strings.Contains(out, `"response":"`+tt.word+`"`) {
				t.Errorf("the hook said %q", out)
			}
			w.reached(t, r.ID, nod.StepDelivered)
		})
	}
}

// relayClient is a phone of Prompt Relay.
type relayClient struct {
	*testing.T
	url, key string
}

func (c *relayClient) call(method, path, body string) (int, []byte) {
	c.Helper()
	r, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", "application/json")
	return sendRequest(c, r)
}

// sendRequest returns the status and the body of the response.
func sendRequest(t testing.TB, r *http.Request) (int, []byte) {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, text
}

// relayed is what such a client reads of a request.
type relayed struct {
	ID      string `json:"id"`
	Tool    string `json:"tool_name"`
	Message string `json:"message"`
	Choices []struct {
		Number int    `json:"number"`
		Text   string `json:"text"`
	} `json:"choices"`
	Response *string `json:"response"`
}

// A real permission dialog of Claude Code, seen and answered by a client that
// knows nothing but Prompt Relay's wire.
func TestAClientOfPromptRelayAnswersARealAgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	yes, no := fakeapi.Bash(`python3 -c "print(6*7)"`), fakeapi.Bash(`python3 -c "print('no')"`)
	w.API.On("run both", fakeapi.Use(yes), fakeapi.Use(no), fakeapi.Say("all done"))
	c := &relayClient{t, w.url, w.relayKey(t, "phone", "", nod.View, nod.Answering)}
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.Replace(w.url, "http", "ws", 1)+"/ws?key="+c.key, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	waiting := func() relayed {
		for {
			_, text, err := conn.Read(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Requests []relayed }
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			for _, r := range got.Requests {
				if r.Response == nil {
					return r
				}
			}
		}
	}
	s := w.StartTUI(t)
	s.Prompt(t, "run both")
	r := waiting()
	if r.Tool != "Bash" || !strings.Contains(r.Message, "6*7") || len(r.Choices) < 2 || r.Choices[0].Number != 1 || r.Choices[len(r.Choices)-1].Text != "No" {
		t.Errorf("%+v", r)
	}
	if code, text := c.call("POST", "/permission-request/"+r.ID+"/respond", `{"choice":1,"source":"ios-app"}`); code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	if got := s.WaitToolResult(t, yes.ID); got.IsError || strings.TrimSpace(got.Text) != "42" {
		t.Errorf("the model was told %+v", got)
	}
	r = waiting()
	if code, text := c.call("POST", "/permission-request/"+r.ID+"/respond", `{"response":"deny","source":"android-app"}`); code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	if got := s.WaitToolResult(t, no.ID); !got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	if code, text := c.call("GET", "/permission-request/"+r.ID+"/response", ""); code != 200 || !strings.Contains(string(text), `"response":"deny"`) {
		t.Errorf("%d %s", code, text)
	}
	if code, _ := c.call("POST", "/permission-request/"+r.ID+"/respond", `{"choice":1}`); code != 404 {
		t.Errorf("answered again: %d", code)
	}
	hook := &relayClient{t, w.url, w.relayKey(t, "hook", "", nod.Raise)}
	if code, text := hook.call("GET", "/permission-requests", ""); code != 403 {
		t.Errorf("a hook looks around: %d %s", code, text)
	}
	if code, text := hook.call("POST", "/permission-request/"+r.ID+"/respond", `{"choice":1}`); code != 403 {
		t.Errorf("a hook answers: %d %s", code, text)
	}
}
