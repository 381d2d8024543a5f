package client

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	v1 "nod/internal/client/v1"

	"github.com/coder/websocket"

	"nod"
)

// Keyboard is a connection to the hub as a keyboard with four keys has it.
type Keyboard struct {
	conn   *websocket.Conn
	http   *http.Client
	token  string
	images string
}

// The most that the firmware takes as a frame, and the size of a picture.
const (
	keyboardFrame   = 15360
	keyboardPicture = 32768
)

// Keyboard connects with this client's token, so it need not be admitted.
func (c *Client) Keyboard(ctx context.Context) (*Keyboard, error) {
	k := &Keyboard{http: c.http, token: c.token, images: c.base + "/v1/keyboard/images/"}
	return k.dial(ctx, c.base+"/v1/keyboard", c.where, c.header())
}

// KeyboardAt connects as a keyboard on the network does: without a token, and with
// pictures from port 8081 unless the address has another port than 8080.
func KeyboardAt(ctx context.Context, address string) (*Keyboard, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host, port = address, "8080"
	}
	if host == "" || strings.ContainsAny(host, "/?#@") {
		return nil, nod.Errorf(nod.Invalid, "%q is no address of a hub; it looks like desk.local or 127.0.0.1:8080", address)
	}
	pictures := port
	if port == "8080" {
		pictures = "8081"
	}
	k := &Keyboard{http: &http.Client{}, images: "http://" + net.JoinHostPort(host, pictures) + "/images/"}
	header := http.Header{"Origin": {"file://"}, "User-Agent": {"arduino-WebSocket-Client"}}
	return k.dial(ctx, "http://"+net.JoinHostPort(host, port)+"/ws", address, header)
}

func (k *Keyboard) dial(ctx context.Context, address, where string, header http.Header) (*Keyboard, error) {
	conn, err := dial(ctx, address, where, &websocket.DialOptions{
		HTTPClient: k.http, HTTPHeader: header, Subprotocols: []string{"arduino"}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(keyboardFrame)
	k.conn = conn
	return k, nil
}

// Next is the next text message; a keyboard ignores binary ones.
func (k *Keyboard) Next(ctx context.Context) ([]byte, error) {
	for {
		kind, body, err := k.conn.Read(ctx)
		if err != nil || kind == websocket.MessageText {
			return body, err
		}
	}
}

// Send sends a message.
func (k *Keyboard) Send(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return k.conn.Write(ctx, websocket.MessageText, text)
}

// Ping waits for the other side to answer.
func (k *Keyboard) Ping(ctx context.Context) error { return k.conn.Ping(ctx) }

// Image fetches a picture as the firmware does: whole, of a known length, or not
// at all.
func (k *Keyboard) Image(ctx context.Context, name string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, k.images+url.PathEscape(name), nil)
	if err != nil {
		return nil, err
	}
	if k.token != "" {
		req.Header.Set("Authorization", "Bearer "+k.token)
	}
	res, err := k.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	moving := strings.HasSuffix(name, ".gif")
	if res.StatusCode != http.StatusOK || res.ContentLength <= 0 || res.ContentLength > keyboardPicture || !moving && res.ContentLength != keyboardPicture {
		return nil, nod.Errorf(nod.NotFound, "the hub has no picture %s that a keyboard takes", name)
	}
	return io.ReadAll(io.LimitReader(res.Body, keyboardPicture))
}

// Close ends it.
func (k *Keyboard) Close() { _ = k.conn.Close(websocket.StatusNormalClosure, "") }

// Keyboards lists the keyboards.
func (c devices) Keyboards(ctx context.Context) ([]v1.Keyboard, error) {
	var list v1.KeyboardList
	err := c.do(ctx, "GET", "/v1/keyboards", nil, &list)
	return list.Keyboards, err
}

// AdmitKeyboard lets a keyboard in that shows a code.
func (c devices) AdmitKeyboard(ctx context.Context, id, code, name string) error {
	return c.do(ctx, "POST", path("v1", "keyboards", id, "admit"), v1.KeyboardAdmission{Code: code, Name: name}, nil)
}
