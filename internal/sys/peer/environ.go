package peer

import (
	"bytes"
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
