package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	v1 "nod/internal/client/v1"

	"github.com/coder/websocket"

	"nod"
)

const (
	relayRounds  = 200
	relayPolls   = 6 // of the original's kind, which take half a second on average
	relayRooms   = 1000
	relayClients = 5000
)

// BenchmarkRelay is how soon a client of Prompt Relay sees a request, how soon a
// hook is released after the answer, and whether anybody misses anything where
// many rooms have many clients.
func BenchmarkRelay(b *testing.B) {
	room := roomFor(b, relayClients)
	hub := startHub(b, temp(b))
	h, err := hub.local().Health(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	r := &relayWire{b: b, url: h.Listen, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	heading(b, "Prompt Relay's wire over TCP on this machine")
	key := r.room(hub, "")
	c := r.dial(key)
	_ = c.read()
	var shown, waited, polled sample
	for i := range relayRounds + warmups {
		at := time.Now()
		id := r.create(key, "")
		c.until(id, false)
		seen := time.Since(at)
		released := make(chan time.Duration, 1)
		go func() { r.get(key, "/permission-request/"+id+"/response?wait=30"); released <- time.Since(at) }()
		r.settleIn(hub, 1) // the hook is there and waits
		at = time.Now()
		r.post(key, "/permission-request/"+id+"/respond", `{"choice":1}`)
		<-released
		if i >= warmups {
			shown, waited = append(shown, seen), append(waited, time.Since(at))
		}
		c.until(id, true)
	}
	for range relayPolls {
		id := r.create(key, "")
		polled = append(polled, r.pollAsTheOriginal(key, id))
	}
	absolute(b, "relay-shown-ms", "from a prompt to its WebSocket clients, median", shown.median().Seconds()*1000, "ms", atMost(5))
	tell("quickest %s, 95 %% within %s, slowest %s", ms(shown.min()), ms(shown.at(0.95)), ms(shown.at(1)))
	compare(b, "relay/poll", "from an answer to its hook, with ?wait=, median", ms(waited.median()), ms(polled.median())+" with a poll every second", ratio(waited.median(), polled.median()), atMost(0.05))
	r.crowd(hub, min(relayClients, room))
}

// relayWire speaks it.
type relayWire struct {
	b    *testing.B
	url  string
	http *http.Client
}

func (r *relayWire) room(hub *hubProcess, name string) string {
	r.b.Helper()
	t, err := hub.local().CreateToken(r.b.Context(), v1.NewToken{Name: "bench", Room: name, Rights: nod.RightsOf(nod.Raise, nod.View, nod.Answering)})
	if err != nil {
		r.b.Fatalf("%v: start the benchmarks from a plain terminal, not from inside an agent", err)
	}
	return t.Secret
}

func (r *relayWire) send(method, key, path, body string) []byte {
	req, err := http.NewRequestWithContext(r.b.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.b.Error(err)
		return nil
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Content-Type", "application/json")
	res, err := r.http.Do(req)
	if err != nil {
		r.b.Error(err)
		return nil
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		r.b.Errorf("%s %s: %s %s %v", method, path, res.Status, text, err)
	}
	return text
}

func (r *relayWire) get(key, path string) []byte        { return r.send("GET", key, path, "") }
func (r *relayWire) post(key, path, body string) []byte { return r.send("POST", key, path, body) }

func (r *relayWire) create(key, target string) string {
	body := r.post(key, "/permission-request", `{"tool_name":"Bash","tool_input":{"command":"git push"},"tmux_target":"`+target+`","hostname":"desk:main","choices":[{"number":1,"text":"Yes"},{"number":2,"text":"No"}]}`)
	var made struct{ ID string }
	if err := json.Unmarshal(body, &made); err != nil {
		r.b.Fatalf("%s: %v", body, err)
	}
	return made.ID
}

// settleIn lets a request that was just sent arrive: the hub's own health answers
// after whatever came before it.
func (r *relayWire) settleIn(hub *hubProcess, times int) {
	for range times + 1 {
		if _, err := hub.local().Health(r.b.Context()); err != nil {
			r.b.Fatal(err)
		}
	}
}

// pollAsTheOriginal answers at some moment between two polls, and tells how long
// the hook did not know.
func (r *relayWire) pollAsTheOriginal(key, id string) time.Duration {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	answered := make(chan time.Time, 1)
	time.AfterFunc(1500*time.Millisecond, func() {
		answered <- time.Now()
		r.post(key, "/permission-request/"+id+"/respond", `{"choice":1}`)
	})
	for range tick.C {
		if !bytes.Contains(r.get(key, "/permission-request/"+id+"/response"), []byte(`"response":null`)) {
			break
		}
	}
	return time.Since(<-answered)
}

type relaySocket struct {
	b    *testing.B
	conn *websocket.Conn
}

func (r *relayWire) dial(key string) *relaySocket {
	ctx, cancel := context.WithTimeout(r.b.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.Replace(r.url, "http", "ws", 1)+"/ws?key="+key, nil)
	if err != nil {
		r.b.Fatal(err)
	}
	conn.SetReadLimit(16 << 20)
	r.b.Cleanup(func() { _ = conn.CloseNow() })
	return &relaySocket{r.b, conn}
}

func (s *relaySocket) read() []byte {
	_, text, err := s.conn.Read(s.b.Context())
	if err != nil {
		return nil
	}
	return text
}

// until reads until a request is there, or is answered.
func (s *relaySocket) until(id string, answered bool) {
	for {
		text := s.read()
		if text == nil {
			s.b.Fatalf("a client was shown the door before it saw %s", id)
		}
		if state, ok := stateOf(text, id); ok && state == answered {
			return
		}
	}
}

func stateOf(text []byte, id string) (answered, ok bool) {
	var list struct {
		Requests []struct {
			ID       string
			Response *string
		}
	}
	if json.Unmarshal(text, &list) != nil {
		return false, false
	}
	for _, r := range list.Requests {
		if r.ID == id {
			return r.Response != nil, true
		}
	}
	return false, false
}

// crowd gives every room some clients; each must see its room's request, and
// its end, and no other room's.
func (r *relayWire) crowd(hub *hubProcess, clients int) {
	each := clients / relayRooms
	keys := make([]string, relayRooms)
	for i := range keys {
		keys[i] = r.room(hub, fmt.Sprint("room ", i))
	}
	var open sync.WaitGroup
	sockets := make([][]*relaySocket, relayRooms)
	lane := make(chan struct{}, 32)
	for i := range keys {
		open.Go(func() {
			lane <- struct{}{}
			defer func() { <-lane }()
			for range each {
				c := r.dial(keys[i])
				_ = c.read()
				sockets[i] = append(sockets[i], c)
			}
		})
	}
	open.Wait()
	tell("%d rooms, %d WebSocket clients; the limit of open files leaves room for %d", relayRooms, each*relayRooms, clients)
	tell("%-58s %9.1f MB", "RSS of the hub with them", hub.memory(r.b, "VmRSS"))
	ids := make([]string, relayRooms)
	var late lockedSample
	r.everywhere("requests in all rooms", keys, sockets, func(i int) { ids[i] = r.create(keys[i], fmt.Sprint("pane ", i)) }, func(i int, c *relaySocket) { c.until(ids[i], false) }, &late)
	tell("until all clients of a room saw its request: median %s, slowest %s", ms(late.median()), ms(late.at(1)))
	late = lockedSample{}
	r.everywhere("answers in all rooms", keys, sockets, func(i int) { r.post(keys[i], "/permission-request/"+ids[i]+"/respond", `{"choice":1}`) }, func(i int, c *relaySocket) { c.until(ids[i], true) }, &late)
	tell("until all clients of a room saw the answer: median %s, slowest %s", ms(late.median()), ms(late.at(1)))
}

type lockedSample struct {
	mu sync.Mutex
	sample
}

// everywhere does something in every room, sixteen at a time, and waits until
// every client has seen it.
func (r *relayWire) everywhere(what string, keys []string, sockets [][]*relaySocket, do func(int), see func(int, *relaySocket), late *lockedSample) {
	at := time.Now()
	var all sync.WaitGroup
	var seen atomic.Int64
	lane := make(chan struct{}, 16)
	for i := range keys {
		lane <- struct{}{}
		all.Go(func() {
			defer func() { <-lane }()
			begun := time.Now()
			do(i)
			for _, c := range sockets[i] {
				see(i, c)
				seen.Add(1)
			}
			late.mu.Lock()
			late.sample = append(late.sample, time.Since(begun))
			late.mu.Unlock()
		})
	}
	all.Wait()
	took := time.Since(at)
	tell("%-58s %9d in %s, %.0f per second, none missed", what+", seen by their clients", seen.Load(), ms(took), float64(seen.Load())/took.Seconds())
}
