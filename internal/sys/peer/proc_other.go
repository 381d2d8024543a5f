//go:build !linux && !darwin

package peer

import "os"

type host struct{}

func (host) uid() int { return os.Geteuid() }

func (host) stat(int) (Ancestor, error)  { return Ancestor{}, ErrUnsupported }
func (host) names(int) ([]string, error) { return nil, ErrUnsupported }
func credentials(int) (Process, error)   { return Process{}, ErrUnsupported }
func connected(int) error                { return ErrUnsupported }
