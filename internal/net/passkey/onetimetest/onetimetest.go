// Package onetimetest checks implementations of passkey.OneTimeTokenStore.
package onetimetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/net/passkey"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 123456789, time.UTC)

// Run checks what passkey.OneTimeTokenStore promises. Every call of open returns new,
// empty stores that share everything: one for each hub, or the same one twice.
func Run(t *testing.T, open func(t *testing.T) (one, two passkey.OneTimeTokenStore)) {
	for name, test := range map[string]func(t *testing.T, one, two passkey.OneTimeTokenStore){
		"no token":                        none,
		"a token comes back, once":        once,
		"the caller keeps its bytes":      notShared,
		"the same token again":            again,
		"of many takers one gets it":      oneTaker,
		"what has expired is forgotten":   expired,
		"the oldest of one gives way":     oldest,
		"there is an end to it":           full,
		"kinds are counted by themselves": kinds,
		"many put at the same time":       manyPut,
		"no more than all at once":        manyFull,
	} {
		t.Run(name, func(t *testing.T) {
			one, two := open(t)
			test(t, one, two)
		})
	}
}

// token has every field set, and bytes that are not UTF-8.
func token(name string, after time.Duration) passkey.OneTimeToken {
	made := noon.Add(after)
	return passkey.OneTimeToken{
		Hash: sha256.Sum256([]byte(name)), Kind: "ticket", Holder: "device \x00\xff" + name, Created: made, Expires: made.Add(time.Minute),
		Body: []byte("request \x00\xfe" + name),
	}
}

func none(t *testing.T, one, two passkey.OneTimeTokenStore) {
	gone(t, one, token("a", 0))
	put(t, one, token("a", 0))
	gone(t, two, token("b", 0))
	there(t, two, token("a", 0))
}

func once(t *testing.T, one, two passkey.OneTimeTokenStore) {
	bare := passkey.OneTimeToken{Hash: [32]byte{1}, Kind: "invitation", Created: noon, Expires: noon.Add(time.Hour)}
	for _, want := range []passkey.OneTimeToken{token("a", 0), bare} {
		put(t, one, want)
		there(t, two, want)
		gone(t, two, want)
		gone(t, one, want)
	}
}

func notShared(t *testing.T, one, two passkey.OneTimeTokenStore) {
	mine := token("a", 0)
	put(t, one, mine)
	mine.Body[0] = 'x'
	there(t, two, token("a", 0))
}

func again(t *testing.T, one, two passkey.OneTimeTokenStore) {
	put(t, one, token("a", 0))
	put(t, two, token("a", 0))
	there(t, one, token("a", 0))
	gone(t, two, token("a", 0))
}

func oneTaker(t *testing.T, one, two passkey.OneTimeTokenStore) {
	const takers = 50
	for round := range rounds {
		s := token(fmt.Sprint(round), 0)
		put(t, one, s)
		var won atomic.Int32
		together(t, takers, one, two, func(k passkey.OneTimeTokenStore, _ int) error {
			_, err := k.TakeOneTimeToken(t.Context(), s.Hash)
			if err != nil && nod.CodeOf(err) == nod.NotFound {
				return nil
			}
			won.Add(1)
			return err
		})
		if n := won.Load(); n != 1 {
			t.Errorf("%d of %d took one token", n, takers)
		}
	}
}

func expired(t *testing.T, one, two passkey.OneTimeTokenStore) {
	put(t, one, token("old", 0))
	put(t, one, token("young", time.Nanosecond))
	put(t, two, token("new", time.Minute)) // the very moment at which the first one ends
	gone(t, one, token("old", 0))
	there(t, two, token("young", time.Nanosecond))
	there(t, one, token("new", time.Minute))
	// No put since: the caller of take checks the expiry.
	put(t, one, token("late", 0))
	there(t, two, token("late", 0))
}

// of makes the n-th token of one holder.
func of(holder string, n int) passkey.OneTimeToken {
	s := token(fmt.Sprint(holder, "/", n), time.Duration(n)*time.Millisecond)
	s.Holder = holder
	return s
}

func oldest(t *testing.T, one, two passkey.OneTimeTokenStore) {
	put(t, one, of("other", 0))
	for n := range passkey.MaxPerHolder + 2 {
		put(t, []passkey.OneTimeTokenStore{one, two}[n%2], of("mine", n))
	}
	gone(t, one, of("mine", 0))
	gone(t, two, of("mine", 1))
	for n := range passkey.MaxPerHolder {
		there(t, one, of("mine", n+2))
	}
	there(t, two, of("other", 0))
}

