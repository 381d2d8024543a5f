package httpd

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"nod"
)

// listenUnix makes a socket that only this user can open.
func listenUnix(ctx context.Context, path string, log *slog.Logger) (net.Listener, error) {
	if len(path) > maxSocketPath() {
		return nil, nod.Errorf(nod.Invalid, "the socket path %s is %d bytes long, the system takes %d: choose a shorter data directory with --data", path, len(path), maxSocketPath())
	}
	if err := ensurePrivateDir(filepath.Dir(path), log); err != nil {
		return nil, err
	}
	if err := removeStaleSocket(ctx, path); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", path)
	switch {
	case errors.Is(err, syscall.EADDRINUSE): // another hub was quicker
		return nil, alreadyRunning(path)
	case err != nil:
		return nil, nod.Errorf(nod.Unavailable, "cannot make the socket %s", path).Because(err)
	}
	// Until here only the directory keeps other users out.
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, nod.Errorf(nod.Unavailable, "cannot protect the socket %s", path).Because(err)
	}
	return ownSocket(l.(*net.UnixListener), path)
}

// maxSocketPath is the size of the path in sockaddr_un without the final zero.
func maxSocketPath() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

// ensurePrivateDir creates a directory that other users cannot enter, or takes their
// permissions away.
func ensurePrivateDir(dir string, log *slog.Logger) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nod.Errorf(nod.Unavailable, "cannot make the directory %s", dir).Because(err)
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nod.Errorf(nod.Unavailable, "cannot look at the directory %s", dir).Because(err)
	case info.Mode().Perm()&0o077 == 0:
		return nil
	case info.Mode()&fs.ModeSticky != 0: // such as /tmp
		return nod.Errorf(nod.Forbidden, "%s is shared with other users: choose a directory of your own with --data", dir)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nod.Errorf(nod.Forbidden, "other users can enter %s, and it cannot be changed: choose a directory of your own with --data", dir).Because(err)
	}
	log.Info("made the data directory private", "dir", dir)
	return nil
}

// removeStaleSocket removes the socket of a hub that died. It renames the file first,
// so that of two hubs that start together neither removes the other's new socket.
func removeStaleSocket(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return nod.Errorf(nod.Unavailable, "cannot look at %s", path).Because(err)
	case info.Mode()&fs.ModeSocket == 0:
		return nod.Errorf(nod.Conflict, "%s is there and is no socket: move it away", path)
	case alive(ctx, path):
		return alreadyRunning(path)
	}
	old := filepath.Join(filepath.Dir(path), ".old") // not longer than the path itself
	if err := os.Rename(path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nod.Errorf(nod.Unavailable, "cannot remove the old socket %s", path).Because(err)
	}
	if alive(ctx, old) {
		if err := os.Rename(old, path); err != nil {
			return nod.Errorf(nod.Unavailable, "cannot put the socket %s back", path).Because(err)
		}
		return alreadyRunning(path)
	}
	_ = os.Remove(old)
	return nil
}

// alive reports whether a hub may still listen on a socket; only a refused
// connection proves that none does.
func alive(ctx context.Context, path string) bool {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", path)
	if err == nil {
		_ = c.Close()
		return true
	}
	return !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, fs.ErrNotExist)
}

func alreadyRunning(path string) error {
	return nod.Errorf(nod.Conflict, "a hub runs already with %s: `nod status` tells about it, or give this one another directory with --data", path)
}

// socket removes its file on Close, but only if the file is still its own.
type socket struct {
	*net.UnixListener
	path string
	info fs.FileInfo
}

func ownSocket(l *net.UnixListener, path string) (net.Listener, error) {
	l.SetUnlinkOnClose(false)
	info, err := os.Lstat(path)
	if err != nil {
		_ = l.Close()
		return nil, nod.Errorf(nod.Unavailable, "the socket %s is gone again", path).Because(err)
	}
	return &socket{l, path, info}, nil
}

func (s *socket) Close() error {
	if now, err := os.Lstat(s.path); err == nil && os.SameFile(now, s.info) {
		_ = os.Remove(s.path)
	}
	return s.UnixListener.Close()
}
