package auth_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

// counting is a remote store: it counts its calls, and can be made to wait between
// reading and returning.
type counting struct {
	auth.TokenStore
	gets atomic.Int64
	held chan struct{} // nil: it returns at once
}

func (c *counting) Get(ctx context.Context, id string) (auth.Token, error) {
	c.gets.Add(1)
	t, err := c.TokenStore.Get(ctx, id)
	if c.held != nil {
		<-c.held
	}
	return t, err
}

func admit(t *testing.T, k *auth.Credentials, secret string) error {
	t.Helper()
	_, _, leave, err := k.Admit(t.Context(), secret, "")
	if err == nil {
		leave()
	}
	return err
}

func TestLookupsAreCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counting{TokenStore: mem.New()}
		k := auth.NewCredentials(store, nil, nil)
		secret, _ := create(t, k, all)
		for range 100 {
			if err := admit(t, k, secret); err != nil {
				t.Fatal(err)
			}
		}
		if n := store.gets.Load(); n != 1 {
			t.Errorf("the store was asked %d times for a device that came 100 times at once", n)
		}
		wait(4 * time.Second)
		if err := admit(t, k, secret); err != nil || store.gets.Load() != 2 {
			t.Errorf("a moment later: %v, asked %d times", err, store.gets.Load())
		}
	})
}

func TestRevocationInvalidatesTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := mem.New()
		here, elsewhere := auth.NewCredentials(shared, nil, nil), auth.NewCredentials(shared, nil, nil)
		secret, token := create(t, here, all)
		for _, k := range []*auth.Credentials{here, elsewhere} {
			if err := admit(t, k, secret); err != nil {
				t.Fatal(err)
			}
		}
		if err := here.Revoke(t.Context(), token.ID); err != nil {
			t.Fatal(err)
		}
		if err := admit(t, here, secret); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("where it was revoked: %v", err)
		}
		wait(4 * time.Second)
		if err := admit(t, elsewhere, secret); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("at another hub, a moment later: %v", err)
		}
	})
}

// The store had the token, it was revoked, and only then the store's answer
// arrived.
func TestALookupDuringARevocationIsNotCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &counting{TokenStore: mem.New(), held: make(chan struct{})}
		k := auth.NewCredentials(store, nil, nil)
		secret, token := create(t, k, all)
		over := make(chan struct{})
		go func() {
			defer close(over)
			_ = admit(t, k, secret)
		}()
		synctest.Wait() // it has read, and waits
		if err := k.Revoke(t.Context(), token.ID); err != nil {
			t.Fatal(err)
		}
		close(store.held)
		<-over
		if err := admit(t, k, secret); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("after it was revoked: %v", err)
		}
	})
}
