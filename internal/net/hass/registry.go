package hass

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"nod"
)

// Entity is an entry of the entity registry.
type Entity struct {
	ID       string  `json:"entity_id"`
	Unique   any     `json:"unique_id"`
	Platform string  `json:"platform"`
	Device   string  `json:"device_id"`
	Area     string  `json:"area_id"`
	Name     string  `json:"name"`
	Original string  `json:"original_name"`
	Disabled *string `json:"disabled_by"`
	Hidden   *string `json:"hidden_by"`
}

// Device is an entry of the device registry.
type Device struct {
	ID           string  `json:"id"`
	Name         string  `json:"name"`
	ByUser       string  `json:"name_by_user"`
	Manufacturer string  `json:"manufacturer"`
	Model        string  `json:"model"`
	Area         string  `json:"area_id"`
	Disabled     *string `json:"disabled_by"`
}

// Called is the name that people use.
func (d Device) Called() string {
	if d.ByUser != "" {
		return d.ByUser
	}
	return d.Name
}

// State is the current state of an entity.
type State struct {
	Entity     string         `json:"entity_id"`
	State      string         `json:"state"`
	Attributes map[string]any `json:"attributes"`
}

// Number is an attribute, if it is a number.
func (s State) Number(name string) (float64, bool) {
	n, ok := s.Attributes[name].(float64)
	return n, ok
}

// Text is an attribute, if it is text.
func (s State) Text(name string) string {
	text, _ := s.Attributes[name].(string)
	return text
}

// Gone reports whether the entity exists by name only.
func (s State) Gone() bool { return s.State == "" || s.State == "unavailable" }

// Entities is the entity registry.
func (c *Client) Entities(ctx context.Context) ([]Entity, error) {
	return list[Entity](c, ctx, "config/entity_registry/list")
}

// Devices is the device registry.
func (c *Client) Devices(ctx context.Context) ([]Device, error) {
	return list[Device](c, ctx, "config/device_registry/list")
}

// States are the states of all entities.
func (c *Client) States(ctx context.Context) ([]State, error) {
	return list[State](c, ctx, "get_states")
}

func list[T any](c *Client, ctx context.Context, command string) ([]T, error) {
	raw, err := c.ask(ctx, map[string]any{"type": command}, 0)
	if err != nil {
		return nil, err
	}
	var all []T
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, nod.Errorf(nod.Unavailable, "Home Assistant's list cannot be read").Because(err)
	}
	return all, nil
}

// Config is Home Assistant's description of itself.
type Config struct {
	Language   string   `json:"language"`
	Version    string   `json:"version"`
	Components []string `json:"components"`
}

func (c *Client) Config(ctx context.Context) (out Config, err error) {
	raw, err := c.ask(ctx, map[string]any{"type": "get_config"}, 0)
	if err == nil && json.Unmarshal(raw, &out) != nil {
		err = nod.Errorf(nod.Unavailable, "Home Assistant's configuration cannot be read")
	}
	return out, err
}

// Actions are the names of all actions of a domain.
func (c *Client) Actions(ctx context.Context, domain string) ([]string, error) {
	raw, err := c.ask(ctx, map[string]any{"type": "get_services"}, 0)
	if err != nil {
		return nil, err
	}
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, nod.Errorf(nod.Unavailable, "Home Assistant's list cannot be read").Because(err)
	}
	return slices.Sorted(maps.Keys(all[domain])), nil
}
