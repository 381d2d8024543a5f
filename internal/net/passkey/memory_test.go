package passkey_test

import (
	"testing"

	"nod/internal/net/passkey"
	"nod/internal/net/passkey/onetimetest"
)

func TestOneTimeTokensInMemory(t *testing.T) {
	onetimetest.Run(t, func(*testing.T) (one, two passkey.OneTimeTokenStore) {
		m := &passkey.Memory{}
		return m, m
	})
}
