package claude

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"nod"
	"nod/internal/agent/claude/wire"
	"nod/internal/net/httpd"
)

// maxPayload bounds a hook's input. A tool's input of megabytes is real (a file
// that is written); beyond this only the terminal can answer.
const maxPayload = 16 << 20

// Intake is the hook's door: POST Intake for events, POST Intake/{id} for what
// a waiting hook says. Who may raise was decided before.
type Intake struct {
	driver *Driver
	lot    *lot

	mu      sync.Mutex
	waiting map[nod.RequestID]int // hooks that hold a connection for a request
}

// NewIntake makes the door.
func NewIntake(d *Driver) *Intake {
	in := &Intake{driver: d, waiting: map[nod.RequestID]int{}}
	in.lot = newLot(in)
	return in
}

// Take handles one hook event.
func (in *Intake) Take(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body) // the route bounds it
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nod.Errorf(nod.TooLarge, "the hook's input is larger than %d MB; the terminal's own dialog decides", maxPayload>>20)
	}
	if err != nil {
		return nod.Errorf(nod.Invalid, "the hook's input broke off").Because(err)
	}
	c, err := in.call(r, body)
	if err != nil {
		return err
	}
	if !wire.Waits(c.Payload.Event) {
		if err := in.driver.Tell(r.Context(), c); err != nil {
			return err
		}
		return tellStop(w, in.driver.stopOrder(c))
	}
	return in.wait(w, r, c)
}

// tellStop gives a hook its order for Claude Code; nearly always there is none.
func tellStop(w http.ResponseWriter, order []byte) error {
	if order == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(order)
	return err
}

// wait raises what a hook asks and keeps its connection until that is settled.
func (in *Intake) wait(w http.ResponseWriter, r *http.Request, c Call) error {
	in.count(c.Ask, +1)
	defer in.count(c.Ask, -1)
	request, err := in.driver.Raise(r.Context(), c)
	if err != nil {
		return err
	}
	if c.Again && request.Settled() && len(in.driver.Answer(request)) == 0 {
		w.WriteHeader(http.StatusNoContent) // said, because an end can be a load balancer's
		return nil
	}
	if c.Local && in.lot.park(w, request) {
		return nil
	}
	return in.hold(w, r, c, request)
}

// Run looks for the hooks of requests that were open when the hub last ended,
// then after waiting hooks and the agents themselves, until ctx ends.
func (in *Intake) Run(ctx context.Context) {
	open := map[nod.RequestID]bool{}
	in.driver.link.State(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			if ours(r) && in.driver.link.Held(r) {
				a := s.Agents[r.Agent.ID]
				open[r.ID] = a != nil && a.Process != nil && a.Process.Local
			}
		}
	})
	for id, local := range open {
		in.lost(id, local)
	}
	var all sync.WaitGroup
	all.Go(func() { in.lot.run(ctx) })
	all.Go(func() { in.driver.Run(ctx) })
	all.Wait()
}

func (in *Intake) count(id nod.RequestID, by int) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.waiting[id] += by
	n := in.waiting[id]
	if n == 0 {
		delete(in.waiting, id)
	}
	return n
}

// isAskID is written out because a regular expression would be compiled at
// every start of `nod hook`, which shares this binary.
func isAskID(s nod.RequestID) bool {
	return len(s) >= 16 && len(s) <= 64 && strings.Trim(string(s), "0123456789abcdef") == ""
}

func (in *Intake) call(r *http.Request, body []byte) (Call, error) {
	p, err := wire.Parse(body)
	if err != nil {
		return Call{}, nod.Errorf(nod.Invalid, "%s", err)
	}
	c := Call{
		Payload: p,
		Ask:     nod.RequestID(r.Header.Get(wire.HeaderAsk)),
		Again:   r.Header.Get(wire.HeaderAgain) != "",
		Host:    short(r.Header.Get(wire.HeaderHost)),
		Pane:    short(r.Header.Get(wire.HeaderPane)),
		Tmux:    short(r.Header.Get(wire.HeaderTmux)),
		Run:     short(r.Header.Get(wire.HeaderRun)),
		Status:  short(r.Header.Get(wire.HeaderStatus)),
		Entry:   short(r.Header.Get(wire.HeaderEntry)),
		Local:   httpd.LocalConn(r.Context()) != nil,
	}
	c.PID, _ = strconv.Atoi(r.Header.Get(wire.HeaderPID))
	c.Resets, _ = strconv.ParseInt(r.Header.Get(wire.HeaderResets), 10, 64)
	if c.Ask == "" {
		c.Ask = NewAskID()
	}
	if !isAskID(c.Ask) {
		return Call{}, nod.Errorf(nod.Invalid, "%s must be 16 to 64 lower-case hexadecimal digits", wire.HeaderAsk)
	}
	return c, nil
}

// short keeps a header within bounds and readable.
func short(s string) string {
	return nod.OneLine(strings.ToValidUTF8(s[:min(len(s), 1024)], ""))
}

// NewAskID makes an id for a request: unguessable, and easy to type the first
// letters of.
func NewAskID() nod.RequestID {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return nod.RequestID(hex.EncodeToString(b[:]))
}
