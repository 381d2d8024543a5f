package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// longestLine bounds the memory for one line. Lines of megabytes are usual; longer ones
// than this are skipped.
const longestLine = 64 << 20

// reader reads messages from a stream of lines.
type reader struct{ lines *bufio.Reader }

func newReader(r io.Reader) *reader { return &reader{bufio.NewReaderSize(r, 64<<10)} }

// next is the next message. It skips what is none: warnings, blank lines, half lines of
// a program that died.
func (r *reader) next() (Message, error) {
	for {
		line, err := r.line()
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' {
			var m Message
			// A field of an unknown type leaves the others readable.
			var shape *json.UnmarshalTypeError
			if err := json.Unmarshal(line, &m); (err == nil || errors.As(err, &shape)) && m.Type != "" {
				return m, nil
			}
		}
		if err != nil {
			return Message{}, err
		}
	}
}

// line is one line of any length; one that is too long is empty.
func (r *reader) line() ([]byte, error) {
	var whole []byte
	tooLong := false
	for {
		part, err := r.lines.ReadSlice('\n')
		if tooLong = tooLong || len(whole)+len(part) > longestLine; tooLong {
			whole = nil
		} else {
			whole = append(whole, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return whole, err
		}
	}
}

// encode is a message as one line.
func encode(v any) ([]byte, error) {
	line, err := json.Marshal(v)
	return append(line, '\n'), err
}
