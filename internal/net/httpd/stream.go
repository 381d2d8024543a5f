package httpd

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"nod"
)

const (
	heartbeat = 15 * time.Second
	// writeTimeout limits how long a client may take to receive one write. A slow
	// client gets everything, later; one that takes longer is considered dead.
	writeTimeout = 30 * time.Second
)

var errClosed = errors.New("the stream is closed")

// Stream sends server-sent events. Its heartbeat is a comment, which has no id and
// so does not move the client's cursor.
type Stream struct {
	w  http.ResponseWriter
	rc *http.ResponseController

	mu     sync.Mutex // guards everything below: the heartbeat writes too
	buf    []byte
	beat   *time.Timer
	err    error // the first error; nothing is sent after it
	cancel context.CancelFunc
	open   *atomic.Int64
}

type streamsKey struct{}

// Streams counts the open streams of the request's server, over all surfaces.
func Streams(ctx context.Context) int64 {
	if open, ok := ctx.Value(streamsKey{}).(*atomic.Int64); ok {
		return open.Load()
	}
	return 0
}

// NewStream begins a stream. Its context ends with the request, at shutdown, or when
// the client is dead; Close must be called.
func NewStream(w http.ResponseWriter, r *http.Request) (*Stream, context.Context) {
	ctx, cancel := WhileServing(r.Context())
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no") // nginx would buffer events
	w.WriteHeader(http.StatusOK)
	s := &Stream{w: w, rc: http.NewResponseController(w), cancel: cancel}
	if s.open, _ = ctx.Value(streamsKey{}).(*atomic.Int64); s.open != nil {
		s.open.Add(1)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(heartbeat, s.ping)
	s.buf = append(s.buf, "retry: 2000\n\n"...)
	s.flush()
	return s, ctx
}

// Start sends the current position, so that the client can resume even if it loses
// the connection before the first event.
func (s *Stream) Start(at nod.Seq) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.field("id", strconv.FormatUint(uint64(at), 10))
	return s.finish()
}

// Send sends one fact with its number in the log, byte for byte.
func (s *Stream) Send(at nod.Seq, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = append(s.buf, "id: "...)
	s.buf = strconv.AppendUint(s.buf, uint64(at), 10)
	s.buf = append(s.buf, '\n')
	s.data(data)
	return s.finish()
}

// SendAs sends a named event with its number in the log.
func (s *Stream) SendAs(event string, at nod.Seq, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.field("event", event)
	s.field("id", strconv.FormatUint(uint64(at), 10))
	s.data(data)
	return s.finish()
}

// SendControl sends an event about the stream itself, which has no number.
func (s *Stream) SendControl(event string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.field("event", event)
	s.data(data)
	return s.finish()
}

// Close stops the heartbeat. The connection can be reused afterwards.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat.Stop()
	s.cancel()
	if s.open != nil {
		s.open.Add(-1)
		s.open = nil
	}
	if s.err == nil {
		s.err = errClosed // a late heartbeat must not write
		_ = s.rc.SetWriteDeadline(time.Time{})
	}
}

func (s *Stream) ping() {
	if !s.mu.TryLock() {
		return // an event is being sent, which resets the timer
	}
	defer s.mu.Unlock()
	s.buf = append(s.buf, ": still here\n"...)
	_ = s.finish()
}

func (s *Stream) field(name, value string) {
	s.buf = append(s.buf, name...)
	s.buf = append(s.buf, ": "...)
	s.buf = append(s.buf, strings.NewReplacer("\n", " ", "\r", " ").Replace(value)...)
	s.buf = append(s.buf, '\n')
}

// data writes a field for each line, so that no data can end an event.
func (s *Stream) data(data []byte) {
	if bytes.IndexByte(data, '\r') >= 0 { // a line break too, in this format
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		s.buf = append(s.buf, "data: "...)
		s.buf = append(s.buf, line...)
		s.buf = append(s.buf, '\n')
	}
}

// finish ends an event and sends it.
func (s *Stream) finish() error {
	s.buf = append(s.buf, '\n')
	s.flush()
	return s.err
}

func (s *Stream) flush() {
	defer func() { s.buf = s.buf[:0] }()
	if s.err != nil {
		return
	}
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer can, in tests
	if _, s.err = s.w.Write(s.buf); s.err == nil {
		s.err = s.rc.Flush()
	}
	if s.err != nil {
		s.cancel()
		return
	}
	s.beat.Reset(heartbeat)
}
