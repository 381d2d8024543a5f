package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/net/auth"
)

// Tokens checks what auth.TokenStore promises. Every call of open gives a new, empty
// store.
func Tokens(t *testing.T, open func(t *testing.T) auth.TokenStore) {
	for name, test := range map[string]func(*testing.T, auth.TokenStore){
		"no tokens":                     noTokens,
		"a token comes back":            tokenBack,
		"put replaces":                  putReplaces,
		"listed by creation":            listed,
		"a deleted token is gone":       deleted,
		"the last use":                  touched,
		"the caller keeps its token":    tokenNotShared,
		"many devices at the same time": manyDevices,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// token has every field set, and times that are not in UTC.
func token(id string, created time.Time) auth.Token {
	expires, used := created.AddDate(1, 0, 0), created.Add(time.Minute+time.Nanosecond)
	t := auth.Token{
		ID: id, Name: "kitchen 📱 'phone'", Rights: nod.RightsOf(nod.View, nod.Answering), Room: "kuchyně",
		Created: created.In(time.FixedZone("", 3600)), Expires: &expires, Used: &used,
	}
	copy(t.Hash[:], "hash of the secret of "+id)
	return t
}

func noTokens(t *testing.T, v auth.TokenStore) {
	if list, err := v.List(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("List = %v, %v; want nothing", list, err)
	}
	_, err := v.Get(t.Context(), "none")
	wantCode(t, err, nod.NotFound)
	wantCode(t, v.Delete(t.Context(), "none"), nod.NotFound)
	wantCode(t, v.Touch(t.Context(), "none", Dawn), nod.NotFound)
}

func tokenBack(t *testing.T, v auth.TokenStore) {
	plain := token("plain", Dawn)
	plain.Expires, plain.Used, plain.Room, plain.Rights = nil, nil, "", 0
	for _, want := range []auth.Token{token("full", Dawn.Add(123456789)), plain, {ID: "zero"}} {
		put(t, v, want)
		wantToken(t, v, want)
	}
}

func putReplaces(t *testing.T, v auth.TokenStore) {
	put(t, v, token("a", Dawn))
	want := token("a", Dawn.Add(time.Hour))
	want.Name, want.Rights, want.Expires, want.Used = "other", nod.RightsOf(nod.Admin), nil, nil
	put(t, v, want)
	wantToken(t, v, want)
	if list, _ := v.List(t.Context()); len(list) != 1 {
		t.Errorf("%d tokens, want 1", len(list))
	}
}

func listed(t *testing.T, v auth.TokenStore) {
	// Whole seconds and fractions: as text of different width they sort wrongly.
	after := map[string]time.Duration{"c": 0, "a": time.Millisecond, "d": time.Second, "b": time.Second + time.Nanosecond}
	for id, d := range after {
		put(t, v, token(id, Dawn.Add(d)))
	}
	list, err := v.List(t.Context())
	if err != nil || len(list) != len(after) {
		t.Fatalf("List = %v, %v", list, err)
	}
	for i, id := range []string{"c", "a", "d", "b"} {
		if !equal(list[i], token(id, Dawn.Add(after[id]))) {
			t.Errorf("token %d is %+v, want %s", i, list[i], id)
		}
	}
}

func deleted(t *testing.T, v auth.TokenStore) {
	put(t, v, token("a", Dawn))
	put(t, v, token("b", Dawn))
	if err := v.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	_, err := v.Get(t.Context(), "a")
	wantCode(t, err, nod.NotFound)
	wantCode(t, v.Delete(t.Context(), "a"), nod.NotFound)
	wantToken(t, v, token("b", Dawn))
}

func touched(t *testing.T, v auth.TokenStore) {
	want := token("a", Dawn)
	put(t, v, want)
	at := Dawn.Add(42 * time.Hour)
	if err := v.Touch(t.Context(), "a", at); err != nil {
		t.Fatal(err)
	}
	want.Used = &at
	wantToken(t, v, want)
}

func tokenNotShared(t *testing.T, v auth.TokenStore) {
	mine := token("a", Dawn)
	put(t, v, mine)
	*mine.Expires = Dawn
	wantToken(t, v, token("a", Dawn))
}

func manyDevices(t *testing.T, v auth.TokenStore) {
	var all errgroup.Group
	for i := range 8 {
		id := fmt.Sprintf("device %d", i)
		all.Go(func() error {
			if err := v.Put(t.Context(), token(id, Dawn)); err != nil {
				return err
			}
			if err := v.Touch(t.Context(), id, Dawn); err != nil {
				return err
			}
			_, err := v.Get(t.Context(), id)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	if list, _ := v.List(t.Context()); len(list) != 8 {
		t.Errorf("%d tokens, want 8", len(list))
	}
}

func put(t *testing.T, v auth.TokenStore, token auth.Token) {
	t.Helper()
	if err := v.Put(t.Context(), token); err != nil {
		t.Fatal(err)
	}
}

func wantToken(t *testing.T, v auth.TokenStore, want auth.Token) {
	t.Helper()
	got, err := v.Get(t.Context(), want.ID)
	if err != nil || !equal(got, want) {
		t.Errorf("Get = %+v, %v\nwant %+v", got, err, want)
	}
}

// equal compares times as moments.
func equal(a, b auth.Token) bool {
	moment := func(p, q *time.Time) bool { return p == nil && q == nil || p != nil && q != nil && p.Equal(*q) }
	if !a.Created.Equal(b.Created) || !moment(a.Expires, b.Expires) || !moment(a.Used, b.Used) {
		return false
	}
	a.Created, a.Expires, a.Used = b.Created, b.Expires, b.Used
	return reflect.DeepEqual(a, b)
}
