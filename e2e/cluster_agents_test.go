//go:build full

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// answer is what a hook gave to its agent.
type answer struct {
	link  int
	near  bool     // it was asked at a hub itself
	lines []string // with words in them; none: it abstained, and the terminal decides
}

// crowd is a hundred agents and the people who answer them, and records what each of
// them did and saw.
type crowd struct {
	*cluster
	began time.Time
	seed  uint64

	mu      sync.Mutex
	hooks   map[nod.RequestID]answer
	locals  map[nod.RequestID]string // acknowledged by a machine's own hub
	won     map[nod.RequestID]string // acknowledged by a hub of the cluster
	history []porcupine.Operation
	dark    []span // when the database was away: hubs then show what they knew
	odd     []string
}

// span is the time since the start.
type span struct{ from, to time.Duration }

func newCrowd(c *cluster, seed uint64) *crowd {
	return &crowd{cluster: c, began: time.Now(), seed: seed, hooks: map[nod.RequestID]answer{}, locals: map[nod.RequestID]string{}, won: map[nod.RequestID]string{}}
}

func (c *crowd) rng(of ...uint64) *rand.Rand {
	n := c.seed
	for _, o := range of {
		n = n*1_000_003 + o + 1
	}
	return rand.New(rand.NewPCG(c.seed, n))
}

func (c *crowd) strange(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.odd = append(c.odd, fmt.Sprintf(format, args...))
}

// agent asks repeatedly until it is told to stop; each question is settled before the
// next.
func (c *crowd) agent(ctx context.Context, n int, until <-chan struct{}) {
	link := n % len(c.links)
	rng := c.rng(1, uint64(n))
	at, near := c.links[link], n%10 == 9
	if near { // an agent on the machine of a hub
		at = c.hubs[n/10%len(c.hubs)]
	}
	for step := 0; ; step++ {
		select {
		case <-until:
			return
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(500+rng.IntN(2500)) * time.Millisecond):
		}
		id := nod.RequestID(fmt.Sprintf("%04x%012x", n, step))
		var people sync.WaitGroup
		over := make(chan struct{})
		people.Go(func() { c.answered(ctx, link, id, c.rng(2, uint64(n), uint64(step)), over) })
		c.note(porcupine.Operation{Input: operation{kind: "raise", id: id}, Output: result{}, Call: int64(time.Since(c.began)), Return: forever})
		lines := hook(ctx, at.socket(), fmt.Sprint("agent-", n), id)
		close(over)
		people.Wait()
		c.mu.Lock()
		c.hooks[id] = answer{link: link, near: near, lines: lines}
		c.mu.Unlock()
	}
}

// hook asks as a hook of the previous release does: again with the same id when the connection
// breaks, and not at all when there is no hub to begin with.
func hook(ctx context.Context, socket, session string, id nod.RequestID) []string {
	away := time.Time{}
	for first := true; ctx.Err() == nil; first = false {
		lines, stored, err := hookOnce(ctx, socket, session, id, !first)
		if err == nil {
			return lines
		}
		if first && !stored {
			return nil
		}
		if stored {
			away = time.Now()
		} else if time.Since(away) > 30*time.Second {
			return nil
		}
		<-time.After(200 * time.Millisecond)
	}
	return nil
}

// hookOnce holds one connection; stored tells whether the hub took the request.
func hookOnce(ctx context.Context, socket, session string, id nod.RequestID, again bool) (lines []string, stored bool, err error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, false, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	more := ""
	body := fmt.Sprintf(`{"hook_event_name":"PermissionRequest","session_id":%q,"cwd":"/home/anna/project","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"python3 step.py %s"}}`, session, id)
	if again {
		more = wire.HeaderAgain + ": 1\r\n"
	}
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: nod\r\nConnection: close\r\n"+more+"Content-Type: application/json\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s",
		wire.Intake, wire.HeaderAsk, id, len(body), body)
	if err != nil {
		return nil, true, err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, true, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, false, fmt.Errorf("%s", res.Status)
	}
	for in := bufio.NewReader(res.Body); ; {
		line, err := in.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
		if err == io.EOF {
			if len(lines) > 0 {
				_, _ = conn.Write([]byte{wire.DeliveredMark})
			}
			return lines, true, nil
		}
		if err != nil {
			return lines, true, err
		}
	}
}

