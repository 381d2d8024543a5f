// Package run puts a program into a terminal that nod owns, so that the hub can reach an
// agent without tmux. Input and output pass through unchanged. The hub types over a
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
	Inside        []string // the command that calls Inside with the arguments behind it
	Env           []string // its environment; Variable is added
	Data          string   // nod's data directory
	Stdin, Stdout *os.File // the person's terminal

	// Marks are the environment variables that show that a process belongs to an agent,
	// which may not type into a terminal. Nil: those that nod knows.
	Marks []string
}

// SocketDir is where the sockets of a data directory are.
func SocketDir(data string) string { return filepath.Join(data, "run") }

var socketName = regexp.MustCompile(`^[0-9]{1,10}\.sock$`)

// CheckSocket refuses a path that is not a socket of `nod run`. The path comes from a
// hook, so without this an agent could send the hub to any socket.
func CheckSocket(data, socket string) error {
	if filepath.Dir(socket) != filepath.Clean(SocketDir(data)) || !socketName.MatchString(filepath.Base(socket)) {
		return nod.Errorf(nod.Invalid, "that is no socket of `nod run`")
	}
	return nil
}
