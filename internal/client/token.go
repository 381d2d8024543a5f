package client

import (
	"context"
	"time"

	"nod"
)

// Token is a credential as the hub lists it; its secret is told only once.
type Token struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Rights  nod.Rights `json:"rights"`
	Room    string     `json:"room,omitempty"`
	Secret  string     `json:"token,omitempty"`
	Key     string     `json:"key,omitempty"` // for browsers only
	Created time.Time  `json:"created_at"`
	Expires *time.Time `json:"expires_at,omitempty"`
	Used    *time.Time `json:"used_at,omitempty"`
}

// NewToken asks for a credential.
type NewToken struct {
	Name   string     `json:"name"`
	Rights nod.Rights `json:"rights"`
	Room   string     `json:"room,omitempty"`
}

// CreateToken makes a credential; Secret is set in the answer.
func (c *Client) CreateToken(ctx context.Context, n NewToken) (*Token, error) {
	var t Token
	return &t, c.do(ctx, "POST", "/v1/tokens", n, &t)
}

// Tokens lists credentials.
func (c *Client) Tokens(ctx context.Context) ([]*Token, error) {
	var list struct {
		Tokens []*Token `json:"tokens"`
	}
	err := c.do(ctx, "GET", "/v1/tokens", nil, &list)
	return list.Tokens, err
}

// RevokeToken ends a credential at once, also on open streams.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.do(ctx, "DELETE", path("v1", "tokens", id), nil, nil)
}

// Pairing is a one-time code that makes a token for a new device.
type Pairing struct {
	Code    string    `json:"code"`
	Link    string    `json:"link"`
	Expires time.Time `json:"expires_at"`
	QR      []string  `json:"qr,omitempty"`
}

// NewPairing asks for a code with which a device gets these rights.
func (c *Client) NewPairing(ctx context.Context, rights nod.Rights) (*Pairing, error) {
	var p Pairing
	return &p, c.do(ctx, "POST", "/v1/pairings", map[string]any{"rights": rights}, &p)
}

// Redeem trades a pairing code for a token.
func (c *Client) Redeem(ctx context.Context, code, name string) (*Token, error) {
	var t Token
	return &t, c.do(ctx, "POST", "/v1/pair", map[string]string{"code": code, "name": name}, &t)
}

// Health is what GET /health tells.
type Health struct {
	OK      bool       `json:"ok"`
	Status  string     `json:"status"` // "ok"
	Version string     `json:"version"`
	PID     int        `json:"pid"`
	Started time.Time  `json:"started_at"`
	Now     time.Time  `json:"now"`
	Head    nod.Seq    `json:"seq"`
	Hash    string     `json:"hash,omitempty"`
	Data    string     `json:"data,omitempty"`   // only on the local socket
	Listen  string     `json:"listen,omitempty"` // only on the local socket
	Pending int        `json:"pending"`
	Agents  int        `json:"agents"`
	Viewers int        `json:"viewers"`
	Streams int        `json:"sse_connections"`
	Talks   int        `json:"active_sessions"`
	Timeout int64      `json:"request_timeout_ms,omitempty"`
	Claude  string     `json:"claude_path,omitempty"`
	You     *nod.Actor `json:"you,omitempty"`    // who the hub takes the caller for
	Rights  nod.Rights `json:"rights,omitempty"` // and what it may do

	Problems []Problem `json:"problems,omitempty"` // of adapters, for those who may administer
}

// Problem is what an adapter says is wrong with it now.
type Problem struct {
	Adapter string `json:"adapter"` // its section of nod.toml
	Text    string `json:"text"`
}

// Health asks how the hub is.
func (c *Client) Health(ctx context.Context) (*Health, error) {
	var h Health
	return &h, c.do(ctx, "GET", "/health", nil, &h)
}
