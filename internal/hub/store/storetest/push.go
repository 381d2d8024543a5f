package storetest

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"golang.org/x/sync/errgroup"

	"nod"
	"nod/internal/net/auth"
	"nod/internal/net/push"
)

// SubscriptionStore is a store of subscribers and of the tokens they belong to.
type SubscriptionStore interface {
	auth.TokenStore
	push.Subscriptions
}

// Subscriptions checks what push.Subscriptions promises. Every call of open gives a new, empty
// store.
func Subscriptions(t *testing.T, open func(t *testing.T) SubscriptionStore) {
	for name, test := range map[string]func(*testing.T, SubscriptionStore){
		"no subscribers":                    noSubscribers,
		"a subscriber comes back":           subscriberBack,
		"a stranger cannot subscribe":       strangerRefused,
		"a device has one subscription":     oneForEachDevice,
		"a browser has one device":          oneForEachBrowser,
		"what was told":                     toldKept,
		"a subscriber leaves":               subscriberLeaves,
		"it goes with its token":            goesWithToken,
		"the key is made once":              keyOnce,
		"the caller keeps its subscriber":   subscriberNotShared,
		"many subscribers at the same time": manySubscribers,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// SubscriptionsDurable checks that what was kept is there in the next process. Every call
// of open opens the same store.
func SubscriptionsDurable(t *testing.T, open func(t *testing.T) SubscriptionStore) {
	want := subscriber("a", "https://push.example/1")
	s := open(t)
	join(t, s, want)
	want.Told = []string{"r1"}
	note(t, s, "a", "", want.Told)
	if _, err := s.PushKey(t.Context(), []byte("first")); err != nil {
		t.Fatal(err)
	}
	if c, ok := s.(interface{ Close() error }); ok {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t)
	wantSubscribers(t, s, want)
	if key, err := s.PushKey(t.Context(), []byte("second")); err != nil || string(key) != "first" {
		t.Errorf("PushKey = %q, %v", key, err)
	}
}

// subscriber has every field set that is kept by PutSubscriber.
func subscriber(token, endpoint string) push.Subscriber {
	return push.Subscriber{
		Token:        token,
		Subscription: push.Subscription{Endpoint: endpoint, P256DH: []byte{4, 0, 255, '\''}, Auth: []byte("auth of " + token)},
		Notify:       push.All, Quiet: &push.Quiet{From: "22:00", To: "07:00", Zone: "Europe/Warsaw"}, Lang: "pl",
	}
}

func noSubscribers(t *testing.T, s SubscriptionStore) {
	wantSubscribers(t, s)
	wantCode(t, s.DeleteSubscriber(t.Context(), "none", ""), nod.NotFound)
	wantCode(t, s.NoteTold(t.Context(), "none", "", nil), nod.NotFound)
}

func subscriberBack(t *testing.T, s SubscriptionStore) {
	b, a := subscriber("b", "https://push.example/b"), subscriber("a", "https://push.example/ž")
	a.Quiet, a.Lang, a.Notify = nil, "", push.Nothing
	join(t, s, b)
	join(t, s, a)
	wantSubscribers(t, s, a, b)
}

func strangerRefused(t *testing.T, s SubscriptionStore) {
	wantCode(t, s.PutSubscriber(t.Context(), subscriber("nobody", "https://push.example/1")), nod.NotFound)
	join(t, s, subscriber("a", "https://push.example/1"))
	wantCode(t, s.PutSubscriber(t.Context(), subscriber("nobody", "https://push.example/1")), nod.NotFound)
	wantSubscribers(t, s, subscriber("a", "https://push.example/1")) // a refusal changes nothing
}

func oneForEachDevice(t *testing.T, s SubscriptionStore) {
	join(t, s, subscriber("a", "https://push.example/1"))
	want := subscriber("a", "https://push.example/2")
	want.Notify, want.Quiet, want.Lang = push.WaitingOnly, nil, "ja"
	join(t, s, want)
	wantSubscribers(t, s, want)
}

func oneForEachBrowser(t *testing.T, s SubscriptionStore) {
	join(t, s, subscriber("a", "https://push.example/1"))
	join(t, s, subscriber("b", "https://push.example/2"))
	note(t, s, "a", "", []string{"r1"})
	join(t, s, subscriber("b", "https://push.example/1")) // the same browser, paired again
	wantSubscribers(t, s, subscriber("b", "https://push.example/1"))
}

func toldKept(t *testing.T, s SubscriptionStore) {
	want := subscriber("a", "https://push.example/1")
	ignored := want
	ignored.Told = []string{"never"}
	join(t, s, ignored)
	wantSubscribers(t, s, want)

	want.Told = []string{"r2", "r1", `odd " id`}
	note(t, s, "a", "https://push.example/1", want.Told)
	wantSubscribers(t, s, want)
	wantCode(t, s.NoteTold(t.Context(), "a", "https://push.example/old", []string{"x"}), nod.NotFound)
	wantSubscribers(t, s, want)

	want.Notify = push.Nothing
	join(t, s, want) // other wishes, the same browser
	wantSubscribers(t, s, want)

	moved := subscriber("a", "https://push.example/2")
	join(t, s, moved) // a new browser has nothing on its screen
	wantSubscribers(t, s, moved)
	note(t, s, "a", "", []string{"r3"})
	note(t, s, "a", "", nil)
	wantSubscribers(t, s, moved)
}

func subscriberLeaves(t *testing.T, s SubscriptionStore) {
	join(t, s, subscriber("a", "https://push.example/1"))
	join(t, s, subscriber("b", "https://push.example/2"))
	wantCode(t, s.DeleteSubscriber(t.Context(), "a", "https://push.example/2"), nod.NotFound)
	for token, endpoint := range map[string]string{"a": "https://push.example/1", "b": ""} {
		if err := s.DeleteSubscriber(t.Context(), token, endpoint); err != nil {
			t.Fatal(err)
		}
		wantCode(t, s.DeleteSubscriber(t.Context(), token, endpoint), nod.NotFound)
	}
	wantSubscribers(t, s)
}

func goesWithToken(t *testing.T, s SubscriptionStore) {
	join(t, s, subscriber("a", "https://push.example/1"))
	join(t, s, subscriber("b", "https://push.example/2"))
	put(t, s, token("a", Dawn.AddDate(1, 0, 0))) // replaced, not deleted
	wantSubscribers(t, s, subscriber("a", "https://push.example/1"), subscriber("b", "https://push.example/2"))
	if err := s.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	wantSubscribers(t, s, subscriber("b", "https://push.example/2"))
	put(t, s, token("a", Dawn))
	wantSubscribers(t, s, subscriber("b", "https://push.example/2")) // it does not come back
}

func keyOnce(t *testing.T, s SubscriptionStore) {
	for _, fresh := range []string{"one", "two"} {
		if key, err := s.PushKey(t.Context(), []byte(fresh)); err != nil || string(key) != "one" {
			t.Errorf("PushKey = %q, %v", key, err)
		}
	}
}

func subscriberNotShared(t *testing.T, s SubscriptionStore) {
	mine := subscriber("a", "https://push.example/1")
	join(t, s, mine)
	told := []string{"r1"}
	note(t, s, "a", "", told)
	key := []byte("key")
	if _, err := s.PushKey(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	mine.Quiet.From, mine.Subscription.Auth[0], told[0], key[0] = "x", 'x', "x", 'x'
	want := subscriber("a", "https://push.example/1")
	want.Told = []string{"r1"}
	wantSubscribers(t, s, want)
	list, _ := s.Subscribers(t.Context())
	list[0].Quiet.From, list[0].Subscription.P256DH[0], list[0].Told[0] = "x", 'x', "x"
	wantSubscribers(t, s, want)
	if kept, _ := s.PushKey(t.Context(), nil); !bytes.Equal(kept, []byte("key")) {
		t.Errorf("the key changed with the caller's: %q", kept)
	}
}

func manySubscribers(t *testing.T, s SubscriptionStore) {
	var all errgroup.Group
	for i := range 8 {
		id := fmt.Sprintf("device %d", i)
		put(t, s, token(id, Dawn))
		all.Go(func() error {
			n := subscriber(id, "https://push.example/"+id)
			if err := s.PutSubscriber(t.Context(), n); err != nil {
				return err
			}
			if err := s.NoteTold(t.Context(), id, n.Subscription.Endpoint, []string{id}); err != nil {
				return err
			}
			_, err := s.Subscribers(t.Context())
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	list, err := s.Subscribers(t.Context())
	if err != nil || len(list) != 8 {
		t.Fatalf("%d subscribers, %v", len(list), err)
	}
	for _, n := range list {
		if len(n.Told) != 1 || n.Told[0] != n.Token {
			t.Errorf("%s was told %v", n.Token, n.Told)
		}
	}
}

// join subscribes a device whose token it makes when it is not there.
func join(t *testing.T, s SubscriptionStore, n push.Subscriber) {
	t.Helper()
	if _, err := s.Get(t.Context(), n.Token); err != nil {
		put(t, s, token(n.Token, Dawn))
	}
	if err := s.PutSubscriber(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

func note(t *testing.T, s SubscriptionStore, token, endpoint string, told []string) {
	t.Helper()
	if err := s.NoteTold(t.Context(), token, endpoint, told); err != nil {
		t.Fatal(err)
	}
}

func wantSubscribers(t *testing.T, s SubscriptionStore, want ...push.Subscriber) {
	t.Helper()
	got, err := s.Subscribers(t.Context())
	if err != nil || len(got) != len(want) {
		t.Fatalf("Subscribers = %+v, %v\nwant %+v", got, err, want)
	}
	for i := range got {
		if len(got[i].Told) == 0 {
			got[i].Told = nil
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("subscriber %d is %+v\nwant %+v", i, got[i], want[i])
		}
	}
}