func full(t *testing.T, one, two passkey.OneTimeTokenStore) {
	for n := range passkey.MaxPerKind {
		put(t, one, of(fmt.Sprint("holder ", n%(passkey.MaxPerKind/passkey.MaxPerHolder)), n))
	}
	late := of("late", 0)
	if err := two.PutOneTimeToken(t.Context(), late); !errors.Is(err, passkey.ErrFull) {
		t.Fatalf("one more: %v", err)
	}
	gone(t, one, late)
	put(t, two, of("holder 0", passkey.MaxPerKind)) // in the place of its own oldest
	gone(t, one, of("holder 0", 0))
	there(t, two, of("holder 1", 1))
	put(t, one, late) // where one was taken there is room
	later := of("later", 0)
	later.Created = noon.Add(time.Hour) // by then all others have expired
	later.Expires = later.Created.Add(time.Minute)
	put(t, two, later)
	gone(t, one, late)
}

func kinds(t *testing.T, one, two passkey.OneTimeTokenStore) {
	other := of("mine", 0)
	other.Kind, other.Hash = "ceremony", sha256.Sum256([]byte("other"))
	put(t, one, other)
	for n := range passkey.MaxPerHolder + 1 {
		put(t, two, of("mine", n))
	}
	there(t, two, other)
	gone(t, one, of("mine", 0))
}

// together runs f many times at once, with both stores, and returns how many calls
// failed with ErrFull.
func together(t *testing.T, many int, one, two passkey.OneTimeTokenStore, f func(k passkey.OneTimeTokenStore, n int) error) (refused int) {
	t.Helper()
	var mu sync.Mutex
	var all errgroup.Group
	begin := make(chan struct{})
	for n := range many {
		k := []passkey.OneTimeTokenStore{one, two}[n%2]
		all.Go(func() error {
			<-begin
			err := f(k, n)
			if errors.Is(err, passkey.ErrFull) {
				mu.Lock()
				defer mu.Unlock()
				refused++
				return nil
			}
			return err
		})
	}
	close(begin)
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	return refused
}

// rounds is more than one because the first opens connections and is too slow to race.
const rounds = 5

func manyPut(t *testing.T, one, two passkey.OneTimeTokenStore) {
	const many = 3 * passkey.MaxPerHolder
	for round := range rounds {
		mine := fmt.Sprint("mine ", round)
		together(t, many, one, two, func(k passkey.OneTimeTokenStore, n int) error { return k.PutOneTimeToken(t.Context(), of(mine, n)) })
		left := 0
		for n := range many {
			if _, err := one.TakeOneTimeToken(t.Context(), of(mine, n).Hash); err == nil {
				left++
			}
		}
		if left != passkey.MaxPerHolder {
			t.Errorf("%d tokens of one holder are left, want %d", left, passkey.MaxPerHolder)
		}
	}
}

func manyFull(t *testing.T, one, two passkey.OneTimeTokenStore) {
	const room, many = 3, 12
	for n := range passkey.MaxPerKind - room {
		put(t, one, of(fmt.Sprint("holder ", n), 0))
	}
	for range rounds {
		late := func(n int) passkey.OneTimeToken { return of(fmt.Sprint("late ", n), 0) }
		refused := together(t, many, one, two, func(k passkey.OneTimeTokenStore, n int) error { return k.PutOneTimeToken(t.Context(), late(n)) })
		if refused != many-room {
			t.Errorf("%d of %d were refused, want %d", refused, many, many-room)
		}
		for n := range many {
			_, _ = two.TakeOneTimeToken(t.Context(), late(n).Hash) // room for the next round
		}
	}
}

func put(t *testing.T, k passkey.OneTimeTokenStore, s passkey.OneTimeToken) {
	t.Helper()
	if err := k.PutOneTimeToken(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// there takes a token, which must be as it was put.
func there(t *testing.T, k passkey.OneTimeTokenStore, want passkey.OneTimeToken) {
	t.Helper()
	got, err := k.TakeOneTimeToken(t.Context(), want.Hash)
	if err != nil {
		t.Errorf("the token of %q: %v", want.Holder, err)
		return
	}
	if !got.Created.Equal(want.Created) || !got.Expires.Equal(want.Expires) {
		t.Errorf("the token of %q is from %s to %s", want.Holder, got.Created, got.Expires)
	}
	got.Created, got.Expires = want.Created, want.Expires
	if len(got.Body) == 0 && len(want.Body) == 0 {
		got.Body = want.Body
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("took %+v\nwant %+v", got, want)
	}
}

func gone(t *testing.T, k passkey.OneTimeTokenStore, s passkey.OneTimeToken) {
	t.Helper()
	if got, err := k.TakeOneTimeToken(t.Context(), s.Hash); err == nil || nod.CodeOf(err) != nod.NotFound {
		t.Errorf("the token of %q is %+v, %v; want none", s.Holder, got, err)
	}
}
