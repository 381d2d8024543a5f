//go:build !linux

package e2e

import (
	"context"
	"errors"
	"net"
)

func listenIn(string, string) (net.Listener, error) {
	return nil, errors.New("network namespaces are Linux's")
}

func dialIn(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("network namespaces are Linux's")
}
