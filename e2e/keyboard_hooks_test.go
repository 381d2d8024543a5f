package e2e

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nod/e2e/rig"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// What people have for the original: a hook before and after each tool, and a daemon.
// As the original's starter does, it takes session and process from /status; as the
// original's daemon does, it ends when that process is gone, asks for presses every
// tenth of a second, drops those of another session, and types the others. Here it
// types into a file. The proxy posts an agent's tool calls to /mcp/tool, with no token.
const (
	beforeTool = `curl -s -X POST "$KB/state/update" -H 'Content-Type: application/json' -d '{"event":"thinking_start"}' >/dev/null
curl -s -X POST "$KB/update" -H 'Content-Type: application/json' -d '{"buttons":["STOP","","",""],"actions":["STOP","","",""],"images":["stop.rgb","","",""]}'`
	afterTool = `curl -s -X POST "$KB/state/update" -d '{"event":"thinking_end"}' >/dev/null
curl -s -X POST "$KB/update" -d '{"buttons":["Yes","No","Proceed","Help"],"images":["yes.rgb","no.rgb","proceed.rgb","help.rgb"]}'`
	daemon = `status=$(curl -s "$KB/status")
session=$(jq -r .sessionId <<<"$status")
agent=$(jq -r .claudePid <<<"$status")
while :; do
  kill -0 "$agent" 2>/dev/null || { echo "the agent is gone" >>"$TYPED"; exit 0; }
  said=$(curl -s "$KB/inputs") || { sleep 0.1; continue; }
  [ "$(jq -r .sessionId <<<"$said")" = "$session" ] && jq -r '.inputs[].text' <<<"$said" >>"$TYPED"
  sleep 0.1
done`
	proxy = `curl -s -X POST "$KB/mcp/tool" -H 'Content-Type: application/json' -d '{"name":"update_keyboard_context","arguments":{"context":"testing","detail":"go test"}}' | jq -c .buttons`
)

// script runs shell with the keyboard's address in KB.
func (w *world) script(t *testing.T, kb, text string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", text)
	cmd.Env = append(w.env(), "KB="+kb)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func needScripts(t *testing.T) {
	t.Helper()
	for _, program := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("NOD_E2E_REQUIRE") == "1" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}

// freeAddress is an address without a listener, at least a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestHooksAndDaemonsOfTheOriginalWork(t *testing.T) {
	needScripts(t)
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	address := freeAddress(t)
	w.writeConfig(t, fmt.Sprintf("[keyboard]\nlisten = %q\n", address))
	w.startHub(t)
	kb := "http://" + address
	b := w.keyboard(t)

	session := w.script(t, kb, `curl -s "$KB/status" | jq -r .sessionId`)
	if !regexp.MustCompile(`^tk-\d+-\d+$`).MatchString(session) {
		t.Errorf("the session is %q", session)
	}
	if got := w.script(t, kb, beforeTool); got != `{"success":true,"connected":true}` {
		t.Errorf("the hook before a tool heard %s", got)
	}
	stop := keyThatSays(t, b, "STOP")
	rig.Until(t, "a keyboard that thinks", func() bool { return b.State() == fakekeyboard.Thinking }, func() string { return b.State() })

	typed := filepath.Join(w.data, "typed")
	w.daemon(t, kb, typed)
	w.pressUntilTyped(t, b, stop, typed, "STOP")
	if got := w.script(t, kb, proxy); got != `["STOP","Run tests","Fix it","Help"]` {
		t.Errorf("the proxy heard %s", got)
	}
	w.pressUntilTyped(t, b, keyThatSays(t, b, "Run tests"), typed, "Run tests")
	if got := w.script(t, kb, afterTool); got != `{"success":true,"connected":true}` {
		t.Errorf("the hook after a tool heard %s", got)
	}
	w.pressUntilTyped(t, b, keyThatSays(t, b, "No"), typed, "No")

	picture := w.script(t, kb, `name=$(curl -s -X POST "$KB/generate-image" -d '{"emoji":"💾"}' | jq -r .filename); curl -s "$KB/images/$name" | wc -c`)
	if strings.TrimSpace(picture) != "32768" {
		t.Errorf("a picture of %s bytes", picture)
	}
	const test = `curl -s -o /dev/null -w '%{http_code}' -X POST "$KB/test/button" -H "$WHO" -d '{"key":1,"text":"Yes"}'`
	if got := w.script(t, kb, "WHO='X-Nobody: 1'; "+test); got != "403" {
		t.Errorf("without a token a press was answered %s", got)
	}
	token := strings.TrimSpace(w.ok(t, "token", "create", "--name", "tester", "--rights", "view,answer"))
	if got := w.script(t, kb, "WHO='Authorization: Bearer "+token+"'; "+test); got != "200" {
		t.Errorf("with a token a press was answered %s", got)
	}
	w.killHub(t)
	w.startHub(t)
	if again := w.script(t, kb, `curl -s "$KB/session/verify" | jq -r .sessionId`); again != session {
		t.Errorf("after a restart the session %s is %s, and every daemon would throw presses away", session, again)
	}
	b = w.keyboard(t)
	w.pressUntilTyped(t, b, keyThatSays(t, b, "Proceed"), typed, "Proceed") // the same daemon goes on
}

// daemon runs until the test ends.
func (w *world) daemon(t *testing.T, kb, typed string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", daemon)
	cmd.Env = append(w.env(), "KB="+kb, "TYPED="+typed)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

func (w *world) pressUntilTyped(t *testing.T, b *fakekeyboard.Board, key int, file, text string) {
	t.Helper()
	read := func() string { out, _ := os.ReadFile(file); return string(out) }
	rig.Until(t, "typed "+text, func() bool {
		if strings.Contains(read(), text+"\n") {
			return true
		}
		b.Press(key)
		return false
	}, func() string { return fmt.Sprintf("typed: %q, %+v", read(), b.Screens()) })
}
