package e2e

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// inSpace calls f in a network namespace. The thread that went there is not used for
// anything else any more: it ends with its goroutine.
func inSpace[T any](space string, f func() (T, error)) (v T, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var file *os.File
		if file, err = os.Open(filepath.Join("/run/netns", space)); err != nil {
			return
		}
		defer file.Close()
		if err = unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err == nil {
			v, err = f()
		}
	}()
	<-done
	return v, err
}

// listenIn listens in a network namespace.
func listenIn(space, address string) (net.Listener, error) {
	return inSpace(space, func() (net.Listener, error) { return net.Listen("tcp", address) })
}

// dialIn connects from a network namespace. All of it stays on the thread that is there.
func dialIn(ctx context.Context, space, address string) (net.Conn, error) {
	return inSpace(space, func() (net.Conn, error) {
		return (&net.Dialer{FallbackDelay: -1}).DialContext(ctx, "tcp", address)
	})
}
