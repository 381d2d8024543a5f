package mem_test

import (
	"testing"

	"nod/internal/auth"
	"nod/internal/hub"
	"nod/internal/store/mem"
	"nod/internal/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) hub.Store { return mem.New() })
}

func TestVault(t *testing.T) {
	storetest.Vault(t, func(*testing.T) auth.Vault { return mem.New() })
}

func TestBook(t *testing.T) {
	storetest.Book(t, func(*testing.T) storetest.BookStore { return mem.New() })
}
