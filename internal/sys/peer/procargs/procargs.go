// Package procargs reads what macOS tells about a process. Only macOS needs it; it is a
// package of its own so that every system tests it.
package procargs

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// ErrNone is a result without an environment.
var ErrNone = errors.New("environment is empty or hidden")

// Environ extracts the environment from the result of macOS's kern.procargs2: the number of arguments, the
// path of the program, NULs up to a word boundary, the arguments, the environment, an empty string, and strings from
// the kernel to the linker.
func Environ(b []byte) ([]byte, error) {
	if len(b) < 4 {
		return nil, ErrNone
	}
	argc := binary.NativeEndian.Uint32(b)
	_, rest, ok := bytes.Cut(b[4:], []byte{0})
	if !ok {
		return nil, ErrNone
	}
	rest = bytes.TrimLeft(rest, "\x00")
	for ; argc > 0; argc-- {
		if _, rest, ok = bytes.Cut(rest, []byte{0}); !ok {
			return nil, ErrNone
		}
	}
	if len(rest) == 0 || rest[0] == 0 {
		return nil, ErrNone
	}
	if end := bytes.Index(rest, []byte{0, 0}); end >= 0 {
		rest = rest[:end]
	}
	return rest, nil
}
