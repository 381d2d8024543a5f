//go:build !linux

package pgtest

import "os/exec"

func unprivileged(*exec.Cmd) {}

func own(...string) error { return nil }

func begin(cmd *exec.Cmd, ended chan<- struct{}) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	return nil
}
