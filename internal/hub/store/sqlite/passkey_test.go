package sqlite

import (
	"testing"

	"nod/internal/hub/store/storetest"
	"nod/internal/net/passkey"
)

func TestPasskeys(t *testing.T) {
	storetest.Passkeys(t, func(t *testing.T) passkey.KeyStore { return quick(t, file(t)) })
}

func TestPasskeysOutliveTheProcess(t *testing.T) {
	path := file(t)
	storetest.PasskeysDurable(t, func(t *testing.T) passkey.KeyStore { return quick(t, path) })
}
