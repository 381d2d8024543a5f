package fakehass

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"
)

type conn struct {
	house     *Server
	ws        *websocket.Conn
	out       chan any
	end       context.CancelFunc
	follows   map[int][]string // subscribe_entities
	events    map[int]string   // subscribe_events
	sentences map[int][]string // subscribe_trigger, conversation
}

type command struct {
	ID       int    `json:"id"`
	Type     string `json:"type"`
	Token    string `json:"access_token"`
	Domain   string `json:"domain"`
	Service  string `json:"service"`
	Data     map[string]any
	RawData  json.RawMessage `json:"service_data"`
	Target   target          `json:"target"`
	Response bool            `json:"return_response"`
	Entities []string        `json:"entity_ids"`
	Event    string          `json:"event_type"`
	Trigger  struct {
		Platform string   `json:"platform"`
		Trigger  string   `json:"trigger"`
		Command  []string `json:"command"`
	} `json:"trigger"`
}

type target struct {
	Entity string `json:"entity_id"`
}

// ServeHTTP is /api/websocket.
func (h *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	away := h.away
	h.mu.Unlock()
	if away {
		http.Error(w, "Bad Gateway", http.StatusBadGateway)
		return
	}
	if r.URL.Path != "/api/websocket" {
		http.NotFound(w, r)
		return
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = ws.CloseNow() }()
	ctx, end := context.WithCancel(context.Background())
	defer end()
	c := &conn{house: h, ws: ws, out: make(chan any, 4096), end: end, follows: map[int][]string{}, events: map[int]string{}, sentences: map[int][]string{}}
	if !c.admit(ctx) {
		return
	}
	h.mu.Lock()
	h.conns[c] = true
	h.mu.Unlock()
	go c.writes(ctx)
	for {
		var m command
		_, data, err := ws.Read(ctx)
		if err != nil || json.Unmarshal(data, &m) != nil {
			break
		}
		c.handle(m)
	}
	h.mu.Lock()
	delete(h.conns, c)
	h.mu.Unlock()
}

func (c *conn) admit(ctx context.Context) bool {
	if c.write(ctx, map[string]any{"type": "auth_required", "ha_version": "2026.2.0"}) != nil {
		return false
	}
	var m command
	_, data, err := c.ws.Read(ctx)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return false
	}
	if m.Type != "auth" || m.Token != c.house.Token {
		c.house.mu.Lock()
		c.house.refusals++
		c.house.mu.Unlock()
		_ = c.write(ctx, map[string]any{"type": "auth_invalid", "message": "Invalid access token or password"})
		return false
	}
	return c.write(ctx, map[string]any{"type": "auth_ok", "ha_version": "2026.2.0"}) == nil
}

func (c *conn) write(ctx context.Context, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.ws.Write(ctx, websocket.MessageText, data)
}

func (c *conn) writes(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case v := <-c.out:
			if c.write(ctx, v) != nil {
				return
			}
		}
	}
}

func (c *conn) send(v any) {
	select {
	case c.out <- v:
	default: // a client that does not read
	}
}

func (c *conn) cut() {
	c.end()
	_ = c.ws.CloseNow()
}

func (c *conn) result(id int, result any, f *failure) {
	if f != nil {
		c.send(map[string]any{"id": id, "type": "result", "success": false, "error": f})
		return
	}
	c.send(map[string]any{"id": id, "type": "result", "success": true, "result": result})
}

func (c *conn) handle(m command) {
	h := c.house
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.deaf {
		return
	}
	switch m.Type {
	case "ping":
		c.send(map[string]any{"id": m.ID, "type": "pong"})
	case "get_states":
		var all []map[string]any
		for id, s := range h.states {
			all = append(all, map[string]any{"entity_id": id, "state": s.State, "attributes": s.Attributes})
		}
		c.result(m.ID, all, nil)
	case "config/entity_registry/list":
		c.result(m.ID, h.entities, nil)
	case "config/device_registry/list":
		c.result(m.ID, h.devices, nil)
	case "get_config":
		c.result(m.ID, map[string]any{"language": h.Language, "version": "2026.2.0", "components": h.Components}, nil)
	case "get_services":
		c.result(m.ID, map[string]any{"esphome": h.actions(), "light": map[string]any{"turn_on": map[string]any{}}}, nil)
	case "subscribe_entities":
		c.follow(m)
	case "subscribe_events":
		c.events[m.ID] = m.Event
		c.result(m.ID, nil, nil)
	case "subscribe_trigger":
		c.sentences[m.ID] = m.Trigger.Command
		c.result(m.ID, nil, nil)
	case "call_service":
		_ = json.Unmarshal(m.RawData, &m.Data) // missing data is no data
		go c.call(m)
	default:
		c.result(m.ID, nil, &failure{"unknown_command", "Unknown command."})
	}
}

// call behaves like Home Assistant: shielded, so it continues after the caller has left.
func (c *conn) call(m command) {
	entity := m.Target.Entity
	if text, ok := m.Data["entity_id"].(string); ok && entity == "" {
		entity = text
	}
	response, f := c.house.act(Call{Action: m.Domain + "." + m.Service, Entity: entity, Data: m.Data})
	c.result(m.ID, map[string]any{"context": map[string]any{"id": "x"}, "response": response}, f)
}

func (c *conn) follow(m command) {
	c.follows[m.ID] = m.Entities
	c.result(m.ID, nil, nil)
	added := map[string]any{}
	for _, id := range m.Entities {
		if s, ok := c.house.states[id]; ok {
			added[id] = map[string]any{"s": s.State, "a": s.Attributes, "c": "x", "lc": 1}
		}
	}
	c.send(map[string]any{"id": m.ID, "type": "event", "event": map[string]any{"a": clone(added)}})
}

func (c *conn) changed(entity string, now State, was bool) {
	for id, list := range c.follows {
		if !slices.Contains(list, entity) {
			continue
		}
		news := map[string]any{"c": map[string]any{entity: map[string]any{"+": map[string]any{"s": now.State, "a": now.Attributes}}}}
		if !was {
			news = map[string]any{"a": map[string]any{entity: map[string]any{"s": now.State, "a": now.Attributes}}}
		}
		c.send(map[string]any{"id": id, "type": "event", "event": clone(news)})
	}
	for id, kind := range c.events {
		if kind == "state_changed" {
			c.send(map[string]any{"id": id, "type": "event", "event": clone(map[string]any{"event_type": kind, "data": map[string]any{
				"entity_id": entity, "new_state": map[string]any{"entity_id": entity, "state": now.State, "attributes": now.Attributes},
			}})})
		}
	}
}

// match matches a sentence against "ask claude {query}".
func match(command, sentence string) (query string, ok bool) {
	before, after, _ := strings.Cut(command, "{query}")
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	rest, ok := strings.CutPrefix(strings.ToLower(sentence), before)
	if !ok {
		return "", false
	}
	rest, ok = strings.CutSuffix(rest, after)
	return strings.TrimSpace(rest), ok && strings.TrimSpace(rest) != ""
}
