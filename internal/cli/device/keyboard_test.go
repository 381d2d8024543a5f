package device

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/client"
	"nod/internal/present/draw/icon"
)

var keypadStart = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const fourOptions = `{"type":"update_options","session_id":"s1","options":[` +
	`{"text":"Yes","action":"yes please","image":"","color":"#00FF00"},{"text":"Always","action":"","image":"","color":"#FFFF00"},` +
	`{"text":"Go on","action":"continue","image":"","color":"#FFFFFF"},{"text":"Again","action":"retry","image":"","color":"#FFFFFF"}]}`

func keypadAfter(messages ...string) *keypad {
	k := newKeypad()
	k.connect(keypadStart)
	for _, m := range messages {
		k.receive([]byte(m), keypadStart)
	}
	return k
}

func labels(k *keypad, now time.Time) string {
	var list []string
	for _, s := range k.screens(now) {
		list = append(list, s.label)
	}
	return strings.Join(list, "|")
}

func TestTheKeysShowWhatTheFirmwareWould(t *testing.T) {
	for _, c := range []struct {
		name     string
		messages []string
		after    time.Duration
		want     string
	}{
		{"before anything came", nil, 0, "|||"},
		{"options", []string{fourOptions}, 0, "Yes|Always|Go on|Again"},
		{"fewer leave the rest", []string{fourOptions, `{"type":"update_options","session_id":"s2","options":[{"text":"No"}]}`}, 0, "No|Always|Go on|Again"},
		{"more than four", []string{`{"type":"update_options","options":[{"text":"a"},{"text":"b"},{"text":"c"},{"text":"d"},{"text":"e"}]}`}, 0, "a|b|c|d"},
		{"thinking shows them too", []string{fourOptions, `{"type":"status","state":"thinking"}`}, 0, "Yes|Always|Go on|Again"},
		{"limit with an end", []string{`{"type":"status","state":"limit","countdown":125}`}, 5 * time.Second, "RATE|LIMIT|2:00|Continue"},
		{"limit that is over counts up", []string{`{"type":"status","state":"limit","countdown":10}`}, 75 * time.Second, "RATE|LIMIT|1:15|Continue"},
		{"limit again moves the end", []string{`{"type":"status","state":"limit","countdown":10}`, `{"type":"status","state":"limit","countdown":60}`}, 0, "RATE|LIMIT|1:00|Continue"},
		{"error hides options", []string{`{"type":"status","state":"error"}`, fourOptions}, 0, "ERROR|!|Continue|Retry"},
		{"unknown things", []string{fourOptions, `{"type":"status","state":"dancing"}`, `{"type":"dance"}`, `nonsense`, `{"type":"display_update","display":4}`, `{"type":"display_update","display":-1}`}, 0, "Yes|Always|Go on|Again"},
		{"a text on a picture", []string{`{"type":"update_options","session_id":"1","options":[{"text":"npm test","action":"x","image":"a.rgb","color":"#FFFFFF","about":"shop: npm test"}]}`}, 0, "shop: npm test|||"},
		{"a note", []string{fourOptions, `{"type":"display_update","display":3,"title":"shop","content":"desk"}`}, 0, "Yes|Always|Go on|shop desk"},
		{"a note goes with new options", []string{`{"type":"display_update","display":0,"title":"x"}`, fourOptions}, 0, "Yes|Always|Go on|Again"},
		{"a note goes with another state", []string{fourOptions, `{"type":"display_update","display":0,"title":"x"}`, `{"type":"status","state":"thinking"}`}, 0, "Yes|Always|Go on|Again"},
		{"a note stays in the same state", []string{fourOptions, `{"type":"display_update","display":0,"title":"x"}`, `{"type":"status","state":"idle"}`}, 0, "x|Always|Go on|Again"},
	} {
		if got := labels(keypadAfter(c.messages...), keypadStart.Add(c.after)); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
	if got := labels(newKeypad(), keypadStart); got != "|Wait|ing|..." {
		t.Errorf("at first: %s", got)
	}
}

func TestAKeySendsWhatTheFirmwareWould(t *testing.T) {
	limited, failed := `{"type":"status","state":"limit"}`, `{"type":"status","state":"error"}`
	for _, c := range []struct {
		state string
		key   int
		text  string
		after keypadState
	}{
		{"", 1, "yes please", padIdle}, {"", 2, "Always", padIdle}, {limited, 4, "retry", padIdle}, {limited, 1, "yes please", padLimited},
		{failed, 3, "continue", padIdle}, {failed, 4, "retry", padFailed},
	} {
		k := keypadAfter(fourOptions, c.state)
		said, restarts := k.press(c.key, false, keypadStart.Add(time.Second))
		if restarts || said == nil || *said != (keyPress{Type: "key_press", Session: "s1", Key: c.key, Text: c.text}) || k.state != c.after {
			t.Errorf("key %d in %q: %+v, then %d", c.key, c.state, said, k.state)
		}
	}
	k := keypadAfter(fourOptions)
	at := keypadStart.Add(time.Second)
	if said, _ := k.press(2, true, at); said == nil || !said.Hold {
		t.Errorf("held: %+v", said)
	}
	if said, _ := k.press(2, false, at.Add(99*time.Millisecond)); said != nil {
		t.Error("it bounces")
	}
	if said, _ := k.press(2, false, at.Add(101*time.Millisecond)); said == nil {
		t.Error("it sleeps")
	}
	k.connected = false
	if said, _ := k.press(3, false, at.Add(time.Minute)); said != nil {
		t.Error("it speaks without a connection")
	}
	k = keypadAfter(fourOptions)
	first, _ := k.press(1, false, at)
	_, restarts := k.press(4, false, at.Add(400*time.Millisecond))
	if first == nil || !restarts {
		t.Error("1 and 4 do not start it anew")
	}
	k.images["a.rgb"] = []byte{1}
	k.restart()
	if k.session != "" || k.state != padConnecting || k.connected || k.images["a.rgb"] == nil {
		t.Errorf("anew it is %+v", k)
	}
	k = keypadAfter(fourOptions)
	if _, restarts := k.press(4, false, at); restarts {
		t.Error("one key alone starts it anew")
	}
}

func TestLightsShowTheState(t *testing.T) {
	at := keypadStart.Add(time.Minute)
	for state, want := range map[string]string{"idle": "#004000", "thinking": "#c0a000", "error": "#ff0000", "limit": "#ff0000"} {
		if got := keypadAfter(`{"type":"status","state":"`+state+`"}`).light(1, at); got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
	k := keypadAfter()
	k.press(2, false, at)
	if k.light(1, at) != "#ffffff" || k.light(0, at) == "#ffffff" || k.light(1, at.Add(padFlash)) == "#ffffff" {
		t.Error("a press does not flash, or too long, or everywhere")
	}
	if k.connected = false; k.light(0, at.Add(time.Second)) != "#ff0000" || k.light(0, at.Add(redrawEvery)) != "#400000" {
		t.Error("without a hub it does not blink")
	}
}

// fakeKeyboardHub sends the test's messages and records what it receives.
type fakeKeyboardHub struct {
	url     string
	say     chan string
	heard   chan string
	fetched chan string
}

func newFakeKeyboardHub(t *testing.T) *fakeKeyboardHub {
	f := &fakeKeyboardHub{say: make(chan string, 8), heard: make(chan string, 8), fetched: make(chan string, 8)}
	picture := icon.RGB565(icon.NewDrawer().Draw(icon.Spec{Emoji: "✅", Label: "Yes"}))
	mux := http.NewServeMux()
	socket := func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if r.URL.Path == "/ws" && (origin != "file://" || r.Header.Get("Authorization") != "") || r.URL.Path != "/ws" && r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, `{"error":{"code":"forbidden","message":"no"}}`, http.StatusForbidden)
			return
		}
		ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: []string{"arduino"}})
		if err != nil || ws.Subprotocol() != "arduino" {
			t.Errorf("%v, %v", ws, err)
			return
		}
		defer func() { _ = ws.CloseNow() }()
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		go func() {
			for {
				select {
				case text := <-f.say:
					_ = ws.Write(ctx, websocket.MessageText, []byte(text))
				case <-ctx.Done():
					return
				}
			}
		}()
		for {
			_, text, err := ws.Read(ctx)
			if err != nil {
				return
			}
			f.heard <- string(text)
		}
	}
	images := func(w http.ResponseWriter, r *http.Request) {
		f.fetched <- r.PathValue("name")
		switch r.PathValue("name") {
		case "good.rgb":
			w.Header().Set("Content-Length", strconv.Itoa(len(picture)))
			_, _ = w.Write(picture)
		case "short.rgb":
			_, _ = w.Write(picture[:100])
		case "chunked.rgb":
			_, _ = w.Write(picture[:1])
			w.(http.Flusher).Flush()
			_, _ = w.Write(picture[1:])
		default:
			http.NotFound(w, r)
		}
	}
	mux.HandleFunc("GET /ws", socket)
	mux.HandleFunc("GET /v1/keyboard", socket)
	mux.HandleFunc("GET /images/{name}", images)
	mux.HandleFunc("GET /v1/keyboard/images/{name}", images)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

