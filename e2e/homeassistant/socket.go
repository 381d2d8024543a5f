package homeassistant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"nod/e2e/rig"
)

// Event is one event of Home Assistant's bus.
type Event struct {
	Kind string          `json:"event_type"`
	Data json.RawMessage `json:"data"`
}

// socket is one connection to the WebSocket API: commands, and every event since the start.
type socket struct {
	conn *websocket.Conn
	stop context.CancelFunc

	mu      sync.Mutex
	next    int
	waiting map[int]chan answer
	events  []Event
	err     error
}

type answer struct {
	ID      int             `json:"id"`
	Type    string          `json:"type"`
	Success bool            `json:"success"`
	Result  json.RawMessage `json:"result"`
	Event   Event           `json:"event"`
	Error   struct{ Code, Message string }
}

// connect opens the socket, makes a long-lived token the first time, and follows all events.
func (h *Instance) connect(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background()) // a shared instance outlives its first test
	conn, _, err := websocket.Dial(ctx, strings.Replace(h.URL, "http", "ws", 1)+"/api/websocket", nil)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	conn.SetReadLimit(64 << 20)
	h.socket = &socket{conn: conn, stop: cancel, waiting: map[int]chan answer{}}
	var hello, welcome struct{ Type, Message string }
	err = errors.Join(wsjson.Read(ctx, conn, &hello),
		wsjson.Write(ctx, conn, map[string]string{"type": "auth", "access_token": h.Token}),
		wsjson.Read(ctx, conn, &welcome))
	if err != nil || welcome.Type != "auth_ok" {
		t.Fatalf("the WebSocket says %+v, then %+v, %v", hello, welcome, err)
	}
	go h.socket.read(ctx)
	if !h.known { // the first token is for a browser, and short-lived
		h.Command(t, map[string]any{"type": "auth/long_lived_access_token", "client_name": "test", "lifespan": 1}, &h.Token)
		h.known = true
	}
	h.Command(t, map[string]any{"type": "subscribe_events"}, nil)
	h.patiently(t, "every integration to be set up", func() bool {
		var config struct{ State string }
		h.Command(t, map[string]any{"type": "get_config"}, &config)
		return config.State == "RUNNING"
	})
}

func (s *socket) read(ctx context.Context) {
	for {
		var a answer
		if err := wsjson.Read(ctx, s.conn, &a); err != nil {
			s.mu.Lock()
			s.err = err
			for id, to := range s.waiting {
				delete(s.waiting, id)
				close(to)
			}
			s.mu.Unlock()
			return
		}
		s.mu.Lock()
		if a.Type == "event" {
			s.events = append(s.events, a.Event)
		} else if to := s.waiting[a.ID]; to != nil {
			delete(s.waiting, a.ID)
			to <- a
		}
		s.mu.Unlock()
	}
}

func (s *socket) close() {
	s.stop()
	_ = s.conn.CloseNow()
}

// Command sends a command over the WebSocket, such as {"type": "config/device_registry/list"}, and reads its result.
func (h *Instance) Command(t testing.TB, command map[string]any, into any) {
	t.Helper()
	if err := h.TryCommand(t.Context(), command, into); err != nil {
		t.Fatal(err)
	}
}

// TryCommand is a command that may fail.
func (h *Instance) TryCommand(ctx context.Context, command map[string]any, into any) error {
	s := h.socket
	ctx, cancel := context.WithTimeout(ctx, 4*rig.Patience) // a service may wait for a person
	defer cancel()
	to := make(chan answer, 1)
	// Numbers must arrive in order, so counting and writing are one step.
	s.mu.Lock()
	s.next++
	id := s.next
	message := map[string]any{"id": id}
	for key, value := range command {
		message[key] = value
	}
	err := s.err
	if err == nil {
		s.waiting[id] = to
		err = wsjson.Write(ctx, s.conn, message)
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case a, ok := <-to:
		switch {
		case !ok:
			return errors.New("the WebSocket was closed")
		case !a.Success:
			return fmt.Errorf("%v: %s: %s", command["type"], a.Error.Code, a.Error.Message)
		case into == nil:
			return nil
		}
		return json.Unmarshal(a.Result, into)
	case <-ctx.Done():
		return fmt.Errorf("%v: %w", command["type"], ctx.Err())
	}
}

// Events are all events of a kind since the start, oldest first.
func (h *Instance) Events(kind string) []Event {
	h.socket.mu.Lock()
	defer h.socket.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(h.socket.events), func(e Event) bool { return e.Kind != kind })
}

// WaitEvent waits for an event of a kind that fits; earlier ones count.
func (h *Instance) WaitEvent(t testing.TB, kind string, fits func(json.RawMessage) bool) (found Event) {
	t.Helper()
	rig.Until(t, "event "+kind, func() bool {
		list := h.Events(kind)
		i := slices.IndexFunc(list, func(e Event) bool { return fits(e.Data) })
		if i >= 0 {
			found = list[i]
		}
		return i >= 0
	}, func() string { return fmt.Sprintf("there were %s", h.Events(kind)) })
	return found
}
