package claude_test

import (
	"bufio"
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
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
)

type nobody struct{}

func (nobody) Claude(context.Context, int) (int, uint64, bool) { return 0, 0, false }
func (nobody) Alive(int, uint64) bool                          { return true }

// garage is a hub with nothing but the door of the hooks, on a real socket.
type garage struct {
	*testing.T
	hub    *hub.Hub
	socket string
	end    func()
}

func openGarage(t *testing.T) *garage {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-lot-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h, err := hub.Open(t.Context(), mem.New(), hub.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	timing := claude.DefaultTiming()
	timing.Return = 300 * time.Millisecond
	intake := claude.NewIntake(claude.New(claude.Options{Hub: h, Log: log, Now: time.Now, Processes: nobody{}, Timing: timing}))
	gate := &httpd.Gate{Local: &auth.Local{}, Allow: func(context.Context, nod.Actor, nod.Right, string) error { return nil }}
	g := &garage{T: t, hub: h, socket: filepath.Join(dir, "s")}
	server, err := httpd.Listen(t.Context(), httpd.Config{Handler: httpd.Mux(gate, log, intake.Routes()...), Socket: g.socket, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served, ran := make(chan error, 1), make(chan struct{})
	go func() { served <- server.Serve(ctx) }()
	go func() { intake.Run(ctx); close(ran) }()
	g.end = func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		<-ran
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	return g
}

// ask is a hook that waits, with its connection in our hands.
func (g *garage) ask(id string) (net.Conn, *bufio.Reader) {
	g.Helper()
	conn, err := net.Dial("unix", g.socket)
	if err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { _ = conn.Close() })
	body := `{"session_id":"s1","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: nod\r\nContent-Type: application/json\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s",
		wire.Intake, wire.HeaderAsk, id, len(body), body)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || res.StatusCode != 200 {
		g.Fatalf("%v %v", res, err)
	}
	lines := bufio.NewReader(res.Body)
	if first, err := lines.ReadString('\n'); first != "\n" || err != nil {
		g.Fatalf("the first line is %q, %v", first, err)
	}
	return conn, lines
}

var ben = nod.Actor{Kind: nod.ActorPerson, Name: "ben", Via: "test", Rights: nod.RightsOf(nod.View, nod.Answering)}

func (g *garage) decide(id nod.RequestID) {
	g.Helper()
	if _, err := g.hub.Desk(ben).Decide(g.Context(), id, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		g.Fatal(err)
	}
}

// settled follows the log until a request is.
func (g *garage) settled(id nod.RequestID) *nod.Request {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.Context(), 10*time.Second)
	defer cancel()
	r, err := g.hub.Link("test").Await(ctx, id)
	if err != nil {
		g.Fatal(err)
	}
	return r
}

const (
	first  = "aaaaaaaaaaaaaaaaaaaa"
	second = "bbbbbbbbbbbbbbbbbbbb"
)

func TestEveryHookGetsItsOwnAnswer(t *testing.T) {
	g := openGarage(t)
	defer g.end()
	_, a := g.ask(first)
	_, b := g.ask(second)
	g.decide(second)
	line, err := b.ReadString('\n')
	if err != nil || !strings.Contains(line, `"behavior":"allow"`) {
		t.Fatalf("%q, %v", line, err)
	}
	if rest, err := io.ReadAll(b); len(rest) > 0 || err != nil {
		t.Errorf("after its answer the hook reads %q, %v", rest, err)
	}
	g.decide(first)
	if line, err := a.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
		t.Errorf("%q, %v", line, err)
	}
}

func TestAHookConfirmsOnItsOwnConnection(t *testing.T) {
	g := openGarage(t)
	defer g.end()
	for id, word := range map[nod.RequestID]string{first: string(rune(wire.DeliveredMark)), second: ""} {
		conn, lines := g.ask(string(id))
		g.decide(id)
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, word)
		_ = conn.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for e, err := range g.hub.Desk(ben).Follow(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == nod.RequestReceipt {
			if e.RequestID != first || e.Receipt.Step != nod.StepDelivered {
				t.Errorf("%s %+v", e.RequestID, e.Receipt)
			}
			return
		}
	}
	t.Error("the delivery was not recorded")
}

// A hook may be back, and answered, before the lot has begun to follow.
func TestTheLotCatchesUp(t *testing.T) {
	for range 20 {
		g := openGarage(t)
		_, lines := g.ask(first)
		g.decide(first)
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
			t.Fatalf("%q, %v", line, err)
		}
		g.end()
	}
}

func TestAHookThatComesBackFindsItsRequest(t *testing.T) {
	g := openGarage(t)
	defer g.end()
	conn, _ := g.ask(first)
	_ = conn.Close()
	_, again := g.ask(first)
	g.decide(first)
	if line, err := again.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
		t.Errorf("%q, %v", line, err)
	}
	_, late := g.ask(first) // decided long ago: the answer is there at once
	if line, err := late.ReadString('\n'); err != nil || !strings.Contains(line, "allow") {
		t.Errorf("%q, %v", line, err)
	}
}

func TestAHookThatStaysAwayIsGivenUp(t *testing.T) {
	g := openGarage(t)
	defer g.end()
	conn, _ := g.ask(first)
	_ = conn.Close()
	if r := g.settled(first); r.Withdrawal == nil || r.Withdrawal.Reason != nod.WithdrawnLost {
		t.Errorf("%s %+v", r.Status, r.Withdrawal)
	}
}

func TestSteppingAsideIsAnEndAndGoingIsABreak(t *testing.T) {
	g := openGarage(t)
	_, a := g.ask(first)
	_, b := g.ask(second)
	err := g.hub.Link("test").Report(t.Context(), hub.Withdraw(first, nod.Withdrawal{Reason: nod.WithdrawnTerminal}))
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(a); len(rest) > 0 || err != nil {
		t.Errorf("withdrawn: the hook reads %q, %v", rest, err)
	}
	g.end()
	if _, err := io.ReadAll(b); err == nil {
		t.Error("the hub went, and the hook takes it for an answer")
	}
}
