package mem_test

import (
	"testing"

	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/hub/store/storetest"
	"nod/internal/net/auth"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) hub.Store { return mem.New() })
}

func TestTokens(t *testing.T) {
	storetest.Tokens(t, func(*testing.T) auth.TokenStore { return mem.New() })
}

func TestSubscriptions(t *testing.T) {
	storetest.Subscriptions(t, func(*testing.T) storetest.SubscriptionStore { return mem.New() })
}
