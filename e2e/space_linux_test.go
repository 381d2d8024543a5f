package e2e

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// listenIn listens in a network namespace. The thread that went there is not
// used for anything else any more: it ends with its goroutine.
func listenIn(space, address string) (l net.Listener, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var f *os.File
		if f, err = os.Open(filepath.Join("/run/netns", space)); err != nil {
			return
		}
		defer f.Close()
		if err = unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err == nil {
			l, err = net.Listen("tcp", address)
		}
	}()
	<-done
	return l, err
}

// dialIn connects from a network namespace, in the same way.
func dialIn(ctx context.Context, space, address string) (c net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var f *os.File
		if f, err = os.Open(filepath.Join("/run/netns", space)); err != nil {
			return
		}
		defer f.Close()
		if err = unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err == nil {
			c, err = (&net.Dialer{FallbackDelay: -1}).DialContext(ctx, "tcp", address)
		}
	}()
	<-done
	return c, err
}
