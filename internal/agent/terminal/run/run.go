// Package run puts a program into a terminal that nod owns, so that the hub can
// reach an agent whose person has no tmux. What the person types and what the
// program shows pass through byte by byte; the hub types in between, over a
// socket, and only while the person does not.
package run

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"nod"
)

// Variable tells the program, and every hook below it, where the socket is.
const Variable = "NOD_RUN"

// ErrUnsupported means that nod cannot make terminals on this system.
var ErrUnsupported = errors.New("pseudo-terminals are not supported on this system")

// Options say what to run and where.
type Options struct {
	Command       []string // the program and its arguments
	Inside        []string // what calls Inside with the words behind it
	Env           []string // its environment; Variable is added
	Data          string   // nod's data directory
	Stdin, Stdout *os.File // the person's terminal

	// Marks are the variables by which a process of an agent is known; it may
	// not type into a terminal. Nil: those that nod knows.
	Marks []string
}

// SocketDir is where the sockets of a data directory are.
func SocketDir(data string) string { return filepath.Join(data, "run") }

var socketName = regexp.MustCompile(`^[0-9]{1,10}\.sock$`)

// CheckSocket refuses a socket that is not one of ours. The hub is told the path by a
// hook, that is by an agent: without this it could be sent to any socket.
func CheckSocket(data, socket string) error {
	if filepath.Dir(socket) != filepath.Clean(SocketDir(data)) || !socketName.MatchString(filepath.Base(socket)) {
		return nod.Errorf(nod.Invalid, "that is no socket of `nod run`")
	}
	return nil
}
