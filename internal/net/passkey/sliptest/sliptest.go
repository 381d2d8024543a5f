// Package sliptest is what every keeper of slips must pass.
package sliptest

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

// Run checks what passkey.Slips promises. Every call of open gives new, empty
// keepers that share everything: one for each hub, or the same one twice.
func Run(t *testing.T, open func(t *testing.T) (one, two passkey.Slips)) {
	for name, test := range map[string]func(t *testing.T, one, two passkey.Slips){
		"no slip":                         none,
		"a slip comes back, once":         once,
		"the caller keeps its bytes":      notShared,
		"the same slip again":             again,
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

// slip has every field set, and bytes that are no text.
func slip(name string, after time.Duration) passkey.Slip {
	made := noon.Add(after)
	return passkey.Slip{
		Hash: sha256.Sum256([]byte(name)), Kind: "ticket", Holder: "device \x00\xff" + name, Created: made, Expires: made.Add(time.Minute),
		Body: []byte("request \x00\xfe" + name),
	}
}

func none(t *testing.T, one, two passkey.Slips) {
	gone(t, one, slip("a", 0))
	put(t, one, slip("a", 0))
	gone(t, two, slip("b", 0))
	there(t, two, slip("a", 0))
}

func once(t *testing.T, one, two passkey.Slips) {
	bare := passkey.Slip{Hash: [32]byte{1}, Kind: "invitation", Created: noon, Expires: noon.Add(time.Hour)}
	for _, want := range []passkey.Slip{slip("a", 0), bare} {
		put(t, one, want)
		there(t, two, want)
		gone(t, two, want)
		gone(t, one, want)
	}
}

func notShared(t *testing.T, one, two passkey.Slips) {
	mine := slip("a", 0)
	put(t, one, mine)
	mine.Body[0] = 'x'
	there(t, two, slip("a", 0))
}

func again(t *testing.T, one, two passkey.Slips) {
	put(t, one, slip("a", 0))
	put(t, two, slip("a", 0))
	there(t, one, slip("a", 0))
	gone(t, two, slip("a", 0))
}

func oneTaker(t *testing.T, one, two passkey.Slips) {
	const takers = 50
	for round := range rounds {
		s := slip(fmt.Sprint(round), 0)
		put(t, one, s)
		var won atomic.Int32
		together(t, takers, one, two, func(k passkey.Slips, _ int) error {
			_, err := k.TakeSlip(t.Context(), s.Hash)
			if err != nil && nod.CodeOf(err) == nod.NotFound {
				return nil
			}
			won.Add(1)
			return err
		})
		if n := won.Load(); n != 1 {
			t.Errorf("%d of %d took one slip", n, takers)
		}
	}
}

func expired(t *testing.T, one, two passkey.Slips) {
	put(t, one, slip("old", 0))
	put(t, one, slip("young", time.Nanosecond))
	put(t, two, slip("new", time.Minute)) // the very moment at which the first one ends
	gone(t, one, slip("old", 0))
	there(t, two, slip("young", time.Nanosecond))
	there(t, one, slip("new", time.Minute))
	// Nobody has put one since: whoever takes it looks at the time.
	put(t, one, slip("late", 0))
	there(t, two, slip("late", 0))
}

// of makes the n-th slip of one holder.
func of(holder string, n int) passkey.Slip {
	s := slip(fmt.Sprint(holder, "/", n), time.Duration(n)*time.Millisecond)
	s.Holder = holder
	return s
}

func oldest(t *testing.T, one, two passkey.Slips) {
	put(t, one, of("other", 0))
	for n := range passkey.SlipsEach + 2 {
		put(t, []passkey.Slips{one, two}[n%2], of("mine", n))
	}
	gone(t, one, of("mine", 0))
	gone(t, two, of("mine", 1))
	for n := range passkey.SlipsEach {
		there(t, one, of("mine", n+2))
	}
	there(t, two, of("other", 0))
}

func full(t *testing.T, one, two passkey.Slips) {
	for n := range passkey.SlipsAll {
		put(t, one, of(fmt.Sprint("holder ", n%(passkey.SlipsAll/passkey.SlipsEach)), n))
	}
	late := of("late", 0)
	if err := two.PutSlip(t.Context(), late); !errors.Is(err, passkey.ErrFull) {
		t.Fatalf("one more: %v", err)
	}
	gone(t, one, late)
	put(t, two, of("holder 0", passkey.SlipsAll)) // in the place of its own oldest
	gone(t, one, of("holder 0", 0))
	there(t, two, of("holder 1", 1))
	put(t, one, late) // where one was taken there is room
	later := of("later", 0)
	later.Created = noon.Add(time.Hour) // by then all others have expired
	later.Expires = later.Created.Add(time.Minute)
	put(t, two, later)
	gone(t, one, late)
}

func kinds(t *testing.T, one, two passkey.Slips) {
	other := of("mine", 0)
	other.Kind, other.Hash = "ceremony", sha256.Sum256([]byte("other"))
	put(t, one, other)
	for n := range passkey.SlipsEach + 1 {
		put(t, two, of("mine", n))
	}
	there(t, two, other)
	gone(t, one, of("mine", 0))
}

// together runs f many times at once, at both keepers, and returns how many were
// refused because there was no room.
func together(t *testing.T, many int, one, two passkey.Slips, f func(k passkey.Slips, n int) error) (refused int) {
	t.Helper()
	var mu sync.Mutex
	var all errgroup.Group
	begin := make(chan struct{})
	for n := range many {
		k := []passkey.Slips{one, two}[n%2]
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

// rounds: the first one is too slow to be a race where connections are made.
const rounds = 5

func manyPut(t *testing.T, one, two passkey.Slips) {
	const many = 3 * passkey.SlipsEach
	for round := range rounds {
		mine := fmt.Sprint("mine ", round)
		together(t, many, one, two, func(k passkey.Slips, n int) error { return k.PutSlip(t.Context(), of(mine, n)) })
		left := 0
		for n := range many {
			if _, err := one.TakeSlip(t.Context(), of(mine, n).Hash); err == nil {
				left++
			}
		}
		if left != passkey.SlipsEach {
			t.Errorf("%d slips of one holder are left, want %d", left, passkey.SlipsEach)
		}
	}
}

func manyFull(t *testing.T, one, two passkey.Slips) {
	const room, many = 3, 12
	for n := range passkey.SlipsAll - room {
		put(t, one, of(fmt.Sprint("holder ", n), 0))
	}
	for range rounds {
		late := func(n int) passkey.Slip { return of(fmt.Sprint("late ", n), 0) }
		refused := together(t, many, one, two, func(k passkey.Slips, n int) error { return k.PutSlip(t.Context(), late(n)) })
		if refused != many-room {
			t.Errorf("%d of %d were refused, want %d", refused, many, many-room)
		}
		for n := range many {
			_, _ = two.TakeSlip(t.Context(), late(n).Hash) // room for the next round
		}
	}
}

func put(t *testing.T, k passkey.Slips, s passkey.Slip) {
	t.Helper()
	if err := k.PutSlip(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}

// there takes a slip, which must be as it was put.
func there(t *testing.T, k passkey.Slips, want passkey.Slip) {
	t.Helper()
	got, err := k.TakeSlip(t.Context(), want.Hash)
	if err != nil {
		t.Errorf("the slip of %q: %v", want.Holder, err)
		return
	}
	if !got.Created.Equal(want.Created) || !got.Expires.Equal(want.Expires) {
		t.Errorf("the slip of %q is from %s to %s", want.Holder, got.Created, got.Expires)
	}
	got.Created, got.Expires = want.Created, want.Expires
	if len(got.Body) == 0 && len(want.Body) == 0 {
		got.Body = want.Body
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("took %+v\nwant %+v", got, want)
	}
}

func gone(t *testing.T, k passkey.Slips, s passkey.Slip) {
	t.Helper()
	if got, err := k.TakeSlip(t.Context(), s.Hash); err == nil || nod.CodeOf(err) != nod.NotFound {
		t.Errorf("the slip of %q is %+v, %v; want none", s.Holder, got, err)
	}
}
