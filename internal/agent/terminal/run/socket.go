package run

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"nod"
)

// listen makes the socket of this process, which only this user can open.
func listen(data string, pid int, alive func(pid int) bool) (*net.UnixListener, error) {
	dir := SocketDir(data)
	path := filepath.Join(dir, strconv.Itoa(pid)+".sock")
	if len(path) > maxSocketPath() {
		return nil, nod.Errorf(nod.Invalid, "the socket path %s is %d bytes long, the system takes %d: choose a shorter data directory with NOD_DATA", path, len(path), maxSocketPath())
	}
	if err := makePrivateDir(dir); err != nil {
		return nil, err
	}
	removeStaleSockets(dir, pid, alive)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, nod.Errorf(nod.Unavailable, "cannot make the socket %s", path).Because(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, nod.Errorf(nod.Unavailable, "cannot protect the socket %s", path).Because(err)
	}
	return l, nil
}

// maxSocketPath is the room in sockaddr_un, less the final zero.
func maxSocketPath() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

// makePrivateDir makes a directory that other users cannot enter, or makes it so.
func makePrivateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nod.Errorf(nod.Unavailable, "cannot make the directory %s", dir).Because(err)
	}
	info, err := os.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%w: it is no directory", fs.ErrInvalid)
	}
	if err == nil && info.Mode().Perm() != 0o700 {
		err = os.Chmod(dir, 0o700)
	}
	if err != nil {
		return nod.Errorf(nod.Forbidden, "cannot keep other users out of %s", dir).Because(err)
	}
	return nil
}

// removeStaleSockets removes the sockets of killed processes, and one of an earlier
// process with our pid.
func removeStaleSockets(dir string, pid int, alive func(pid int) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // listening will fail with the reason
	}
	for _, e := range entries {
		if !socketName.MatchString(e.Name()) {
			continue
		}
		owner, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ".sock"))
		if err != nil || (owner != pid && alive(owner)) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); errors.Is(err, fs.ErrPermission) {
			return // not our directory after all
		}
	}
}
