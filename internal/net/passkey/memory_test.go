package passkey_test

import (
	"testing"

	"nod/internal/net/passkey"
	"nod/internal/net/passkey/sliptest"
)

func TestSlipsInMemory(t *testing.T) {
	sliptest.Run(t, func(*testing.T) (one, two passkey.Slips) {
		m := &passkey.Memory{}
		return m, m
	})
}
