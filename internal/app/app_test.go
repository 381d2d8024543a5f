package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/app"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/net/certs"
)

// running is a whole hub in this process, as `nod serve` makes it.
type running struct {
	t       *testing.T
	data    string
	address string
	second  string // what it says after its address
	stop    func()
}

func serve(t *testing.T, data string, change func(*app.Options)) *running {
	t.Helper()
	if data == "" {
		dir, err := os.MkdirTemp("", "nod-app-") // short: a socket's path is
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		data = dir
	}
	out, in := io.Pipe()
	c := app.DefaultConfig()
	c.Listen = "127.0.0.1:0"
	o := app.Options{
		Data: data, Config: c, Version: "test", Out: in, Log: slog.New(slog.DiscardHandler),
		Greet: func(link string, valid time.Duration) string { return fmt.Sprint(link, " ", valid) },
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- app.Serve(ctx, o)
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		cancel()
		t.Fatal(<-ended)
	}
	r := &running{t: t, data: data, address: strings.TrimPrefix(lines.Text(), "listening on ")}
	lines.Scan()
	r.second = lines.Text()
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(r.stop)
	return r
}

// post sends a body to the hooks' endpoint through the socket.
func (r *running) post(path, body string, headers ...string) (status int, text string) {
	r.t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", app.Socket(r.data))
	}}}
	ctx, cancel := context.WithTimeout(r.t.Context(), 20*time.Second)
	r.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "POST", "http://nod"+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	line, _ := bufio.NewReader(res.Body).ReadString('\n')
	r.t.Cleanup(func() { _ = res.Body.Close() })
	return res.StatusCode, line
}

func event(name, more string) string {
	return `{"session_id":"s1","cwd":"/p","hook_event_name":"` + name + `"` + more + `}`
}

func TestWhatAHookMaySend(t *testing.T) {
	r := serve(t, "", nil)
	const id = "0123456789abcdef0123"
	huge := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		name, path, body string
		headers          []string
		status           int
		says             string
	}{
		{"an event", wire.Intake, event("Stop", ""), nil, 204, ""},
		{"an event of a newer Claude Code", wire.Intake, event("BrandNew", `,"what":{"ever":1}`), nil, 204, ""},
		{"no JSON", wire.Intake, "{", nil, 400, "not what Claude Code sends"},
		{"nothing", wire.Intake, "", nil, 400, "not what Claude Code sends"},
		{"no session", wire.Intake, `{"hook_event_name":"Stop"}`, nil, 400, "lacks"},
		{"no text", wire.Intake, event("Stop", `,"last_assistant_message":"`+"\xff"+`"`), nil, 400, "not UTF-8"},
		{"a wrong id", wire.Intake, event("PermissionRequest", ""), []string{wire.HeaderAsk, "../../etc"}, 400, "hexadecimal"},
		{"a question without questions", wire.Intake, event("PermissionRequest", `,"tool_name":"AskUserQuestion","tool_input":{}`), nil, 422, "only the terminal"},
		{"a command of a megabyte", wire.Intake, event("PermissionRequest", `,"tool_name":"Bash","tool_input":{"command":"`+huge+`; rm -rf ~"}`), []string{wire.HeaderAsk, id}, 200, "\n"},
		{"an unknown word", wire.Intake + "/" + id, `{"event":"allow"}`, nil, 400, "unknown word"},
		{"a word about nothing", wire.Intake + "/ffffffffffffffff", `{"event":"delivered"}`, nil, 204, ""},
		{"a word with more than it has", wire.Intake + "/" + id, `{"event":"closed","verdict":"allow"}`, nil, 400, "verdict"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := r.post(c.path, c.body, c.headers...)
			if status != c.status || !strings.Contains(text, c.says) {
				t.Errorf("%d %.200q, want %d with %q", status, text, c.status, c.says)
			}
		})
	}
	cl := client.Local(app.Socket(r.data), "test")
	list, err := cl.Requests(t.Context(), client.Filter{Status: nod.Pending, Limit: 10})
	if err != nil {
		t.Fatalf("start the tests from a plain terminal, not from inside an agent: %v", err)
	}
	if len(list) != 1 || !strings.HasSuffix(list[0].Display, "; rm -rf ~") || !strings.HasSuffix(list[0].Title, "; rm -rf ~") {
		t.Fatalf("%d requests", len(list))
	}
	if _, err := cl.Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(`"` + huge + `"`)}); err != nil {
		t.Errorf("an edit of a megabyte: %v", err)
	}
}

// A hub that refuses a large body says why before it closes the connection.
func TestABodyThatIsTooLargeIsRefused(t *testing.T) {
	r := serve(t, "", nil)
	conn, err := net.Dial("unix", app.Socket(r.data))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const size = 17 << 20
	go func() { // as far as it goes
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: nod\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", wire.Intake, size)
		_, _ = io.WriteString(conn, strings.Repeat("x", size))
	}()
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	if res.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(string(text), "the terminal's own dialog decides") {
		t.Errorf("%d %s", res.StatusCode, text)
	}
}

func TestTheFirstDeviceIsInvitedAndNoOther(t *testing.T) {
	r := serve(t, "", nil)
	link, code, ok := strings.Cut(strings.Fields(r.second)[0], "#")
	if !ok || link != r.address+"/pair" {
		t.Fatalf("it said %q", r.second)
	}
	remote, err := client.Remote(r.address, "", "test")
	if err != nil {
		t.Fatal(err)
	}
	token, err := remote.Redeem(t.Context(), code, "phone")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := remote.Redeem(t.Context(), code, "thief"); err == nil {
		t.Error("the code worked twice")
	}
	phone, err := client.Remote(r.address, token.Secret, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := phone.State(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := phone.Tokens(t.Context()); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("a paired phone looked at the tokens: %v", err)
	}
	r.stop()
	again := serve(t, r.data, nil)
	if strings.Contains(again.second, "#") {
		t.Errorf("with a device paired it still printed a code: %q", again.second)
	}
}

func TestDevicesOnly(t *testing.T) {
	r := serve(t, "", func(o *app.Options) { o.Config.Answer = app.AnswerDevices })
	cl := client.Local(app.Socket(r.data), "test")
	if _, err := cl.Decide(t.Context(), "0123456789abcdef", nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("answered on this machine: %v", err)
	}
	if _, err := cl.CreateToken(t.Context(), v1.NewToken{Name: "x", Rights: nod.RightsOf(nod.Answering)}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("made a token on this machine: %v", err)
	}
}

func TestWhatKeepsAHubFromStarting(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*app.Options)
		says   string
	}{
		{"the network without TLS", func(o *app.Options) { o.Config.Listen = "0.0.0.0:0" }, "Add --tls ("},
		{"a port that is taken", func(o *app.Options) { o.Config.Listen = busy.Addr().String() }, "another program listens"},
		{"no address", func(o *app.Options) { o.Config.Listen = "here" }, "looks like"},
		{"a file as data directory", func(o *app.Options) { o.Data = file }, "--data"},
		{"a certificate that is none", func(o *app.Options) { o.Config.TLS = certs.Config{Cert: file, Key: file} }, "PEM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "nod-app-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			cfg := app.DefaultConfig()
			cfg.Listen = "127.0.0.1:0"
			o := app.Options{Data: dir, Config: cfg, Out: io.Discard, Log: slog.New(slog.DiscardHandler)}
			c.change(&o)
			if err := app.Serve(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want …%s…", err, c.says)
			}
		})
	}
}
