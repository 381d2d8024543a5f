// Package peer tells whether a person or a coding agent is at the other end of a Unix socket.
//
// The agent runs as the same user on the same machine as the hub, so a file mode cannot keep it from answering its
// own question. What sets it apart is where its processes come from: they descend from the agent, and they inherit
// the variables that the agent puts into the environment of everything it starts.
//
// This is a fence, not a wall. A process that leaves the agent's tree and also drops its environment looks like a
// person, and so does a shell of the person that the agent types into (tmux send-keys) or a service manager that it
// asks (systemd-run --user, at, cron, ssh localhost). To withstand a hostile agent, run it as another user.
package peer

import (
	"errors"
	"net"
)

// ErrUnsupported means that this system cannot say who is connected. Callers must refuse.
var ErrUnsupported = errors.New("socket peers cannot be identified on this system")

// ErrGone means that a process has exited, or is hidden from us, which looks the same.
var ErrGone = errors.New("process is gone")

// Identity identifies one process for good: a pid alone may later belong to another process. Start counts from boot
// on Linux, so identities must not be compared across a reboot.
type Identity struct {
	PID   int
	Start uint64
}

// Process is the process that opened a connection, with its user at that moment.
type Process struct {
	Identity
	UID int
	GID int
}

// Of returns the process at the other end of conn. It is the one that connected, even if it passed the socket on.
func Of(conn *net.UnixConn) (Process, error) {
	var p Process
	err := control(conn, func(fd int) (err error) {
		if p, err = credentials(fd); err != nil {
			return err
		}
		if p.PID <= 0 { // outside of our pid namespace
			return ErrGone
		}
		if p.Identity, err = Identify(p.PID); err != nil {
			return err
		}
		// Only now is it certain that the start time belongs to the process that connected.
		return connected(fd)
	})
	if err != nil {
		return Process{}, err
	}
	return p, nil
}

// Identify returns the identity of the process that has this pid now.
func Identify(pid int) (Identity, error) {
	a, err := host{}.stat(pid)
	return a.Identity, err
}

// Alive reports whether exactly this process still runs. A zombie does not.
func Alive(id Identity) bool {
	now, err := Identify(id.PID)
	return err == nil && now == id
}

func control(conn *net.UnixConn, use func(fd int) error) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = use(int(fd)) }); err != nil {
		return err
	}
	return failed
}
