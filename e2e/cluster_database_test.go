//go:build full

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
	"nod/internal/client"
	"nod/internal/hub/store/pgtest"
)

// hookProcess runs the real nod-hook for a run without a terminal, and returns
// what Claude Code would read, and how long it was delayed.
func (s *station) hookProcess(t testing.TB) (said string, took time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, hookBinary)
	cmd.Env = append(s.env(), "CLAUDE_CODE_ENTRYPOINT="+wire.HeadlessEntry)
	cmd.Stdin = strings.NewReader(`{"hook_event_name":"PermissionRequest","session_id":"s1","cwd":"/home/anna/project","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"python3 step.py"}}`)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("the hook: %v %s", err, errs.String())
	}
	return out.String(), time.Since(began)
}

// The database is reachable, but unusable. A person who answers sees what is wrong and
// what to do; a hook leaves the question to Claude Code; afterwards everything recovers
// automatically, with nothing lost and nothing left over.
func TestUnusableDatabase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		words string // that tell what is wrong
		spoil func(t *testing.T, server *pgtest.Server, address string) (mend func())
	}{
		{"slow", "took longer than 4s: it is overloaded, or something holds a lock", holdHead},
		{"full", "no connection left", takeAllConnections},
		{"read-only", "read-only", readOnly},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := pgtest.Start(t, "max_connections = 24")
			address := server.Database(t)
			s := newStation(t, "store = \""+address+"\"\n", hubBinary, "serve", "--listen", "127.0.0.1:0")
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			phone, err := client.Remote(s.address(), s.device(t), "test")
			if err != nil {
				t.Fatal(err)
			}
			const id = nod.RequestID("00000000000000a1")
			waits := make(chan []string, 1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() { waits <- hook(ctx, s.socket(), "s0", id) }()
			waitFor(t, phone, "one waits", func(st nod.Snapshot) bool { return len(st.Requests) == 1 })

			mend := c.spoil(t, server, address)
			answered := make(chan error, 1)
			go func() {
				_, err := phone.Decide(ctx, id, nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
				answered <- err
			}()
			if said, took := s.hookProcess(t); said != "" || took > 30*time.Second {
				t.Errorf("the hook said %q after %s", said, took)
			}
			err = <-answered
			if nod.CodeOf(err) != nod.Unavailable || !strings.Contains(fmt.Sprint(err), c.words) {
				t.Errorf("the answer: %v", err)
			}
			if strings.Contains(fmt.Sprint(err)+s.log.String(), password(address)) {
				t.Error("the password was told")
			}
			mend()

			rig.Until(t, "an answer is taken again", func() bool {
				_, err = phone.Decide(t.Context(), id, nod.Answer{Verdict: nod.VerdictDeny, Message: "not now"})
				return err == nil || nod.CodeOf(err) == nod.Conflict // the first one was recorded after all
			}, func() string { return fmt.Sprint(err) })
			if got := <-waits; len(got) != 1 || !strings.Contains(got[0], "not now") {
				t.Errorf("the hook that waited got %q", got)
			}
			waitFor(t, phone, "nothing waits that nobody waits for", func(st nod.Snapshot) bool { return len(st.Requests) == 0 })
			s.verify(t)
		})
	}
}

func waitFor(t *testing.T, c *client.Client, what string, done func(nod.Snapshot) bool) {
	t.Helper()
	var s nod.Snapshot
	var err error
	rig.Until(t, what, func() bool {
		s, err = c.State(t.Context())
		return err == nil && done(s)
	}, func() string { return fmt.Sprint(s.Requests, err) })
}

func password(address string) string {
	_, rest, _ := strings.Cut(address, "nod:")
	word, _, _ := strings.Cut(rest, "@")
	return word
}

func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// holdHead keeps every append waiting.
func holdHead(t *testing.T, _ *pgtest.Server, address string) (mend func()) {
	c := connect(t, address)
	if _, err := c.Exec(t.Context(), "BEGIN; SELECT FROM nod.head FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := c.Exec(t.Context(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
	}
}

// hangUp ends every other connection.
const hangUp = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name LIKE 'nod%'"

// takeAllConnections leaves none for the hub.
func takeAllConnections(t *testing.T, server *pgtest.Server, address string) (mend func()) {
	first := connect(t, address)
	var taken []*pgx.Conn
	if _, err := first.Exec(t.Context(), hangUp); err != nil {
		t.Fatal(err)
	}
	for full := 0; full < 20; { // the hub tries to get one too
		c, err := pgx.Connect(t.Context(), address)
		if err != nil {
			full++
			if _, err := first.Exec(t.Context(), hangUp); err != nil {
				t.Fatal(err)
			}
			continue
		}
		full = 0
		taken = append(taken, c)
	}
	return func() {
		for _, c := range taken {
			_ = c.Close(context.Background())
		}
	}
}

// readOnly makes the database behave like a standby.
func readOnly(t *testing.T, server *pgtest.Server, address string) (mend func()) {
	server.Exec(t, "", "ALTER DATABASE t1 SET default_transaction_read_only = on")
	server.Exec(t, "t1", hangUp)
	return func() { server.Exec(t, "", "ALTER DATABASE t1 SET default_transaction_read_only = off") }
}
