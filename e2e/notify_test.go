package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
)

// farChannel stands in for a service, with answers in the shape that was seen of
// the real one.
type farChannel struct {
	*httptest.Server
	mu    sync.Mutex
	calls []farCall
}

type farCall struct {
	method, path string
	body         map[string]any
}

func newFarChannel(t *testing.T, answer func(c farCall, w http.ResponseWriter, r *http.Request)) *farChannel {
	t.Helper()
	f := &farChannel{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := farCall{method: r.Method, path: r.URL.Path}
		text, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(text, &c.body) // not every call has one
		f.mu.Lock()
		f.calls = append(f.calls, c)
		f.mu.Unlock()
		answer(c, w, r)
	}))
	t.Cleanup(f.Close)
	return f
}

// wait is the first call that fits.
func (f *farChannel) wait(t *testing.T, what string, fits func(farCall) bool) (found farCall) {
	t.Helper()
	rig.Until(t, what, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, c := range f.calls {
			if fits(c) {
				found = c
				return true
			}
		}
		return false
	}, func() string { return fmt.Sprintf("calls: %+v", f.calls) })
	return found
}

// notified is a world whose hub sends notifications.
func notified(t *testing.T, config string) *world {
	t.Helper()
	w := worldWithoutHub(t, rig.Options{})
	w.writeConfig(t, "[notify]\nlinks_from_here = true\n"+config)
	w.startHub(t)
	return w
}

// decidesNothing is what a chat or a mail program does to every link.
func decidesNothing(t *testing.T, w *world, url string, id nod.RequestID) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("a preview: %v, %v", res, err)
	}
	_ = res.Body.Close()
	if r := w.one(t); r.ID != id || r.Status != nod.Pending {
		t.Fatalf("a preview decided: %+v", r)
	}
}

func TestAllowFromAnNtfyNotification(t *testing.T) {
	t.Parallel()
	ntfy := newFarChannel(t, func(c farCall, w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "x1", "event": "message", "topic": c.body["topic"], "sequence_id": c.body["sequence_id"]})
	})
	w := notified(t, "[notify.ntfy]\nurl = \""+ntfy.URL+"\"\ntopic = \"alerts\"\n")
	call := fakeapi.Bash("touch made-by-a-note")
	w.API.On("make it", fakeapi.Use(call), fakeapi.Say("all done"))
	s := w.StartTUI(t)
	s.Prompt(t, "make it")
	r := w.one(t)

	note := ntfy.wait(t, "a note", func(c farCall) bool { return c.method == "POST" })
	if note.body["topic"] != "alerts" || !strings.Contains(fmt.Sprint(note.body["message"]), "touch made-by-a-note") {
		t.Errorf("the note is %+v", note.body)
	}
	allow := note.body["actions"].([]any)[0].(map[string]any)
	if allow["label"] != "Allow" || allow["method"] != "POST" {
		t.Fatalf("the first button is %+v", allow)
	}
	link := allow["url"].(string)
	decidesNothing(t, w, link, r.ID)
	for i, want := range []int{http.StatusOK, http.StatusGone} {
		res, err := http.Post(link, "", nil)
		if err != nil || res.StatusCode != want {
			t.Fatalf("press %d: %v, %v", i+1, res, err)
		}
		_ = res.Body.Close()
	}
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	if _, err := os.Stat(filepath.Join(w.Dir, "made-by-a-note")); err != nil {
		t.Error(err)
	}
	ntfy.wait(t, "the note to be taken back", func(c farCall) bool {
		return c.method == "DELETE" && c.path == "/alerts/"+note.body["sequence_id"].(string)
	})
	if d := w.reached(t, r.ID, nod.StepApplied).Decision; d.By != "you" || d.Via != "ntfy" {
		t.Errorf("decided by %+v", d)
	}
}

func TestDenyInATelegramChat(t *testing.T) {
	t.Parallel()
	presses := make(chan string, 1)
	bot := newFarChannel(t, func(c farCall, w http.ResponseWriter, r *http.Request) {
		result := "true"
		switch filepath.Base(c.path) {
		case "sendMessage":
			result = `{"message_id":77,"chat":{"id":42}}`
		case "getUpdates": // held open, as Telegram does
			select {
			case code := <-presses:
				result = fmt.Sprintf(`[{"update_id":10,"callback_query":{"id":"q1","from":{"id":42},"message":{"message_id":77,"chat":{"id":42}},"data":%q}}]`, code)
			case <-r.Context().Done():
				return
			}
		}
		_, _ = io.WriteString(w, `{"ok":true,"result":`+result+`}`)
	})
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("123:abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := notified(t, "[notify.telegram]\nurl = \""+bot.URL+"\"\nchat = \"42\"\ntoken_file = \""+token+"\"\n")
	call := fakeapi.Bash("touch never-made")
	w.API.On("make it", fakeapi.Use(call), fakeapi.Say("as you wish"))
	s := w.StartTUI(t)
	s.Prompt(t, "make it")

	note := bot.wait(t, "a message", func(c farCall) bool { return c.path == "/bot123:abc/sendMessage" })
	row := note.body["reply_markup"].(map[string]any)["inline_keyboard"].([]any)[0].([]any)
	presses <- row[1].(map[string]any)["callback_data"].(string)
	s.WaitToolResult(t, call.ID)
	if _, err := os.Stat(filepath.Join(w.Dir, "never-made")); err == nil {
		t.Error("it was made")
	}
	said := bot.wait(t, "an answer to the press", func(c farCall) bool { return c.path == "/bot123:abc/answerCallbackQuery" })
	if said.body["text"] != "Denied" {
		t.Errorf("the press was answered with %+v", said.body)
	}
	edit := bot.wait(t, "the message to change", func(c farCall) bool { return c.path == "/bot123:abc/editMessageText" })
	if !strings.HasPrefix(edit.body["text"].(string), "Denied by you (telegram)") || edit.body["reply_markup"] != nil {
		t.Errorf("the message became %+v", edit.body)
	}
}
