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
	"time"

	"nod"
	"nod/internal/claudecode"
	"nod/internal/httpd"
)

// maxPayload bounds a hook's input. A tool's input of megabytes is real (a file
// that is written); beyond this only the terminal can answer.
const maxPayload = 16 << 20

// Intake is the hook's door: POST Intake for events, POST Intake/{id} for what
// a waiting hook says. Who may raise was decided before.
type Intake struct {
	driver *Driver

	mu      sync.Mutex
	waiting map[nod.RequestID]int // hooks that hold a connection for a request
}

// NewIntake makes the door.
func NewIntake(d *Driver) *Intake {
	return &Intake{driver: d, waiting: map[nod.RequestID]int{}}
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
	if !claudecode.Waits(c.Payload.Event) {
		if err := in.driver.Tell(r.Context(), c); err != nil {
			return err
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return in.hold(w, r, c)
}

// hold keeps the hook's connection until its request is settled. The first
// empty line says that the request is stored, the next ones that we are alive;
// the last line, if there is one with words, is for Claude Code.
func (in *Intake) hold(w http.ResponseWriter, r *http.Request, c Call) error {
	in.count(c.Ask, +1)
	defer in.count(c.Ask, -1)
	request, err := in.driver.Raise(r.Context(), c)
	if err != nil {
		return err
	}
	ctx, cancel := httpd.WhileServing(r.Context())
	defer cancel()
	w.Header().Set("Content-Type", "application/json")
	beat(w)
	settled := make(chan *nod.Request, 1)
	go func() {
		done, err := in.driver.Await(ctx, request)
		if err != nil {
			done = nil
		}
		settled <- done
	}()
	tick := time.NewTicker(claudecode.HeartbeatSeconds * time.Second)
	defer tick.Stop()
	for {
		select {
		case done := <-settled:
			if done == nil {
				in.broken(r, c)
			}
			_, err := w.Write(in.driver.Answer(done))
			return err
		case <-tick.C:
			beat(w)
		}
	}
}

// beat writes an empty line. That it fails shows soon enough in the request's
// context.
func beat(w http.ResponseWriter) {
	_, _ = io.WriteString(w, "\n")
	_ = http.NewResponseController(w).Flush()
}

// broken ends a wait without an outcome: the hook's connection is gone, or the
// hub is going. Breaking the connection, rather than ending it, tells a hook
// that still listens to come back.
func (in *Intake) broken(r *http.Request, c Call) {
	if r.Context().Err() != nil {
		in.lost(c.Ask, c.Local)
	}
	panic(http.ErrAbortHandler)
}

// lost gives a hook time to come back for its request.
func (in *Intake) lost(ask nod.RequestID, local bool) {
	patience := in.driver.timing.Travel
	if local {
		patience = in.driver.timing.Return
	}
	in.driver.Lost(ask, patience, func() bool { return in.count(ask, 0) > 0 })
}

// Run looks for the hooks of requests that were open when the hub last ended,
// and after that for the agents themselves, until ctx ends.
func (in *Intake) Run(ctx context.Context) {
	open := map[nod.RequestID]bool{}
	in.driver.link.State(func(s *nod.State) {
		for _, r := range s.PendingOf("") {
			if r.Agent.Kind == Kind {
				a := s.Agents[r.Agent.ID]
				open[r.ID] = a != nil && a.Process != nil && a.Process.Local
			}
		}
	})
	for id, local := range open {
		in.lost(id, local)
	}
	in.driver.Run(ctx)
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
	p, err := claudecode.Parse(body)
	if err != nil {
		return Call{}, nod.Errorf(nod.Invalid, "%s", err)
	}
	c := Call{
		Payload: p,
		Ask:     nod.RequestID(r.Header.Get(claudecode.HeaderAsk)),
		Host:    short(r.Header.Get(claudecode.HeaderHost)),
		Pane:    short(r.Header.Get(claudecode.HeaderPane)),
		Status:  short(r.Header.Get(claudecode.HeaderStatus)),
		Entry:   short(r.Header.Get(claudecode.HeaderEntry)),
		Local:   httpd.LocalConn(r.Context()) != nil,
	}
	c.PID, _ = strconv.Atoi(r.Header.Get(claudecode.HeaderPID))
	c.Resets, _ = strconv.ParseInt(r.Header.Get(claudecode.HeaderResets), 10, 64)
	if c.Ask == "" {
		c.Ask = NewAskID()
	}
	if !isAskID(c.Ask) {
		return Call{}, nod.Errorf(nod.Invalid, "%s must be 16 to 64 lower-case hexadecimal digits", claudecode.HeaderAsk)
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
