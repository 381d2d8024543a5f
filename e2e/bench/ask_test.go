package bench

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"nod"
)

const asks = 200

const askPayload = `{"hook_event_name":"PermissionRequest","session_id":"bench","cwd":"/","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"git push origin main","description":"publish it"},"permission_suggestions":[]}`

// BenchmarkAsk is the way of a question: a hook is started, a follower sees the
// request, decides at once, and the hook has ended with the decision.
func BenchmarkAsk(b *testing.B) {
	hub := startHub(b, temp(b))
	phone := hub.device(b)
	raised := watchRaised(b, phone)
	stdin := payloadFile(b, askPayload)
	hook := &program{argv: []string{nodHook}, env: agentEnviron(hub.data)}
	goStart, trueStart := &program{argv: []string{emptyGo}, env: hook.env}, &program{argv: []string{"/bin/true"}, env: hook.env}
	disk := newFlusher(b, hub.data)
	var whole, seen, decided, ended, withGo, withTrue sample
	for range asks {
		flush := disk.once(b)
		withGo = append(withGo, goStart.once(b, stdin)+flush)
		withTrue = append(withTrue, trueStart.once(b, stdin)+flush)
		s := hook.start(b, stdin)
		r := waitRaised(b, raised)
		at := time.Now()
		if err := phone.allow(r.id); err != nil {
			b.Fatal(err)
		}
		done := time.Now()
		took, said := s.wait(b)
		if !strings.Contains(said, `"behavior":"allow"`) {
			b.Fatalf("the hook said %q", said)
		}
		seen, decided, ended = append(seen, r.at.Sub(s.at)), append(decided, done.Sub(at)), append(ended, took-done.Sub(s.at))
		whole = append(whole, took)
	}
	heading(b, fmt.Sprintf("A question: hook started, seen by a follower, decided at once, hook ended (n=%d)", asks))
	tell("%-58s p50 %9s, p99 %9s", "one fsync of 4 kB beside the log", ms(disk.took.median()), ms(disk.took.at(0.99)))
	tell("%-58s p50 %9s, p99 %9s", "start of an empty Go program", ms(goStart.took.median()), ms(goStart.took.at(0.99)))
	tell("%-58s p50 %9s, p99 %9s", "start of /bin/true", ms(trueStart.took.median()), ms(trueStart.took.at(0.99)))
	tell("%-58s p50 %9s, p99 %9s", "part: hook started → seen by the follower", ms(seen.median()), ms(seen.at(0.99)))
	tell("%-58s p50 %9s, p99 %9s", "part: decision sent → confirmed", ms(decided.median()), ms(decided.at(0.99)))
	tell("%-58s p50 %9s, p99 %9s", "part: decision confirmed → hook ended", ms(ended.median()), ms(ended.at(0.99)))
	compareAsks(b, "Go", "Go start + fsync", whole, withGo)
	compareAsks(b, "true", "/bin/true + fsync", whole, withTrue)
}

func compareAsks(b *testing.B, short, baseline string, whole, base sample) {
	for _, q := range []struct {
		name   string
		at     float64
		target float64
	}{{"p50", 0.5, 3}, {"p99", 0.99, 10}} {
		x, y := whole.at(q.at), base.at(q.at)
		compare(b, q.name+"/"+short, "whole way, "+q.name, ms(x), fmt.Sprintf("%s (%s)", ms(y), baseline), ratio(x, y), atMost(q.target))
	}
}

// sighting is a request on a follower's screen.
type sighting struct {
	id nod.RequestID
	at time.Time
}

// watchRaised follows the log and reports every raised request.
func watchRaised(b *testing.B, phone *device) <-chan sighting {
	b.Helper()
	head, err := phone.head()
	if err != nil {
		b.Fatal(err)
	}
	raised, ready := make(chan sighting, 16), make(chan net.Conn, 1)
	go func() {
		defer close(raised)
		_ = phone.follow(head, func(c net.Conn) { ready <- c }, func(f frame) bool {
			at := time.Now()
			var e struct {
				Kind nod.EventKind `json:"kind"`
				ID   nod.RequestID `json:"request_id"`
			}
			if json.Unmarshal(f.data, &e) == nil && e.Kind == nod.RequestRaised {
				raised <- sighting{e.ID, at}
			}
			return true
		})
	}()
	select {
	case c := <-ready:
		b.Cleanup(func() { _ = c.Close() })
	case <-raised:
		b.Fatal("the hub did not let the follower in")
	}
	return raised
}

func waitRaised(b *testing.B, raised <-chan sighting) sighting {
	b.Helper()
	select {
	case s, ok := <-raised:
		if ok {
			return s
		}
	case <-time.After(10 * time.Second):
	}
	b.Fatal("nobody saw the request")
	return sighting{}
}
