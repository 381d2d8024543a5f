package hook

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"nod/internal/agent/claude/wire"
)

// postLocal speaks HTTP by hand on the Unix socket. The client of net/http
// would start goroutines and threads for a connection that is used once, which
// is a millisecond of every step of an agent.
func (d *endpoint) postLocal(ctx context.Context, path string, body []byte, ask string) (*http.Response, error) {
	conn, err := net.Dial("unix", d.socket) // it connects or fails at once
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	res, err := exchange(conn, d.head(path, len(body), ask), body)
	if err != nil {
		stop()
		_ = conn.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	res.Body = &heldBody{res.Body, conn, stop}
	return res, nil
}

func exchange(conn net.Conn, head, body []byte) (*http.Response, error) {
	request := net.Buffers{head, body}
	_, sent := request.WriteTo(conn)
	// A hub that will not take all of it says why before it hangs up.
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil && sent != nil {
		return nil, sent
	}
	return res, err
}

// head is everything before the body.
func (d *endpoint) head(path string, length int, ask string) []byte {
	var b bytes.Buffer
	b.WriteString("POST " + wire.Intake + path + " HTTP/1.1\r\nHost: nod\r\nConnection: close\r\n")
	field := func(name, value string) {
		// What a line cannot hold is left out; nothing here is worth losing the event.
		if value != "" && strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
			b.WriteString(name + ": " + value + "\r\n")
		}
	}
	for name, value := range d.headers {
		field(name, value)
	}
	field(wire.HeaderAsk, ask)
	field("Content-Length", strconv.Itoa(length))
	b.WriteString("\r\n")
	return b.Bytes()
}

// heldBody lives as long as its connection.
type heldBody struct {
	io.ReadCloser
	conn net.Conn
	stop func() bool
}

func (b *heldBody) Close() error {
	b.stop()
	return b.conn.Close()
}
