package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nod/internal/agent/claude/wire"
)

const (
	fanListeners = 500
	fanPaced     = 40  // turns one after the other: how late they are
	fanBurst     = 100 // turns at once: whether anything is lost
)

// BenchmarkFanOut is how late 500 listeners of the voice bridge receive what an
// agent does, compared with one listener on the same hub. A listener that misses a turn,
// or gets one twice or out of order, is an error, however fast it was.
func BenchmarkFanOut(b *testing.B) {
	roomFor(b, fanListeners)
	hub := startHub(b, temp(b))
	phone := hub.device(b)
	heading(b, fmt.Sprintf("The voice bridge's stream: one listener, then %d", fanListeners))
	prompts := newPrompter(b, hub.socket())
	prompts.turn(0) // so that the agent is known
	crowd := &listeners{prompts: prompts}
	crowd.add(b, phone, 1)
	for range warmups {
		crowd.hear(b)
	}
	crowd.late = nil
	for range fanPaced {
		crowd.hear(b)
	}
	alone := crowd.late
	crowd.add(b, phone, fanListeners-1)
	crowd.hear(b)
	crowd.late = nil
	for range fanPaced {
		crowd.hear(b)
	}
	together := crowd.late
	tell("%-58s %9d, 0 gaps", "paced deliveries", len(together))
	tell("one listener: median %s, slowest %s; %d: median %s, slowest %s", ms(alone.median()), ms(alone.at(1)), fanListeners, ms(together.median()), ms(together.at(1)))
	compare(b, "fanout/one", "from the hook's event to a listener, median", ms(together.median()), ms(alone.median())+" for a single one", ratio(together.median(), alone.median()), atMost(50))
	at := time.Now()
	for range fanBurst {
		prompts.next()
	}
	crowd.wait(b)
	took := time.Since(at)
	tell("%-58s %9d in %s, %.0f per second, 0 gaps", "deliveries of a burst", fanBurst*fanListeners, ms(took), float64(fanBurst*fanListeners)/took.Seconds())
	tell("%-58s %9.1f MB", "RSS of the hub", hub.memory(b, "VmRSS"))
}

// prompter is an agent's hook: every prompt it reports is a turn.
type prompter struct {
	b      *testing.B
	client *device
	last   int
	at     sync.Map // turn number → when it was sent
}

func newPrompter(b *testing.B, socket string) *prompter {
	return &prompter{b: b, client: newDevice(socket, "")}
}

func (t *prompter) next() { t.last++; t.turn(t.last) }

func (t *prompter) turn(n int) {
	t.b.Helper()
	t.at.Store(n, time.Now())
	body, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": "fan", "cwd": "/home/anna/fan", "prompt": fmt.Sprint("turn ", n)})
	if err != nil {
		t.b.Fatal(err)
	}
	res, err := t.client.http.Post("http://nod"+wire.Intake, "application/json", bytes.NewReader(body))
	if err != nil {
		t.b.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode/100 != 2 {
		t.b.Fatalf("sending turn %d: %s", n, res.Status)
	}
}

// listeners count what each of them receives.
type listeners struct {
	prompts *prompter
	count   int
	heard   atomic.Int64 // turns, by all
	due     int64
	upTo    int // the turn up to which due counts
	wrong   atomic.Pointer[string]

	mu   sync.Mutex
	late sample
}

// add lets more of them in and returns when all are.
func (l *listeners) add(b *testing.B, phone *device, n int) {
	b.Helper()
	first := l.prompts.last
	ready := make(chan error, n)
	for range n {
		conn, err := net.Dial("unix", phone.socket)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		go l.listen(conn, phone.token, first, ready)
	}
	for range n {
		if err := <-ready; err != nil {
			b.Fatal(err)
		}
	}
	l.count += n
}

func (l *listeners) listen(conn net.Conn, token string, last int, ready chan<- error) {
	_, err := fmt.Fprintf(conn, "GET /api/events/stream?types=turn_created,gap HTTP/1.1\r\nHost: nod\r\nAuthorization: Bearer %s\r\n\r\n", token)
	if err != nil {
		ready <- err
		return
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("a listener was answered %s", res.Status)
	}
	if err != nil {
		ready <- err
		return
	}
	in := bufio.NewReader(res.Body)
	started := sync.OnceFunc(func() { ready <- nil })
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return // the end of the benchmark, or a lost turn, which wait reports
		}
		if strings.HasPrefix(line, "id: ") {
			started() // its position: from here on it receives everything
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			last++
			l.take(data, last)
		}
	}
}

func (l *listeners) take(data string, want int) {
	var turn struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal([]byte(data), &turn); err != nil || turn.Text != fmt.Sprint("turn ", want) {
		wrong := fmt.Sprintf("a listener heard %.200q instead of turn %d", data, want)
		l.wrong.CompareAndSwap(nil, &wrong)
		return
	}
	if at, ok := l.prompts.at.Load(want); ok {
		l.mu.Lock()
		l.late = append(l.late, time.Since(at.(time.Time)))
		l.mu.Unlock()
	}
	l.heard.Add(1)
}

// hear sends one turn and returns when all listeners have it.
func (l *listeners) hear(b *testing.B) {
	b.Helper()
	l.prompts.next()
	l.wait(b)
}

func (l *listeners) wait(b *testing.B) {
	b.Helper()
	l.due += int64(l.count) * int64(l.prompts.last-l.upTo)
	l.upTo = l.prompts.last
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for l.heard.Load() < l.due && l.wrong.Load() == nil {
		select {
		case <-tick.C:
		case <-late:
			b.Fatalf("%d of %d deliveries after a minute", l.heard.Load(), l.due)
		}
	}
	if wrong := l.wrong.Load(); wrong != nil {
		b.Fatal(*wrong)
	}
}
