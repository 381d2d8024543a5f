package client

import (
	"context"
	"net/url"
	"time"

	"nod"
)

// KeyboardEntry is a keyboard that is connected, or was admitted.
type KeyboardEntry struct {
	ID        string      `json:"id"`
	Name      string      `json:"name,omitempty"`
	Address   string      `json:"address"`
	Admitted  bool        `json:"admitted"`
	Connected bool        `json:"connected"`
	By        string      `json:"by,omitempty"`
	At        *time.Time  `json:"at,omitempty"`
	Agent     nod.AgentID `json:"agent,omitempty"`
	Shows     nod.AgentID `json:"shows,omitempty"`
}

// Keyboards lists the keyboards.
func (c *Client) Keyboards(ctx context.Context) ([]KeyboardEntry, error) {
	var list struct {
		Keyboards []KeyboardEntry `json:"keyboards"`
	}
	return list.Keyboards, c.do(ctx, "GET", "/v1/keyboards", nil, &list)
}

// AdmitKeyboard lets a keyboard in that shows a code.
func (c *Client) AdmitKeyboard(ctx context.Context, id, code, name string) error {
	return c.do(ctx, "POST", "/v1/keyboards/"+url.PathEscape(id)+"/admit", map[string]string{"code": code, "name": name}, nil)
}
