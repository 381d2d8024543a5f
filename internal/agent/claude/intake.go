package claude

import (
	"cmp"
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

// maxPayload bounds a hook's input. Inputs of megabytes happen, when a tool writes a file;
// for larger ones only the terminal can answer.
const maxPayload = 16 << 20

// intake takes the calls of hooks: POST wire.Intake for events, POST wire.Intake/{id}
// for the reports of hooks that wait. The gate has checked that they may raise.
type intake struct {
	driver  *Driver
	waiting *waitingHooks

	protocols sync.Map // versions of hooks, other than ours, that the log mentions already
}

// take handles one hook event.
func (in *intake) take(w http.ResponseWriter, r *http.Request) error {
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
	in.noteProtocol(r, c.Host)
	if !wire.Waits(c.Payload.Event) {
		if err := in.driver.Observe(r.Context(), c); err != nil {
			return err
		}
		return writeOrder(w, in.driver.stopOrder(c))
	}
	return in.wait(w, r, c)
}

// noteProtocol logs once for each version that hooks of another version than the hub's
// call. That works, but a person should know why a detail may be missing, and what to
// update.
func (in *intake) noteProtocol(r *http.Request, host string) {
	spoken := cmp.Or(r.Header.Get(wire.HeaderProtocol), "1")
	if spoken == strconv.Itoa(wire.Protocol) {
		return
	}
	if _, known := in.protocols.LoadOrStore(short(spoken), true); !known {
		in.driver.Log.Info("a hook speaks another protocol version than this hub, which works; `nod doctor` on its machine says what to update",
			"host", host, "hook", short(spoken), "hub", wire.Protocol)
	}
}

// writeOrder sends a hook its output for Claude Code; nearly always there is none.
func writeOrder(w http.ResponseWriter, order []byte) error {
	if order == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	_, err := w.Write(order)
	return err
}

// wait raises what a hook asks and keeps its connection until that is settled.
// The first line, an empty one, says that the request is stored.
func (in *intake) wait(w http.ResponseWriter, r *http.Request, c Call) error {
	defer in.waiting.enter(c.Ask)()
	request, err := in.driver.Raise(r.Context(), c)
	if err != nil {
		return err
	}
	if c.Again && request.Settled() && len(in.driver.Answer(request)) == 0 {
		w.WriteHeader(http.StatusNoContent) // because a load balancer can end a response without a body too
		return nil
	}
	chunked := c.Local && r.ProtoAtLeast(1, 1)
	w.Header().Set("Content-Type", "application/json")
	if chunked {
		w.Header().Set("Connection", "close")
	}
	_ = held{w}.send([]byte("\n")) // a failure shows soon enough
	if chunked {
		if out, ok := detach(w); ok {
			in.detached(request, out)
			return nil
		}
	}
	return in.held(w, r, request, c.Local)
}

// detached lets a hook of this machine wait without a handler. A goroutine notices when
// the hook has gone, or has given its answer to Claude Code: a hook of protocol 1 sends a
// mark then, later ones a report.
func (in *intake) detached(request *nod.Request, out detached) {
	h, stop := in.waiting.add(request, out)
	go func() { // without the request, which may be large
		mark := h.untilGone(out)
		stop()
		switch early := h.end(); {
		case early:
			in.waiting.lost(h.id, true)
		case mark == wire.DeliveredMark:
			if err := in.driver.HandleReport(context.Background(), h.id, wire.HookReport{Event: wire.Delivered}); err != nil {
				in.driver.Log.Warn("a delivery was not recorded", "request", h.id, "err", err)
			}
		}
	}()
}

// held lets a hook wait inside its handler, whose context ends with the connection, with
// the hook's token, and with the server.
func (in *intake) held(w http.ResponseWriter, r *http.Request, request *nod.Request, local bool) error {
	ctx, cancel := httpd.WhileServing(r.Context())
	defer cancel()
	h, stop := in.waiting.add(request, held{w})
	defer stop()
	select {
	case <-h.finished:
		return nil
	case <-ctx.Done():
	}
	if !h.end() {
		<-h.finished // the last line is on its way
		return nil
	}
	if r.Context().Err() != nil {
		in.waiting.lost(request.ID, local)
	}
	// A hook that is still there comes back when its connection breaks, but not when the
	// response ends.
	panic(http.ErrAbortHandler)
}

// run gives the hooks of requests that were open when the hub last ended time to
// come back, then serves the hooks that wait, until ctx ends.
func (in *intake) run(ctx context.Context) {
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
		in.waiting.lost(id, local)
	}
	in.waiting.run(ctx)
}

// isAskID checks the id of a request: 16 to 64 lower-case hexadecimal digits.
func isAskID(s nod.RequestID) bool {
	return len(s) >= 16 && len(s) <= 64 && strings.Trim(string(s), "0123456789abcdef") == ""
}

func (in *intake) call(r *http.Request, body []byte) (Call, error) {
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

// NewAskID makes an id for a request: unguessable, with a beginning that is easy to type.
func NewAskID() nod.RequestID {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return nod.RequestID(hex.EncodeToString(b[:]))
}
