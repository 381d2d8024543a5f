package client

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/url"
	"strings"

	v1 "nod/internal/client/v1"

	"nod"
)

// Follow yields events after a place in the log as they happen, until ctx ends
// or the connection does (then the last pair holds the error). It fails with
// Gone when the log no longer reaches back that far: take a new snapshot.
func (c events) Follow(ctx context.Context, after nod.Seq) iter.Seq2[nod.Event, error] {
	return stream[nod.Event](ctx, c.connection, "/v1/events?after="+seq(after), "")
}

// stream yields what a stream of events carries, until ctx ends or the connection does
// (then the last pair holds the error). With a kind, it skips events of other kinds,
// which a newer hub may send.
func stream[T any](ctx context.Context, c *connection, path, kind string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		res, err := c.send(ctx, "GET", path, nil)
		if err != nil {
			yield(none, err)
			return
		}
		defer res.Body.Close()
		for frame, err := range frames(res.Body) {
			if err == nil {
				err = frame.failure()
			}
			if err == nil && kind != "" && frame.event != kind {
				continue
			}
			var v T
			if err == nil {
				err = json.Unmarshal(frame.data, &v)
			}
			if ctx.Err() != nil {
				return
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

type frame struct {
	event string
	data  []byte
}

// failure is what the hub says about the stream itself: that it has a gap, or
// why it ends.
func (f frame) failure() error {
	if f.event != "gap" && f.event != "end" {
		return nil
	}
	var body v1.Failure
	if err := json.Unmarshal(f.data, &body); err != nil || body.Error.Code == "" {
		return nod.Errorf(nod.Gone, "the hub ended the stream: take a new snapshot").Because(err)
	}
	return &nod.Error{Code: body.Error.Code, Message: body.Error.Message}
}

// frames reads a text/event-stream. Comments are heartbeats and say nothing.
func frames(r io.Reader) iter.Seq2[frame, error] {
	return func(yield func(frame, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var f frame
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				if err == io.EOF {
					err = nod.Errorf(nod.Unavailable, "the hub closed the connection").Because(err)
				}
				yield(frame{}, err)
				return
			}
			line = strings.TrimRight(line, "\r\n")
			if line != "" {
				f.add(line)
				continue
			}
			if f.data != nil && !yield(f, nil) {
				return
			}
			f = frame{}
		}
	}
}

// add takes in one line of a frame.
func (f *frame) add(line string) {
	field, value, _ := strings.Cut(line, ":")
	value = strings.TrimPrefix(value, " ")
	switch field {
	case "event":
		f.event = value
	case "data":
		if f.data != nil {
			f.data = append(f.data, '\n')
		}
		f.data = append(f.data, value...)
	}
}

// Log reads recorded events after a place, oldest first.
func (c events) Log(ctx context.Context, after nod.Seq, limit int) ([]v1.LogEntry, error) {
	_, entries, err := c.log(ctx, after, limit)
	return entries, err
}

// LogStart reads the first events that are kept, and the checkpoint that they
// follow if older ones were pruned.
func (c events) LogStart(ctx context.Context, limit int) (base nod.Checkpoint, entries []v1.LogEntry, err error) {
	return c.log(ctx, 0, limit)
}

func (c events) log(ctx context.Context, after nod.Seq, limit int) (nod.Checkpoint, []v1.LogEntry, error) {
	var list v1.LogList
	q := url.Values{"after": {seq(after)}, "limit": {seq(nod.Seq(limit))}}
	err := c.do(ctx, "GET", "/v1/log?"+q.Encode(), nil, &list)
	if list.Checkpoint == nil {
		list.Checkpoint = &nod.Checkpoint{}
	}
	return *list.Checkpoint, list.Entries, err
}
