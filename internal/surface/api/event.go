package api

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"nod"
	"nod/internal/net/httpd"
)

// Words about a stream itself, as SSE event names. Facts have none, so that a
// browser's onmessage gets every kind, also those of a newer hub.
const (
	gapEvent = "gap" // the log does not reach back that far: take a new snapshot
	endEvent = "end" // the hub ends the stream, and says why
)

// events follows the log. Last-Event-ID wins over after: a browser that
// reconnects by itself repeats the old address.
func (s *surface) events(w http.ResponseWriter, r *http.Request) error {
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
			return tellEnd(stream, err)
		}
		if ctx.Err() != nil {
			break // revoked or closing: what is left is not for them any more
		}
		if stream.Send(e.Seq, e.Body()) != nil {
			return nil // they went away
		}
	}
	// A request that was cancelled has nobody to tell; a revoked token has.
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return tellEnd(stream, cause)
	}
	return nil
}

// tellEnd sends why a stream is over; only what is our fault goes to the log.
func tellEnd(stream *httpd.Stream, err error) error {
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

// cursor is where a follower wants to go on; without a word: now.
func (s *surface) cursor(r *http.Request) (nod.Seq, error) {
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

// log tells the log itself. The bytes of an event are written as they are:
// encoding/json would reformat them, and their hashes would be wrong.
func (s *surface) log(w http.ResponseWriter, r *http.Request) error {
	q := queryOf(r, "after", "limit")
	after, limit := q.seq("after"), q.limit()
	if q.err != nil {
		return q.err
	}
	var base nod.Checkpoint
	if after == 0 { // the start, wherever it is by now
		var err error
		if base, err = s.desk(r).Base(r.Context()); err != nil {
			return err
		}
		after = base.Seq
	}
	events, err := s.desk(r).Log(r.Context(), after, limit)
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
	_ = out.Flush() // an error here means that they went away
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
