package peer

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errNoEnviron is an environment without a single variable. No shell, desktop or service manager starts a program
// like that; systems show it for zombies, for processes in the middle of exec, and (macOS) for protected programs.
var errNoEnviron = errors.New("environment is empty or hidden")

// variableNames extracts the names from NUL-terminated NAME=value strings and wipes the block: other processes'
// secrets should not stay in our memory. An entry without = counts as a name: it can only be matched, never shown.
func variableNames(block []byte) ([]string, error) {
	defer clear(block)
	var names []string
	for entry := range bytes.SplitSeq(block, []byte{0}) {
		if name, _, _ := bytes.Cut(entry, []byte{'='}); len(name) > 0 {
			names = append(names, string(name))
		}
	}
	if len(names) == 0 {
		return nil, errNoEnviron
	}
	return names, nil
}

// procargsEnviron extracts the environment from the result of macOS's kern.procargs2: the number of arguments, the
// path of the program, NULs up to a word boundary, the arguments, the environment, an empty string, and strings from
// the kernel to the linker. It is here and not in proc_darwin.go so that it is tested on every system.
func procargsEnviron(b []byte) ([]byte, error) {
	if len(b) < 4 {
		return nil, errNoEnviron
	}
	argc := binary.NativeEndian.Uint32(b)
	_, rest, ok := bytes.Cut(b[4:], []byte{0})
	if !ok {
		return nil, errNoEnviron
	}
	rest = bytes.TrimLeft(rest, "\x00")
	for ; argc > 0; argc-- {
		if _, rest, ok = bytes.Cut(rest, []byte{0}); !ok {
			return nil, errNoEnviron
		}
	}
	if len(rest) == 0 || rest[0] == 0 {
		return nil, errNoEnviron
	}
	if end := bytes.Index(rest, []byte{0, 0}); end >= 0 {
		rest = rest[:end]
	}
	return rest, nil
}
