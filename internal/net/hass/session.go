package hass

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/sys/pause"
)

// writeLimit bounds a write when the other end does not read.
const writeLimit = 10 * time.Second

// session is one connection.
type session struct {
	conn    *websocket.Conn
	version string

	writing sync.Mutex // ids must be sent in increasing order
	last    int

	mu     sync.Mutex
	calls  map[int]chan<- answer
	events map[int]chan<- json.RawMessage
	ended  error // why there are no more answers
}

type answer struct {
	result json.RawMessage
	err    error
}

// incoming is any message of Home Assistant.
type incoming struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result"`
	Event   json.RawMessage `json:"event"`
	Error   *Failure        `json:"error"`
	Version string          `json:"ha_version"`
	Message string          `json:"message"`
}

// open connects and authenticates.
func (c *Client) open(ctx context.Context, token string) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Pause.Answer)
	defer cancel()
	conn, res, err := websocket.Dial(ctx, c.address, &websocket.DialOptions{HTTPClient: c.o.HTTP})
	if err != nil {
		if res != nil && res.StatusCode != 0 {
			return nil, nod.Errorf(nod.Unavailable, "there is something at %s that is no Home Assistant (HTTP %d)", c.name, res.StatusCode).Because(err)
		}
		return nil, nod.Errorf(nod.Unavailable, "nobody answers at %s", c.name).Because(err)
	}
	conn.SetReadLimit(mostRead)
	s := &session{conn: conn, calls: map[int]chan<- answer{}, events: map[int]chan<- json.RawMessage{}}
	if err := s.introduce(ctx, token); err != nil {
		_ = conn.CloseNow()
		return nil, err
	}
	return s, nil
}

func (s *session) introduce(ctx context.Context, token string) error {
	hello, err := s.next(ctx)
	if err != nil {
		return err
	}
	if hello.Type != "auth_required" {
		return nod.Errorf(nod.Unavailable, "what answers there is no Home Assistant")
	}
	if err := s.write(ctx, map[string]string{"type": "auth", "access_token": token}); err != nil {
		return err
	}
	reply, err := s.next(ctx)
	if err != nil {
		return err
	}
	if reply.Type != "auth_ok" {
		return nod.Errorf(nod.Unauthorized, "Home Assistant does not take the token; make a new one there under your profile → Security → Long-lived access tokens")
	}
	s.version = nod.OneLine(reply.Version)
	return nil
}

func (s *session) next(ctx context.Context) (m incoming, err error) {
	_, data, err := s.conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		err = nod.Errorf(nod.Unavailable, "the connection to Home Assistant broke").Because(err)
	}
	return m, err
}

func (s *session) write(ctx context.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > mostWrite {
		return nod.Errorf(nod.TooLarge, "that is too long for Home Assistant")
	}
	if err := s.conn.Write(ctx, websocket.MessageText, data); err != nil {
		return nod.Errorf(nod.Unavailable, "the connection to Home Assistant broke").Because(err)
	}
	return nil
}

// read dispatches messages until the connection ends.
func (s *session) read(ctx context.Context) error {
	for {
		m, err := s.next(ctx)
		if err == nil {
			err = s.hand(m)
		}
		if err != nil {
			s.end(err)
			return err
		}
	}
}

func (s *session) hand(m incoming) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Type == "event" {
		queue, ok := s.events[m.ID]
		if !ok {
			return nil // ended meanwhile
		}
		select {
		case queue <- m.Event:
			return nil
		default: // losing an event would leave an outdated state
			return nod.Errorf(nod.Unavailable, "Home Assistant tells more than can be followed")
		}
	}
	reply, ok := s.calls[m.ID]
	if !ok {
		return nil // the caller has given up meanwhile
	}
	delete(s.calls, m.ID)
	a := answer{result: m.Result}
	if m.Type == "result" && !m.Success {
		if m.Error == nil {
			m.Error = &Failure{Code: "unknown_error"}
		}
		a.err = m.Error.explain()
	}
	reply <- a // buffered: never blocks
	return nil
}

// end fails all waiting calls.
func (s *session) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return
	}
	s.ended = err
	for _, reply := range s.calls {
		reply <- answer{err: err}
	}
	for _, queue := range s.events {
		close(queue)
	}
	s.calls, s.events = nil, nil
}

func (s *session) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended != nil
}

func (s *session) close() {
	s.end(nod.Errorf(nod.Unavailable, "the connection to Home Assistant was closed"))
	_ = s.conn.CloseNow()
}

// send numbers a command, sends it and returns the channel for its answer. Its events go to the queue, if there is
// one.
func (s *session) send(ctx context.Context, command map[string]any, queue chan<- json.RawMessage) (id int, reply <-chan answer, err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if ctx.Err() != nil {
		return 0, nil, nod.Errorf(nod.Unavailable, "it is too late for Home Assistant").Because(ctx.Err())
	}
	s.last++
	id = s.last
	room := make(chan answer, 1)
	s.mu.Lock()
	if s.ended != nil {
		s.mu.Unlock()
		return 0, nil, s.ended
	}
	s.calls[id] = room
	if queue != nil {
		s.events[id] = queue
	}
	s.mu.Unlock()
	command["id"] = id
	// Not with ctx: an aborted write breaks the whole connection.
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	if err := s.write(within, command); err != nil {
		s.forget(id)
		return 0, nil, err
	}
	return id, room, nil
}

func (s *session) forget(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.calls, id)
	if queue, ok := s.events[id]; ok {
		delete(s.events, id)
		close(queue)
	}
}

// ask sends a command and waits for the answer.
func (s *session) ask(ctx context.Context, command map[string]any) (json.RawMessage, error) {
	id, reply, err := s.send(ctx, command, nil)
	if err != nil {
		return nil, err
	}
	select {
	case a := <-reply:
		return a.result, a.err
	case <-ctx.Done():
		s.forget(id)
		return nil, nod.Errorf(nod.Unavailable, "Home Assistant did not answer in time").Because(ctx.Err())
	}
}

// pings detects a connection that died silently: a cable, a router, a sleeping machine.
func (s *session) pings(ctx context.Context, p Pause) error {
	for pause.For(ctx, p.Ping) {
		if err := s.ping(ctx, p.Answer); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *session) ping(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := s.ask(ctx, map[string]any{"type": "ping"})
	if errors.Is(err, context.DeadlineExceeded) {
		return nod.Errorf(nod.Unavailable, "Home Assistant is silent").Because(err)
	}
	return err
}
