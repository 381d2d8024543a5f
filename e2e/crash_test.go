package e2e

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/wire"
)

// Everything that the hub acknowledged is there after a power cut, exactly once and
// unchanged.
func TestKilledUnderLoadNothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	w.startHub(t)
	acknowledged := &ledger{won: map[nod.RequestID]string{}}
	const rounds, workers = 8, 12
	for round := range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for worker := range workers {
			wg.Go(func() { w.load(ctx, acknowledged, round, worker) })
		}
		after := time.Duration(20+rand.IntN(200)) * time.Millisecond
		<-time.After(after)
		w.killHub(t)
		cancel()
		wg.Wait()
		w.startHub(t)
	}
	acknowledged.mu.Lock()
	defer acknowledged.mu.Unlock()
	if len(acknowledged.won) < rounds {
		t.Fatalf("only %d decisions were acknowledged: the test proves nothing", len(acknowledged.won))
	}
	decided := map[nod.RequestID]int{}
	for after := nod.Seq(0); ; {
		entries, err := w.client.Log(t.Context(), after, 500)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) == 0 {
			break
		}
		for _, entry := range entries {
			e, err := nod.Unseal(entry.Event, entry.Hash)
			if err != nil {
				t.Fatal(err)
			}
			after = e.Seq
			if e.Kind == nod.RequestDecided {
				decided[e.RequestID]++
				if want, ok := acknowledged.won[e.RequestID]; ok && e.Decision.Message != want {
					t.Errorf("request %s: %q was acknowledged, %q is recorded", e.RequestID, want, e.Decision.Message)
				}
			}
		}
	}
	for id := range acknowledged.won {
		if decided[id] != 1 {
			t.Errorf("the decision of %s is there %d times", id, decided[id])
		}
	}
	for id, n := range decided {
		if n != 1 {
			t.Errorf("request %s was decided %d times", id, n)
		}
	}
	t.Logf("%d decisions acknowledged in %d rounds, %d recorded", len(acknowledged.won), rounds, len(decided))
	w.ok(t, "log", "verify")
}

type ledger struct {
	mu  sync.Mutex
	won map[nod.RequestID]string
}

// load raises and decides as fast as it can until the hub is gone.
func (w *world) load(ctx context.Context, l *ledger, round, worker int) {
	socket := filepath.Join(w.data, "nod.sock")
	intake := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}}}
	defer intake.CloseIdleConnections()
	for n := 0; ctx.Err() == nil; n++ {
		id := nod.RequestID(fmt.Sprintf("%04x%04x%08x", round, worker, n))
		if !raise(ctx, intake, id) {
			return
		}
		message := fmt.Sprint("because ", round, worker, n)
		_, err := w.client.Decide(ctx, id, nod.Answer{Verdict: nod.VerdictDeny, Message: message})
		if err != nil {
			return
		}
		l.mu.Lock()
		l.won[id] = message
		l.mu.Unlock()
	}
}

// raise asks like a hook and returns when the hub has stored the request.
func raise(ctx context.Context, intake *http.Client, id nod.RequestID) bool {
	body := `{"session_id":"load","cwd":"/tmp","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://nod"+wire.Intake, strings.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(wire.HeaderAsk, string(id))
	res, err := intake.Do(req)
	if err != nil {
		return false
	}
	first, err := bufio.NewReader(res.Body).ReadString('\n')
	go func() { // the decision, when it comes
		defer res.Body.Close()
		_, _ = bufio.NewReader(res.Body).ReadString('\n')
	}()
	return err == nil && first == "\n"
}