func padOptions(images ...string) string {
	var list []keyOption
	for i, name := range images {
		list = append(list, keyOption{Text: "Key" + strconv.Itoa(i+1), Action: "act " + strconv.Itoa(i+1), Image: name, Color: "#FFFFFF"})
	}
	text, _ := json.Marshal(hubMessage{Type: "update_options", Session: "s7", Options: list})
	return string(text)
}

func TestTheKeyboardInTheTerminalWorksLikeOne(t *testing.T) {
	hub := newFakeKeyboardHub(t)
	out := &outputRecorder{drawn: make(chan struct{}, 1)}
	keys := make(chan []byte)
	sim := &keyboardSimulator{
		dial: func(ctx context.Context) (*client.Keyboard, error) {
			return client.KeyboardAt(ctx, strings.TrimPrefix(hub.url, "http://"))
		},
		pad: newKeypad(), keys: keys, now: time.Now, display: &display{out: out, size: func() (int, int) { return 80, 24 }, hint: "the hint"},
	}
	first, err := sim.dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- sim.run(t.Context(), first) }()
	if got := <-hub.heard; got != `{"device":"tkeyboard","type":"register","version":"1.0"}` {
		t.Errorf("it says %s", got)
	}
	hub.say <- padOptions("good.rgb", "short.rgb", "chunked.rgb", "a-name-that-is-too-long.rgb")
	for _, want := range []string{"good.rgb", "short.rgb", "chunked.rgb"} {
		if got := <-hub.fetched; got != want {
			t.Errorf("it fetches %s", got)
		}
	}
	keys <- []byte("\x1b[1;2A") // no key, although digits are in it
	keys <- []byte("2")
	if got := <-hub.heard; got != `{"type":"key_press","session_id":"s7","key":2,"text":"act 2"}` {
		t.Errorf("it says %s", got)
	}
	keys <- []byte("#")
	if got := <-hub.heard; got != `{"type":"key_press","session_id":"s7","key":3,"text":"act 3","hold":true}` {
		t.Errorf("it says %s", got)
	}
	keys <- []byte("q")
	if err := <-ended; !errors.Is(err, errQuit) {
		t.Errorf("it ends with %v", err)
	}
	if flash := sim.pad.images; len(flash) != 1 || len(flash["good.rgb"]) != icon.Bytes {
		t.Errorf("it keeps %d pictures", len(flash))
	}
	if text := out.text.String(); !strings.Contains(text, "▀") || !strings.Contains(text, "2 Key2") || !strings.Contains(text, "the hint") {
		t.Error("pictures, labels or the hint are missing")
	}
}

