package storetest

import (
	"fmt"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/net/passkey"
)

// Passkeys checks what passkey.KeyStore promises. Every call of open gives a new,
// empty store.
func Passkeys(t *testing.T, open func(t *testing.T) passkey.KeyStore) {
	for name, test := range map[string]func(*testing.T, passkey.KeyStore){
		"no passkey":                     noPasskey,
		"a passkey comes back":           passkeyBack,
		"by creation":                    passkeysInOrder,
		"known already":                  passkeyTwice,
		"a use is noted":                 passkeyUsed,
		"a counter only grows":           passkeyCopied,
		"one passkey is the first":       firstPasskey,
		"one of many uses counts":        sameCount,
		"a passkey is deleted":           passkeyDeleted,
		"the caller keeps its passkey":   passkeyNotShared,
		"many passkeys at the same time": manyPasskeys,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// PasskeysDurable checks that what was kept is there in the next process. Every
// call of open opens the same store.
func PasskeysDurable(t *testing.T, open func(t *testing.T) passkey.KeyStore) {
	s := open(t)
	want := aPasskey("a", Dawn)
	addPasskey(t, s, want)
	usePasskey(t, s, &want, 9)
	if c, ok := s.(interface{ Close() error }); ok {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wantPasskeys(t, open(t), want)
}

// aPasskey has every field set but the last use.
func aPasskey(id string, created time.Time) passkey.Key {
	return passkey.Key{
		ID: id, Name: "klucz „" + id + "” 鍵 '", Site: "localhost", Created: created,
		Credential: []byte{0, 255, '\'', ';'}, Public: []byte("public half of " + id), Count: 7, Transports: []string{"hybrid", "internal"},
	}
}

func noPasskey(t *testing.T, s passkey.KeyStore) {
	wantPasskeys(t, s)
	wantCode(t, s.DeletePasskey(t.Context(), "none"), nod.NotFound)
	wantCode(t, s.UsePasskey(t.Context(), "none", 1, Dawn), nod.NotFound)
}

func passkeyBack(t *testing.T, s passkey.KeyStore) {
	full := aPasskey("full", Dawn)
	used := Dawn.Add(time.Second)
	full.Used, full.Count = &used, math.MaxUint32
	bare := passkey.Key{ID: "bare", Created: Dawn.Add(time.Hour), Credential: []byte{1}, Public: []byte{2}}
	addPasskey(t, s, full)
	addPasskey(t, s, bare)
	wantPasskeys(t, s, full, bare)
}

func passkeysInOrder(t *testing.T, s passkey.KeyStore) {
	late, early, same := aPasskey("a", Dawn.Add(time.Hour)), aPasskey("z", Dawn), aPasskey("y", Dawn)
	for _, k := range []passkey.Key{late, early, same} {
		addPasskey(t, s, k)
	}
	wantPasskeys(t, s, same, early, late)
}

func passkeyTwice(t *testing.T, s passkey.KeyStore) {
	first := aPasskey("a", Dawn)
	addPasskey(t, s, first)
	again := first
	again.Name, again.Public = "another", []byte("somebody else's")
	wantCode(t, s.PutPasskey(t.Context(), again), nod.Conflict)
	wantPasskeys(t, s, first) // a refusal changes nothing
}

func passkeyUsed(t *testing.T, s passkey.KeyStore) {
	a, b := aPasskey("a", Dawn), aPasskey("b", Dawn)
	addPasskey(t, s, a)
	addPasskey(t, s, b)
	usePasskey(t, s, &a, 8)
	wantPasskeys(t, s, a, b)
	usePasskey(t, s, &b, math.MaxUint32)
	wantPasskeys(t, s, a, b)
}

func passkeyCopied(t *testing.T, s passkey.KeyStore) {
	a, still := aPasskey("a", Dawn), aPasskey("still", Dawn)
	still.Count = 0
	addPasskey(t, s, a)
	addPasskey(t, s, still)
	usePasskey(t, s, &a, 9)
	for _, count := range []uint32{0, 8, 9} {
		wantCode(t, s.UsePasskey(t.Context(), "a", count, Dawn.Add(time.Hour)), nod.Conflict)
	}
	usePasskey(t, s, &still, 0) // some never count
	usePasskey(t, s, &still, 0)
	wantPasskeys(t, s, a, still)
	usePasskey(t, s, &still, 1)
	wantCode(t, s.UsePasskey(t.Context(), "still", 0, Dawn), nod.Conflict)
}

// firstPasskey: of many who would be the first, one is.
func firstPasskey(t *testing.T, s passkey.KeyStore) {
	won := contest(t, func(i int) error { return s.PutFirstPasskey(t.Context(), aPasskey(fmt.Sprint("key", i), Dawn)) })
	wantPasskeys(t, s, aPasskey(fmt.Sprint("key", won), Dawn))
	wantCode(t, s.PutFirstPasskey(t.Context(), aPasskey(fmt.Sprint("key", won), Dawn)), nod.Conflict)
	if err := s.DeletePasskey(t.Context(), fmt.Sprint("key", won)); err != nil {
		t.Fatal(err)
	}
	if err := s.PutFirstPasskey(t.Context(), aPasskey("next", Dawn)); err != nil {
		t.Errorf("after the last one went: %v", err)
	}
}

// sameCount: a signature and its copy say the same number, and one of them counts.
func sameCount(t *testing.T, s passkey.KeyStore) {
	addPasskey(t, s, aPasskey("a", Dawn))
	contest(t, func(i int) error { return s.UsePasskey(t.Context(), "a", 8, Dawn.Add(time.Duration(i))) })
}

// contest has many try the same at the same time: one wins, all others get Conflict.
func contest(t *testing.T, try func(i int) error) (won int) {
	t.Helper()
	var all errgroup.Group
	var mu sync.Mutex
	var winners []int
	for i := range 16 {
		all.Go(func() error {
			err := try(i)
			if err != nil && nod.CodeOf(err) == nod.Conflict {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			winners = append(winners, i)
			return err
		})
	}
	if err := all.Wait(); err != nil || len(winners) != 1 {
		t.Fatalf("won by %v, %v", winners, err)
	}
	return winners[0]
}

func passkeyDeleted(t *testing.T, s passkey.KeyStore) {
	a, b := aPasskey("a", Dawn), aPasskey("b", Dawn)
	addPasskey(t, s, a)
	addPasskey(t, s, b)
	if err := s.DeletePasskey(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	wantPasskeys(t, s, b)
	wantCode(t, s.DeletePasskey(t.Context(), "a"), nod.NotFound)
	wantCode(t, s.UsePasskey(t.Context(), "a", 9, Dawn), nod.NotFound)
	addPasskey(t, s, a) // it may come again
	wantPasskeys(t, s, a, b)
}

func passkeyNotShared(t *testing.T, s passkey.KeyStore) {
	mine := aPasskey("a", Dawn)
	used := Dawn
	mine.Used = &used
	addPasskey(t, s, mine)
	mine.Credential[0], mine.Public[0], mine.Transports[0] = 'x', 'x', "x"
	used = used.Add(time.Hour)
	want := aPasskey("a", Dawn)
	at := Dawn
	want.Used = &at
	wantPasskeys(t, s, want)
	list, _ := s.Passkeys(t.Context())
	list[0].Credential[0], list[0].Public[0], list[0].Transports[0] = 'x', 'x', "x"
	*list[0].Used = used
	wantPasskeys(t, s, want)
}

func manyPasskeys(t *testing.T, s passkey.KeyStore) {
	var all errgroup.Group
	for i := range 8 {
		all.Go(func() error {
			id := fmt.Sprint("key", i)
			if err := s.PutPasskey(t.Context(), aPasskey(id, Dawn)); err != nil {
				return err
			}
			if err := s.UsePasskey(t.Context(), id, uint32(100+i), Dawn); err != nil {
				return err
			}
			_, err := s.Passkeys(t.Context())
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	list, err := s.Passkeys(t.Context())
	if err != nil || len(list) != 8 {
		t.Fatalf("%d passkeys, %v", len(list), err)
	}
	for i, k := range list {
		if k.Count != uint32(100+i) {
			t.Errorf("%s has counted %d", k.ID, k.Count)
		}
	}
}

func addPasskey(t *testing.T, s passkey.KeyStore, k passkey.Key) {
	t.Helper()
	if err := s.PutPasskey(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

// usePasskey uses a passkey, and changes k as the store should.
func usePasskey(t *testing.T, s passkey.KeyStore, k *passkey.Key, count uint32) {
	t.Helper()
	at := Dawn.Add(time.Duration(count) * time.Nanosecond)
	if err := s.UsePasskey(t.Context(), k.ID, count, at); err != nil {
		t.Fatal(err)
	}
	k.Count, k.Used = count, &at
}

func wantPasskeys(t *testing.T, s passkey.KeyStore, want ...passkey.Key) {
	t.Helper()
	got, err := s.Passkeys(t.Context())
	if err != nil || len(got) != len(want) {
		t.Fatalf("Passkeys = %+v, %v\nwant %+v", got, err, want)
	}
	for i := range got {
		if !got[i].Created.Equal(want[i].Created) || (got[i].Used == nil) != (want[i].Used == nil) || got[i].Used != nil && !got[i].Used.Equal(*want[i].Used) {
			t.Errorf("the times of passkey %d are %+v\nwant %+v", i, got[i], want[i])
		}
		got[i].Created, got[i].Used = want[i].Created, want[i].Used
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("passkey %d is %+v\nwant %+v", i, got[i], want[i])
		}
	}
}
