package claude_test

import (
	"bufio"
	"bytes"
	"context"
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
	"nod/internal/agent/claude"
	"nod/internal/agent/claude/wire"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

type noProcess struct{}

func (noProcess) Claude(context.Context, int) (int, uint64, bool) { return 0, 0, false }
func (noProcess) Alive(int, uint64) bool                          { return true }

// server is a hub with nothing but the routes of the hooks, on a real socket or
// a real port.
type server struct {
	*testing.T
	hub              *hub.Hub
	network, address string
	log              *bytes.Buffer // read it when nothing calls any more
	end              func()
}

// onEachNetwork runs a test with hooks of the hub's own machine and with hooks
// elsewhere: they wait by the same rules.
func onEachNetwork(t *testing.T, test func(s *server)) {
	for name, network := range map[string]string{"on this machine": "unix", "elsewhere": "tcp"} {
		t.Run(name, func(t *testing.T) { test(startServer(t, network)) })
	}
}

func startServer(t *testing.T, network string) *server {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-wait-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h, err := hub.Open(t.Context(), mem.New(), hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{T: t, hub: h, network: network, address: filepath.Join(dir, "s"), log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	var c claude.Config
	c.Defaults()
	driver := claude.New(c, adapter.Deps{Deps: hub.Deps{Hub: h, Log: log, Now: time.Now}}, claude.Needs{Processes: noProcess{}})
	driver.SetTiming(300*time.Millisecond, 300*time.Millisecond)
	gate := &httpd.Gate{Local: &auth.Local{}, Allow: func(context.Context, nod.Actor, nod.Right, string) error { return nil },
		Trusted: func(*http.Request) (nod.Actor, bool) { return auth.UnidentifiedProcess("test"), true }}
	listener, err := httpd.Listen(t.Context(), httpd.Config{Handler: httpd.Mux(gate, log, driver.Routes()...), Socket: s.address, Listen: "127.0.0.1:0", Log: log})
	if err != nil {
		t.Fatal(err)
	}
	if network == "tcp" {
		s.address = strings.TrimPrefix(listener.URL(), "http://")
	}
	ctx, cancel := context.WithCancel(context.Background())
	served, ran := make(chan error, 1), make(chan struct{})
	go func() { served <- listener.Serve(ctx) }()
	go func() { driver.Run(ctx); close(ran) }()
	s.end = func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		<-ran
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	return s
}

// ask is a hook of protocol 1 that waits; the test has its connection.
func (s *server) ask(id string) (net.Conn, *bufio.Reader) {
	s.Helper()
	conn, err := net.Dial(s.network, s.address)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = conn.Close() })
	body := `{"session_id":"s1","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s",
		wire.Intake, wire.HeaderAsk, id, len(body), body)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 200 {
		s.Fatalf("%v %v", res, err)
	}
	lines := bufio.NewReader(res.Body)
	if first, err := lines.ReadString('\n'); first != "\n" || err != nil {
		s.Fatalf("the first line is %q, %v", first, err)
	}
	return conn, lines
}

// post sends a call that does not wait and returns its status.
func (s *server) post(path, body, protocol string) int {
	s.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial(s.network, s.address)
	}}}
	req, err := http.NewRequestWithContext(s.Context(), "POST", "http://localhost"+wire.Intake+path, strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if protocol != "" {
		req.Header.Set(wire.HeaderProtocol, protocol)
	}
	res, err := client.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

var ben = nod.Actor{Kind: nod.ActorPerson, Name: "ben", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

func (s *server) decide(id nod.RequestID) {
	s.Helper()
	if _, err := s.hub.Desk(ben).Decide(s.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		s.Fatal(err)
	}
}

// settled follows the log until a request is.
func (s *server) settled(id nod.RequestID) *nod.Request {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 10*time.Second)
	defer cancel()
	r, err := s.hub.Link("test").Await(ctx, id)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

const (
	first  = "aaaaaaaaaaaaaaaaaaaa"
	second = "bbbbbbbbbbbbbbbbbbbb"
)

func TestEveryHookGetsItsOwnAnswer(t *testing.T) {
	onEachNetwork(t, func(s *server) {
		defer s.end()
		_, a := s.ask(first)
		_, b := s.ask(second)
		s.decide(second)
		line, err := b.ReadString('\n')
		if err != nil || !strings.Contains(line, `"behavior":"allow"`) {
			s.Fatalf("%q, %v", line, err)
		}
		if rest, err := io.ReadAll(b); len(rest) > 0 || err != nil {
			s.Errorf("after its answer the hook reads %q, %v", rest, err)
		}
		s.decide(first)
		if line, err := a.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
			s.Errorf("%q, %v", line, err)
		}
	})
}

// A hook of protocol 1, on the hub's machine, confirms with one byte on the connection
// that it waited on.
func TestAHookOfProtocol1ConfirmsWithAMark(t *testing.T) {
	s := startServer(t, "unix")
	defer s.end()
	for id, mark := range map[nod.RequestID]string{first: string(rune(wire.DeliveredMark)), second: ""} {
		conn, lines := s.ask(string(id))
		s.decide(id)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, mark)
		_ = conn.Close()
	}
	s.delivered(first)
}

func TestAHookConfirmsWithAReport(t *testing.T) {
	onEachNetwork(t, func(s *server) {
		defer s.end()
		conn, lines := s.ask(first)
		s.decide(first)
		if _, err := lines.ReadString('\n'); err != nil {
			s.Fatal(err)
		}
		_ = conn.Close()
		if res := s.post("/"+first, `{"event":"delivered"}`, ""); res != http.StatusNoContent {
			s.Errorf("the report gets %d", res)
		}
		s.delivered(first)
	})
}

// delivered waits for the first receipt after the decision, which must be that of
// the delivery of id.
func (s *server) delivered(id nod.RequestID) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 10*time.Second)
	defer cancel()
	for e, err := range s.hub.Desk(ben).Follow(ctx, 0) {
		if err != nil {
			s.Fatal(err)
		}
		if e.Kind == nod.RequestReceipt {
			if e.RequestID != id || e.Receipt.Step != nod.StepDelivered {
				s.Errorf("%s %+v", e.RequestID, e.Receipt)
			}
			return
		}
	}
	s.Error("the delivery was not recorded")
}

// A hook may be back, and answered, before the log is followed.
func TestADecisionBeforeTheLogIsFollowed(t *testing.T) {
	for range 20 {
		s := startServer(t, "unix")
		_, lines := s.ask(first)
		s.decide(first)
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
			t.Fatalf("%q, %v", line, err)
		}
		s.end()
	}
}

func TestAHookThatComesBackFindsItsRequest(t *testing.T) {
	onEachNetwork(t, func(s *server) {
		defer s.end()
		conn, _ := s.ask(first)
		_ = conn.Close()
		_, again := s.ask(first)
		s.decide(first)
		if line, err := again.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
			s.Errorf("%q, %v", line, err)
		}
		_, late := s.ask(first) // decided long ago: the answer is there at once
		if line, err := late.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
			s.Errorf("%q, %v", line, err)
		}
	})
}

func TestTheRequestOfALostHookIsWithdrawn(t *testing.T) {
	onEachNetwork(t, func(s *server) {
		defer s.end()
		conn, _ := s.ask(first)
		_ = conn.Close()
		if r := s.settled(first); r.Withdrawal == nil || r.Withdrawal.Reason != nod.WithdrawnLost {
			s.Errorf("%s %+v", r.Status, r.Withdrawal)
		}
	})
}

// A withdrawn request ends the response; a hub that stops breaks the connection.
func TestAResponseEndsOrBreaks(t *testing.T) {
	onEachNetwork(t, func(s *server) {
		_, a := s.ask(first)
		_, b := s.ask(second)
		err := s.hub.Link("test").Report(s.Context(), hub.Withdraw(first, nod.Withdrawal{Reason: nod.WithdrawnTerminal}))
		if err != nil {
			s.Fatal(err)
		}
		if rest, err := io.ReadAll(a); len(rest) > 0 || err != nil {
			s.Errorf("withdrawn: the hook reads %q, %v", rest, err)
		}
		s.end()
		if _, err := io.ReadAll(b); err == nil {
			s.Error("the hub went, and the hook takes it for an answer")
		}
	})
}

// Hubs and hooks of different versions work together, and the program's log mentions the
// difference once.
func TestAnotherProtocolVersionIsLoggedOnce(t *testing.T) {
	s := startServer(t, "unix")
	defer s.end()
	for range 3 {
		for _, version := range []string{"", "2", "3", "99", "what?"} {
			event := `{"session_id":"s1","cwd":"/p","hook_event_name":"Notification"}`
			if status := s.post("", event, version); status != http.StatusNoContent {
				t.Errorf("version %q gets %d", version, status)
			}
		}
	}
	for hook, want := range map[string]int{"hook=1": 1, "hook=2": 0, "hook=3": 1, "hook=99": 1, "hook=what?": 1} {
		if n := strings.Count(s.log.String(), hook+" "); n != want {
			t.Errorf("%d lines about %s, want %d:\n%s", n, hook, want, s.log)
		}
	}
}
