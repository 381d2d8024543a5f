package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

func pair(t *testing.T, k *auth.Credentials) auth.Pairing {
	t.Helper()
	p, err := k.Pair(t.Context(), anna, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestACodeAdmitsOneDevice(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	p := pair(t, k)
	if letters := strings.ReplaceAll(p.Code, "-", ""); len(letters)*5 < 60 {
		t.Errorf("%q has fewer than 60 bits", p.Code)
	}
	secret, token, err := k.Redeem(t.Context(), p.Code, "phone", "here")
	if err != nil {
		t.Fatal(err)
	}
	if token.Rights != nod.RightsOf(nod.View, nod.Answering) || token.Name != "phone" {
		t.Errorf("the device became %+v", token)
	}
	if _, _, _, err := k.Admit(t.Context(), secret.Reveal(), ""); err != nil {
		t.Errorf("its token does not open: %v", err)
	}
	if _, _, err := k.Redeem(t.Context(), p.Code, "thief", "there"); nod.CodeOf(err) != nod.Unauthorized {
		t.Errorf("the code worked twice: %v", err)
	}
}

func TestCodesAreTypedByPeople(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	for _, as := range []func(string) string{
		strings.ToLower,
		func(s string) string { return strings.ReplaceAll(s, "-", "") },
		func(s string) string { return " " + strings.ReplaceAll(s, "-", " ") + " " },
		func(s string) string { return strings.NewReplacer("0", "O", "1", "l").Replace(s) },
	} {
		code := pair(t, k).Code
		if _, _, err := k.Redeem(t.Context(), as(code), "x", "here"); err != nil {
			t.Errorf("%q typed as %q: %v", code, as(code), err)
		}
	}
}

func TestInvalidNameDoesNotUseUpTheCode(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	p := pair(t, k)
	if _, _, err := k.Redeem(t.Context(), p.Code, "two\nlines", "here"); nod.CodeOf(err) != nod.Invalid {
		t.Errorf("a bad name: %v", err)
	}
	if _, token, err := k.Redeem(t.Context(), p.Code, "", "here"); err != nil || token.Name == "" {
		t.Errorf("without a name: %v, %v", token, err)
	}
}

func TestCodesExpireAfterTwoMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := auth.NewCredentials(mem.New(), nil, nil)
		p := pair(t, k)
		if !p.Expires.Equal(time.Now().Add(2 * time.Minute)) {
			t.Errorf("expires at %v", p.Expires)
		}
		wait(2 * time.Minute)
		if _, _, err := k.Redeem(t.Context(), p.Code, "x", "here"); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("after two minutes: %v", err)
		}
	})
}

func TestOpenCodesAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := auth.NewCredentials(mem.New(), nil, nil)
		first := pair(t, k)
		wait(time.Second)
		second := pair(t, k)
		for range 2 {
			wait(time.Second)
			pair(t, k)
		}
		if _, err := k.Pair(t.Context(), anna, 0); nod.CodeOf(err) != nod.Unavailable {
			t.Errorf("a fifth code: %v", err)
		}
		// A hub that starts gets one nevertheless.
		if _, err := k.Offer(t.Context(), anna, 0); err != nil {
			t.Error(err)
		}
		if _, _, err := k.Redeem(t.Context(), first.Code, "phone", "here"); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("the oldest of five codes: %v", err)
		}
		if _, _, err := k.Redeem(t.Context(), second.Code, "phone", "here"); err != nil {
			t.Errorf("the oldest of four codes: %v", err)
		}
	})
}

func TestGuessingIsLockedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := auth.NewCredentials(mem.New(), nil, nil)
		code := pair(t, k).Code
		var wrong, locked int
		for i := range 1000 {
			_, _, err := k.Redeem(t.Context(), fmt.Sprintf("%012d", i), "thief", "10.0.0.9")
			switch nod.CodeOf(err) {
			case nod.Unauthorized:
				wrong++
			case nod.Unavailable:
				locked++
			default:
				t.Fatalf("try %d: %v", i, err)
			}
		}
		if wrong != 5 || locked != 995 {
			t.Errorf("%d tries were looked at, %d locked out", wrong, locked)
		}
		if _, _, err := k.Redeem(t.Context(), code, "thief", "10.0.0.9"); nod.CodeOf(err) != nod.Unavailable || !strings.Contains(err.Error(), "seconds") {
			t.Errorf("locked out, with the right code: %v", err)
		}
		if _, _, err := k.Redeem(t.Context(), code, "phone", "10.0.0.2"); err != nil {
			t.Errorf("somebody else is locked out too: %v", err)
		}
		wait(time.Minute)
		if _, _, err := k.Redeem(t.Context(), pair(t, k).Code, "phone", "10.0.0.9"); err != nil {
			t.Errorf("a minute later: %v", err)
		}
	})
}

func TestGuessesFromManyAddressesCountTogether(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	looked := 0
	for i := range 2000 {
		if _, _, err := k.Redeem(t.Context(), "0", "x", fmt.Sprint("source ", i)); nod.CodeOf(err) == nod.Unauthorized {
			looked++
		}
	}
	if looked > 256 {
		t.Errorf("%d guesses were looked at", looked)
	}
}

func TestACodeIsRedeemedOnce(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	code := pair(t, k).Code
	var in atomic.Int32
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if _, _, err := k.Redeem(t.Context(), code, "x", fmt.Sprint(i)); err == nil {
				in.Add(1)
			}
		})
	}
	all.Wait()
	if in.Load() != 1 {
		t.Errorf("%d devices got in", in.Load())
	}
}

// Several hubs share a store: a code made at one is valid at the other, once, and a
// token revoked at one ends at the other too.
func TestTwoHubsWithOneStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := mem.New()
		here, there := auth.NewCredentials(store, nil, nil), auth.NewCredentials(store, nil, nil)
		p, err := here.Pair(t.Context(), anna, 0)
		if err != nil {
			t.Fatal(err)
		}
		secret, token, err := there.Redeem(t.Context(), p.Code, "phone", "there")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := here.Redeem(t.Context(), p.Code, "phone", "here"); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("a code was good twice: %v", err)
		}
		if list, err := here.List(t.Context()); err != nil || len(list) != 1 {
			t.Errorf("%d tokens, %v", len(list), err)
		}
		in, _, leave, err := there.Admit(t.Context(), secret.Reveal(), "test")
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go there.Watch(ctx, time.Second)
		if err := here.Revoke(t.Context(), token.ID); err != nil {
			t.Fatal(err)
		}
		<-in.Done()
	})
}

// The stored form of a code is not accepted as a token.
func TestACodeIsNoToken(t *testing.T) {
	store := mem.New()
	k := auth.NewCredentials(store, nil, nil)
	p, err := k.Pair(t.Context(), anna, 0)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.List(t.Context())
	if err != nil || len(all) != 1 || all[0].Rights != 0 {
		t.Fatalf("%+v %v", all, err)
	}
	for _, key := range []string{p.Code, strings.ReplaceAll(p.Code, "-", ""), strings.ToLower(strings.ReplaceAll(p.Code, "-", ""))} {
		for _, id := range []string{all[0].ID, strings.TrimPrefix(all[0].ID, "pair-")} {
			if _, _, _, err := k.Admit(t.Context(), "nod_"+id+"_"+key, "test"); err == nil {
				t.Errorf("%s opened a door", id)
			}
		}
	}
}
