package client

import (
	"context"

	v1 "nod/internal/client/v1"

	"nod"
)

// CreateToken makes a credential; Secret is set in the answer.
func (c devices) CreateToken(ctx context.Context, n v1.NewToken) (*v1.FreshToken, error) {
	var t v1.FreshToken
	return &t, c.do(ctx, "POST", "/v1/tokens", n, &t)
}

// Tokens lists credentials.
func (c devices) Tokens(ctx context.Context) ([]v1.Token, error) {
	var list v1.TokenList
	err := c.do(ctx, "GET", "/v1/tokens", nil, &list)
	return list.Tokens, err
}

// RevokeToken ends a credential at once, also on open streams.
func (c devices) RevokeToken(ctx context.Context, id string) error {
	return c.do(ctx, "DELETE", path("v1", "tokens", id), nil, nil)
}

// NewPairing asks for a code with which a device gets these rights.
func (c devices) NewPairing(ctx context.Context, rights nod.Rights) (*v1.Pairing, error) {
	var p v1.Pairing
	return &p, c.do(ctx, "POST", "/v1/pairings", v1.NewPairing{Rights: &rights}, &p)
}

// Redeem trades a pairing code for a token.
func (c devices) Redeem(ctx context.Context, code, name string) (*v1.FreshToken, error) {
	var t v1.FreshToken
	return &t, c.do(ctx, "POST", "/v1/pair", v1.Redemption{Code: code, Name: name}, &t)
}

// Health asks how the hub is. What the caller may not know is zero.
func (c *Client) Health(ctx context.Context) (*v1.Health, error) {
	h := v1.Health{Identity: &v1.Identity{}, Details: &v1.Details{}}
	return &h, c.do(ctx, "GET", "/health", nil, &h)
}