func TestTooLongFrameEndsTheConnection(t *testing.T) {
	hub := newFakeKeyboardHub(t)
	conn, err := client.KeyboardAt(t.Context(), strings.TrimPrefix(hub.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	hub.say <- `{"type":"` + strings.Repeat("x", 15360) + `"}`
	if _, err := conn.Next(t.Context()); websocket.CloseStatus(err) != websocket.StatusMessageTooBig && !errors.Is(err, websocket.ErrMessageTooBig) {
		t.Errorf("it took it: %v", err)
	}
	for _, bad := range []string{"", "http://desk:8080/ws", "user@desk"} {
		if _, err := client.KeyboardAt(t.Context(), bad); nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%q is an address: %v", bad, err)
		}
	}
}

func TestOnceWritesTheFourKeys(t *testing.T) {
	hub := newFakeKeyboardHub(t)
	cl, err := client.Remote(hub.url, "secret", "keyboard")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "keys.png")
	r := runner{hub: cl}
	hub.say <- padOptions("good.rgb", "", "", "")
	if _, _, err := r.nod(t, "device", "keyboard", "--once", file); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(body))
	if err != nil || p.Bounds() != image.Rect(0, 0, 536, 144) {
		t.Fatalf("%v, %v", p, err)
	}
	r.refuses(t, "device keyboard --pixels ascii", "device keyboard toaster", "device keyboard")
}

func TestHostileLabelsStayText(t *testing.T) {
	k := keypadAfter(`{"type":"update_options","session_id":"s","options":[{"text":"\u001b[2J\u202e` + strings.Repeat("W", 300) + `"},{"text":"żółć"},{"text":"a\r\nb"},{"text":""}]}`)
	row := labelRow(k.screens(keypadStart), 60)
	if strings.ContainsAny(row, "\x1b\r\n\u202e") || len([]rune(row)) > 60 {
		t.Errorf("the row is %q", row)
	}
	if p := k.draw(keypadStart); p.Rect.Dx() != 536 {
		t.Error("it is not painted")
	}
}
