// Package fakehass is a fake Home Assistant with voice satellites, for tests: the part of its WebSocket API that nod
// uses, and devices that can be pressed, turned, listened to and spoken to.
package fakehass

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is a fake Home Assistant.
type Server struct {
	Token      string
	Speak      time.Duration // how long an announcement takes
	Language   string
	Components []string

	mu       sync.Mutex
	states   map[string]State
	entities []map[string]any
	devices  []map[string]any
	pucks    map[string]*Puck // by satellite
	conns    map[*conn]bool
	calls    []Call
	colors   map[string]map[string]any // of lights, also while they are off
	extra    map[string]func(Call)
	broken   map[string]failure // actions that fail, by domain.name
	away     bool               // as reported by a proxy in front of it
	deaf     bool               // it reads and never answers
	refusals int                // rejected tokens
}

// State is the state of an entity.
type State struct {
	State      string
	Attributes map[string]any
}

// Call is an action call that was received.
type Call struct {
	Action string // domain.name
	Entity string
	Data   map[string]any
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// New makes one without entities.
func New(token string) *Server {
	return &Server{
		Token: token, Speak: time.Second, Language: "en", Components: []string{"mqtt", "assist_satellite"}, states: map[string]State{}, pucks: map[string]*Puck{}, conns: map[*conn]bool{}, broken: map[string]failure{}, extra: map[string]func(Call){}, colors: map[string]map[string]any{},
	}
}

var _ http.Handler = (*Server)(nil)

// Set changes a state and notifies its subscribers.
func (h *Server) Set(entity, state string, attributes map[string]any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.set(entity, state, attributes)
}

func (h *Server) set(entity, state string, attributes map[string]any) {
	_, was := h.states[entity]
	now := State{state, maps.Clone(h.states[entity].Attributes)}
	if now.Attributes == nil {
		now.Attributes = map[string]any{}
	}
	maps.Copy(now.Attributes, attributes)
	h.states[entity] = now
	for c := range h.conns {
		c.changed(entity, now, was)
	}
}

// State is the current state of an entity.
func (h *Server) State(entity string) State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.states[entity]
}

// Register adds an entity to the registry.
func (h *Server) Register(entity, device string, more map[string]any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	line := map[string]any{"entity_id": entity, "device_id": device, "platform": "esphome", "unique_id": entity, "name": nil, "original_name": nil, "disabled_by": nil, "hidden_by": nil, "area_id": nil}
	maps.Copy(line, more)
	h.entities = append(h.entities, line)
}

// Device adds a device to the registry.
func (h *Server) Device(id, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.devices = append(h.devices, map[string]any{"id": id, "name": name, "name_by_user": nil, "manufacturer": "Nabu Casa", "model": "Home Assistant Voice PE", "area_id": nil, "disabled_by": nil})
}

// On adds an action.
func (h *Server) On(action string, f func(Call)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.extra[action] = f
}

// Break makes an action fail until it is repaired with an empty code.
func (h *Server) Break(action, code, message string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if code == "" {
		delete(h.broken, action)
		return
	}
	h.broken[action] = failure{code, message}
}

// Drop closes all connections, as a restart does.
func (h *Server) Drop() {
	h.mu.Lock()
	all := slices.Collect(maps.Keys(h.conns))
	for _, p := range h.pucks {
		p.restart()
	}
	h.mu.Unlock()
	for _, c := range all {
		c.cut()
	}
}

// Away makes it unreachable, or reachable again.
func (h *Server) Away(away bool) {
	h.mu.Lock()
	h.away = away
	h.mu.Unlock()
	if away {
		h.Drop()
	}
}

// Deafen makes it read without ever answering.
func (h *Server) Deafen(on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deaf = on
}

// Refusals counts rejected tokens.
func (h *Server) Refusals() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refusals
}

// Connections counts the open connections.
func (h *Server) Connections() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.conns)
}

// Calls are the action calls so far, oldest first; all of them if action is empty.
func (h *Server) Calls(action string) []Call {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []Call
	for _, c := range h.calls {
		if action == "" || c.Action == action {
			list = append(list, c)
		}
	}
	return list
}

// Hear is a sentence that a person says to Home Assistant itself. It reports whether a trigger matched.
func (h *Server) Hear(satellite, sentence string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	taken := false
	for c := range h.conns {
		for id, commands := range c.sentences {
			for _, command := range commands {
				query, ok := match(command, sentence)
				if !ok {
					continue
				}
				taken = true
				c.send(map[string]any{"id": id, "type": "event", "event": map[string]any{"variables": map[string]any{"trigger": map[string]any{
					"platform": "conversation", "sentence": sentence, "slots": map[string]any{"query": query}, "satellite_id": satellite, "device_id": nil,
				}}}})
				break
			}
		}
	}
	return taken
}

// act performs an action.
func (h *Server) act(c Call) (response any, fail *failure) {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	if f, ok := h.broken[c.Action]; ok {
		h.mu.Unlock()
		return nil, &f
	}
	puck, extra := h.pucks[c.Entity], h.extra[c.Action]
	h.mu.Unlock()
	if extra != nil {
		extra(c)
		return nil, nil
	}
	switch c.Action {
	case "assist_satellite.announce":
		if puck == nil {
			return nil, &failure{"not_found", "no such satellite"}
		}
		text, _ := c.Data["message"].(string)
		return nil, puck.announce(text)
	case "assist_satellite.ask_question":
		if puck == nil {
			return nil, &failure{"not_found", "no such satellite"}
		}
		return puck.ask(c.Data)
	case "light.turn_on":
		h.light(c.Entity, c.Data)
	case "light.turn_off": // a light that is off does not report its colour
		h.Set(c.Entity, "off", map[string]any{"rgb_color": nil, "brightness": nil})
	case "media_player.volume_set":
		h.Set(c.Entity, h.State(c.Entity).State, map[string]any{"volume_level": c.Data["volume_level"]})
	default:
		if h.painted(c) {
			return nil, nil
		}
		return nil, &failure{"not_found", "Service " + c.Action + " not found."}
	}
	return nil, nil
}

// light turns one on, with its old colour unless there is a new one.
func (h *Server) light(entity string, data map[string]any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	own := h.colors[entity]
	if own == nil {
		own = map[string]any{"rgb_color": []any{24.0, 187.0, 242.0}, "brightness": 168.0}
	}
	own = maps.Clone(own)
	maps.Copy(own, data)
	h.colors[entity] = own
	h.set(entity, "on", own)
}

// Changed announces that the registry has changed.
func (h *Server) Changed() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		for id, kind := range c.events {
			if kind == "entity_registry_updated" {
				c.send(map[string]any{"id": id, "type": "event", "event": map[string]any{"event_type": kind, "data": map[string]any{"action": "create"}}})
			}
		}
	}
}

// actions are those of devices with our firmware addition.
func (h *Server) actions() map[string]any {
	all := map[string]any{}
	for _, p := range h.pucks {
		if p.Dial != "" {
			all[p.action()] = map[string]any{}
		}
	}
	return all
}

// painted handles the action of a device with the addition.
func (h *Server) painted(c Call) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, name, _ := strings.Cut(c.Action, ".")
	for _, p := range h.pucks {
		if p.Dial != "" && p.action() == name {
			p.leds, _ = c.Data["leds"].(string)
			return true
		}
	}
	return false
}

func clone(v any) map[string]any {
	var out map[string]any
	text, _ := json.Marshal(v)
	_ = json.Unmarshal(text, &out)
	return out
}