// answered answers one question as people do: mostly one person at some hub, sometimes
// two at once at different hubs, sometimes one at the machine itself. They try until
// the hook has its answer.
func (c *crowd) answered(ctx context.Context, link int, id nod.RequestID, rng *rand.Rand, over <-chan struct{}) {
	var all sync.WaitGroup
	person := func(n uint64, do func(rng *rand.Rand, try int) (done bool)) {
		rng := rand.New(rand.NewPCG(rng.Uint64(), n))
		all.Go(func() {
			for wait, try := time.Duration(200+rng.IntN(600))*time.Millisecond, 0; ; wait, try = min(wait*3/2, 3*time.Second), try+1 {
				select {
				case <-over:
					return
				case <-ctx.Done():
					return
				case <-time.After(wait):
				}
				if do(rng, try) {
					return
				}
			}
		})
	}
	decider := func(name string) func(*rand.Rand, int) bool {
		return func(rng *rand.Rand, try int) bool {
			return c.decide(ctx, id, fmt.Sprintf("because-%s-%s-%d.", id, name, try), rng)
		}
	}
	switch what := rng.IntN(100); {
	case what < 8:
		person(1, func(_ *rand.Rand, try int) bool {
			return c.decideThere(ctx, link, id, fmt.Sprintf("because-%s-there-%d.", id, try))
		})
		person(2, decider("late"))
	case what < 40:
		person(3, decider("anna"))
		person(4, decider("bert"))
		person(5, func(rng *rand.Rand, _ int) bool { return c.look(ctx, id, rng) })
	default:
		person(6, decider("anna"))
		if what < 60 {
			person(7, func(rng *rand.Rand, _ int) bool { return c.look(ctx, id, rng) })
		}
	}
	all.Wait()
}

// patience is how long one of them waits for one hub.
const patience = 12 * time.Second

// decide answers at some hub and records the result.
func (c *crowd) decide(ctx context.Context, id nod.RequestID, why string, rng *rand.Rand) (done bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	op := porcupine.Operation{Input: operation{"decide", id, why}, Call: int64(time.Since(c.began))}
	_, err := c.any(rng).Decide(ctx, id, nod.Answer{Verdict: nod.VerdictDeny, Message: why})
	op.Return = int64(time.Since(c.began))
	switch code := nod.CodeOf(err); {
	case err == nil:
		op.Output = result{found: true, won: true}
		c.mu.Lock()
		c.won[id] = why
		c.mu.Unlock()
	case code == nod.NotFound:
		op.Output = result{}
	case code == nod.Conflict && nod.WinnerOf(err) != nil:
		op.Output = result{found: true, winner: winner(nod.WinnerOf(err))}
	default: // it may have happened, and may happen yet
		if code != nod.Unavailable && ctx.Err() == nil {
			c.strange("deciding %s: %v", id, err)
		}
		op.Output, op.Return = result{unknown: true}, forever
	}
	c.note(op)
	out := op.Output.(result)
	return out.won || out.winner != ""
}

// decideThere answers at the machine itself.
func (c *crowd) decideThere(ctx context.Context, link int, id nod.RequestID, why string) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var d nod.Decision
	err := overSocket(ctx, c.links[link].socket(), c.local[link], "POST", "/v1/requests/"+string(id)+"/decision", nod.Answer{Verdict: nod.VerdictDeny, Message: why}, &d)
	if err == nil {
		c.mu.Lock()
		c.locals[id] = why
		c.mu.Unlock()
	}
	return err == nil || nod.CodeOf(err) == nod.Conflict
}

// look reads a request at some hub. A read while the database was away, or one that
// took so long that the hub may have given up on it, proves nothing.
func (c *crowd) look(ctx context.Context, id nod.RequestID, rng *rand.Rand) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	op := porcupine.Operation{Input: operation{kind: "read", id: id}, Call: int64(time.Since(c.began))}
	r, err := c.any(rng).Request(ctx, string(id))
	op.Return = int64(time.Since(c.began))
	if err != nil && nod.CodeOf(err) != nod.NotFound || op.Return-op.Call > int64(900*time.Millisecond) {
		return false
	}
	if err == nil {
		op.Output = result{found: true, winner: winner(r)}
	} else {
		op.Output = result{}
	}
	c.note(op)
	return err == nil && r.Settled()
}

func (c *crowd) note(op porcupine.Operation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	op.ClientId = len(c.history) // every client does one thing: one that never ends is its last
	c.history = append(c.history, op)
}

// follow reads the log through a wire, at whichever hub it ends up, and notices
// a gap. last is where it is.
func (c *crowd) follow(ctx context.Context, w *tcpBalancer, last *atomic.Uint64) {
	cl, err := client.Remote(w.url(), c.phone, "test")
	if err != nil {
		c.strange("%v", err)
		return
	}
	for ctx.Err() == nil {
		for e, err := range cl.Follow(ctx, nod.Seq(last.Load())) {
			if err != nil {
				if nod.CodeOf(err) == nod.Gone {
					c.strange("a follower at %d was told: %v", last.Load(), err)
				}
				break
			}
			if uint64(e.Seq) != last.Load()+1 {
				c.strange("a follower saw %d after %d", e.Seq, last.Load())
			}
			last.Store(uint64(e.Seq))
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// overSocket speaks to a hub on this machine with a token: this process plays the
// agents too, and as one of those it may not answer.
func overSocket(ctx context.Context, socket, token, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://nod"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	way := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}}
	defer way.CloseIdleConnections()
	res, err := (&http.Client{Transport: way}).Do(req)
	if err != nil {
		return nod.Errorf(nod.Unavailable, "no hub").Because(err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		var f v1.Failure
		_ = json.NewDecoder(res.Body).Decode(&f) // the code is empty then
		return &nod.Error{Code: f.Error.Code, Message: f.Error.Message, Winner: f.Request}
	}
	return json.NewDecoder(res.Body).Decode(out)
}
