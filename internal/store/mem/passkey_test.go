package mem_test

import (
	"testing"

	"nod/internal/passkey"
	"nod/internal/store/mem"
	"nod/internal/store/storetest"
)

func TestPasskeys(t *testing.T) {
	storetest.Passkeys(t, func(*testing.T) passkey.Vault { return mem.New() })
}
