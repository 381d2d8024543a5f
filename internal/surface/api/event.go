package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// SSE event names of what the hub says about a stream itself. Facts have none, so that a
// browser's onmessage gets every kind, also those of a newer hub.
const (
	gapEvent = "gap" // the log does not reach back that far: take a new snapshot
	endEvent = "end" // the hub ends the stream, and says why
)

// state is what a client starts from: it then follows the events after its seq.
func state(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	snap, err := d.Snapshot(r.Context())
	if err != nil {
		return err
	}
	snap.Agents, snap.Requests = orEmpty(snap.Agents), orEmpty(snap.Requests)
	snap.Leases, snap.Messages = orEmpty(snap.Leases), orEmpty(snap.Messages)
	return httpd.JSON(w, http.StatusOK, snap)
}

// events streams the log. Last-Event-ID wins over after, because a browser that
// reconnects by itself repeats the old address.
func (s *Surface) events(w http.ResponseWriter, r *http.Request) error {
	after, err := s.cursor(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		return nil
	}
	stream, ctx := httpd.NewStream(w, r)
	defer stream.Close()
	if err := stream.Start(after); err != nil {
		return nil
	}
	for e, err := range s.desk(r).Follow(ctx, after) {
		if err != nil {
			return sendEnd(stream, err)
		}
		if ctx.Err() != nil {
			break // revoked or closing: they may not have the rest
		}
		if stream.Send(e.Seq, e.Body()) != nil {
			return nil // the client went away
		}
	}
	return sendCause(ctx, stream)
}

// sendCause ends a stream whose ctx has ended: a revoked token or a hub that closes says
// so, a client that went away hears nothing any more.
func sendCause(ctx context.Context, stream *httpd.Stream) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return sendEnd(stream, cause)
	}
	return nil
}

// sendEnd says why a stream ends. Only internal errors go to the program's log.
func sendEnd(stream *httpd.Stream, err error) error {
	event := endEvent
	if nod.CodeOf(err) == nod.Gone {
		event = gapEvent
	}
	body, encodeErr := json.Marshal(httpd.FailureOf(err))
	if encodeErr != nil {
		return encodeErr
	}
	_ = stream.SendControl(event, body)
	if nod.CodeOf(err) == nod.Internal {
		return err
	}
	return nil
}

// cursor is where a stream begins: now, unless the client says otherwise.
func (s *Surface) cursor(r *http.Request) (nod.Seq, error) {
	q := queryOf(r, "after")
	after := q.seq("after")
	if q.err != nil {
		return 0, q.err
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		at, err := parseSeq(last)
		if err != nil {
			return 0, nod.Errorf(nod.Invalid, "Last-Event-ID is no place in the log: a number is expected")
		}
		return at, nil
	}
	if !q.values.Has("after") {
		after, _ = s.Hub.Head()
	}
	return after, nil
}

// readLog writes entries of the log. The bytes of an event are written as they are stored:
// encoding/json would reformat them, and their hashes would be wrong.
func readLog(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "after", "limit")
	after, limit := q.seq("after"), q.limit()
	if q.err != nil {
		return q.err
	}
	var base nod.Checkpoint
	if after == 0 { // the start of what is kept
		var err error
		if base, err = d.Base(r.Context()); err != nil {
			return err
		}
		after = base.Seq
	}
	events, err := d.Log(r.Context(), after, limit)
	if err != nil {
		return err
	}
	var start []byte
	if !base.IsZero() {
		if start, err = json.Marshal(base); err != nil {
			return err
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	out := bufio.NewWriter(w)
	writeLog(out, start, events)
	_ = out.Flush() // an error here means that the client went away
	return nil
}

func writeLog(out *bufio.Writer, start []byte, events []nod.Event) {
	_ = out.WriteByte('{')
	if start != nil {
		_, _ = io.WriteString(out, `"checkpoint":`+string(start)+`,`)
	}
	_, _ = io.WriteString(out, `"entries":[`)
	for i := range events {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		_, _ = io.WriteString(out, `{"hash":"`+events[i].Hash.String()+`","event":`)
		_, _ = out.Write(events[i].Body())
		_ = out.WriteByte('}')
	}
	_, _ = io.WriteString(out, "]}\n")
}
