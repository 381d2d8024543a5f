package client

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"image"

	v1 "nod/internal/client/v1"

	"github.com/coder/websocket"

	"nod"
)

// ScreenPart is one rectangle of a frame.
type ScreenPart struct {
	Frame              uint32
	At                 image.Rectangle
	Last, Whole, Spare bool
	Data               []byte // in the format that was asked for
}

// Screen is a display that the hub draws on.
type Screen struct{ conn *websocket.Conn }

// screenLimit is more than the largest picture.
const screenLimit = 2 << 20

// Screen opens a display.
func (c *Client) Screen(ctx context.Context, hello v1.ScreenHello) (*Screen, error) {
	conn, err := dial(ctx, c.base+"/v1/screen", c.where, &websocket.DialOptions{HTTPClient: c.http, HTTPHeader: c.header()})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(screenLimit)
	hello.Type = "hello"
	s := &Screen{conn}
	if err := s.send(ctx, hello); err != nil {
		_ = conn.CloseNow()
		return nil, err
	}
	return s, nil
}

// Next is the next rectangle or, where that is nil, the next note.
func (s *Screen) Next(ctx context.Context) (*ScreenPart, *v1.ScreenNote, error) {
	kind, body, err := s.conn.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	if kind == websocket.MessageText {
		var n v1.ScreenNote
		if err := json.Unmarshal(body, &n); err != nil {
			return nil, nil, err
		}
		if n.Type == "error" {
			return nil, nil, &nod.Error{Code: n.Code, Message: n.Message}
		}
		return nil, &n, nil
	}
	p, err := readPart(body)
	return p, nil, err
}

// partHeader is the length of the header before the pixels.
const partHeader = 20

func readPart(b []byte) (*ScreenPart, error) {
	if len(b) < partHeader || b[0] != 'N' || uint64(binary.BigEndian.Uint32(b[16:])) != uint64(len(b)-partHeader) {
		return nil, nod.Errorf(nod.Internal, "the hub sent something that is no picture: is it another version of nod?")
	}
	at := func(i int) int { return int(binary.BigEndian.Uint16(b[i:])) }
	return &ScreenPart{
		Frame: binary.BigEndian.Uint32(b[4:]), At: image.Rect(at(8), at(10), at(8)+at(12), at(10)+at(14)),
		Last: b[2]&1 != 0, Whole: b[2]&2 != 0, Spare: b[2]&4 != 0, Data: b[partHeader:],
	}, nil
}

// Press reports a button while a frame was shown: click, hold, down or up.
func (s *Screen) Press(ctx context.Context, button, kind string, frame uint32) error {
	return s.send(ctx, v1.ScreenPress{Button: button, Kind: kind, Frame: frame})
}

func (s *Screen) send(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.conn.Write(ctx, websocket.MessageText, text)
}

// Close ends it.
func (s *Screen) Close() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }
