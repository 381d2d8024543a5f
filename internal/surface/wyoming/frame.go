package wyoming

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
)

// Limits of one event. The header may be as long as Python's own reader accepts; the
// rest may be short, because only words are sent here.
const (
	mostHeader  = 64 << 10
	mostData    = 1 << 20
	mostPayload = 4 << 20 // audio that is sent by mistake is skipped
)

// frame is one event of the wire.
type frame struct {
	Type string
	Data map[string]json.RawMessage
}

// header is the line before the data and the payload of an event.
type header struct {
	Type    string                     `json:"type"`
	Version string                     `json:"version,omitempty"`
	Inline  map[string]json.RawMessage `json:"data,omitempty"`
	Data    int64                      `json:"data_length,omitempty"`
	Payload int64                      `json:"payload_length,omitempty"`
}

// errGarbage is an invalid event after which the next one can be read. After any other
// error it is unknown where the next one begins.
var errGarbage = errors.New("this is no event of Wyoming")

var (
	errLongHeader = errors.New("the header of an event is too long")
	errLength     = errors.New("an event says that it is longer than any is, or shorter than nothing")
)

// readFrame reads one event. A payload is skipped: no event that is handled has one.
func readFrame(r *bufio.Reader) (frame, error) {
	line, err := readLine(r)
	if err != nil {
		return frame{}, err
	}
	var h header
	if json.Unmarshal(line, &h) != nil {
		return frame{}, errGarbage
	}
	if h.Data < 0 || h.Data > mostData || h.Payload < 0 || h.Payload > mostPayload {
		return frame{}, errLength
	}
	f := frame{Type: h.Type, Data: h.Inline}
	sound := h.Type != ""
	if h.Data > 0 {
		block := make([]byte, h.Data)
		if _, err := io.ReadFull(r, block); err != nil {
			return frame{}, err
		}
		var more map[string]json.RawMessage
		sound = json.Unmarshal(block, &more) == nil && sound
		if f.Data == nil {
			f.Data = map[string]json.RawMessage{}
		}
		maps.Copy(f.Data, more)
	}
	if _, err := io.CopyN(io.Discard, r, h.Payload); err != nil {
		return frame{}, err
	}
	if !sound {
		return frame{}, errGarbage
	}
	return f, nil
}

// readLine reads a line of at most mostHeader bytes, without its line break.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > mostHeader {
			return nil, errLongHeader
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimRight(line, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			if errors.Is(err, io.EOF) && len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// read decodes the data of an event.
func (f frame) read(into any) error {
	whole, err := json.Marshal(f.Data)
	if err == nil {
		err = json.Unmarshal(whole, into)
	}
	return err
}

// encode is an event on the wire. Its data is a block of its own, because the other side
// reads only a short header.
func encode(kind string, data any) ([]byte, error) {
	block, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(header{Type: kind, Version: wireVersion, Data: int64(len(block))})
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), block...), nil
}

// wireVersion is the version of the protocol's library whose fields are sent.
const wireVersion = "1.8.0"
