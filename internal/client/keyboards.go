package client

import (
	"context"

	v1 "nod/internal/client/v1"
)

// Keyboards lists the keyboards.
func (c *Client) Keyboards(ctx context.Context) ([]v1.Keyboard, error) {
	var list v1.KeyboardList
	err := c.do(ctx, "GET", "/v1/keyboards", nil, &list)
	return list.Keyboards, err
}

// AdmitKeyboard lets a keyboard in that shows a code.
func (c *Client) AdmitKeyboard(ctx context.Context, id, code, name string) error {
	return c.do(ctx, "POST", path("v1", "keyboards", id, "admit"), v1.KeyboardAdmission{Code: code, Name: name}, nil)
}
