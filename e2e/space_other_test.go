//go:build !linux

package e2e

import (
	"errors"
	"net"
)

func listenIn(string, string) (net.Listener, error) {
	return nil, errors.New("network namespaces are Linux's")
}
