package mem_test

import (
	"testing"

	"nod/internal/hub/store/mem"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/passkey"
)

func TestPasskeys(t *testing.T) {
	storetest.Passkeys(t, func(*testing.T) passkey.KeyStore { return mem.New() })
}
