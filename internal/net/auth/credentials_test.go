package auth_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
)

var (
	all  = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	anna = nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Rights: all}
)

func create(t *testing.T, k *auth.Credentials, rights nod.Rights) (string, auth.Token) {
	t.Helper()
	s, token, err := k.Create(t.Context(), anna, "phone", rights, "kitchen")
	if err != nil {
		t.Fatal(err)
	}
	return s.Reveal(), token
}

func TestTokenIdentifiesItsDevice(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	secret, token := create(t, k, nod.RightsOf(nod.View))
	_, who, leave, err := k.Admit(t.Context(), secret, "watch")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	want := nod.Actor{Kind: nod.ActorDevice, Name: "phone", Via: "watch", ID: token.ID, Room: "kitchen", Rights: nod.RightsOf(nod.View)}
	if who != want {
		t.Errorf("the token stands for %+v, want %+v", who, want)
	}
}

func TestWrongTokensHaveTheSameError(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	secret, _ := create(t, k, all)
	other, _ := create(t, k, all)
	wrongKey := secret[:13] + other[13:]
	unknownID := "nod_00000000_" + secret[13:]
	for _, text := range []string{"", "nod_", "x", wrongKey, unknownID, strings.ToUpper(secret), secret + " "} {
		_, _, _, err := k.Admit(t.Context(), text, "")
		if nod.CodeOf(err) != nod.Unauthorized || !strings.Contains(err.Error(), "not known here") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// spy records what reaches the store.
type spy struct {
	auth.TokenStore
	put     []auth.Token
	touches int
	fail    error
}

func (s *spy) Put(ctx context.Context, t auth.Token) error {
	s.put = append(s.put, t)
	return errors.Join(s.fail, s.TokenStore.Put(ctx, t))
}

func (s *spy) Touch(ctx context.Context, id string, at time.Time) error {
	s.touches++
	return s.TokenStore.Touch(ctx, id, at)
}

func (s *spy) Get(ctx context.Context, id string) (auth.Token, error) {
	if s.fail != nil {
		return auth.Token{}, s.fail
	}
	return s.TokenStore.Get(ctx, id)
}

func TestOnlyTheHashOfASecretIsStored(t *testing.T) {
	store := &spy{TokenStore: mem.New()}
	secret, _ := create(t, auth.NewCredentials(store, nil, nil), all)
	kept := store.put[0]
	if want := sha256.Sum256([]byte(secret[13:])); !bytes.Equal(kept.Hash[:], want[:]) {
		t.Errorf("kept %x", kept.Hash)
	}
	if len(secret) != len("nod_")+8+1+43 {
		t.Errorf("the token has %d characters", len(secret))
	}
}

func TestABrokenStoreAdmitsNobody(t *testing.T) {
	store := &spy{TokenStore: mem.New()}
	k := auth.NewCredentials(store, nil, nil)
	secret, _ := create(t, k, all)
	store.fail = errors.New("disk on fire")
	if _, _, _, err := k.Admit(t.Context(), secret, ""); nod.CodeOf(err) != nod.Internal {
		t.Errorf("Admit: %v", err)
	}
}

func TestNobodyGrantsMoreThanTheyHave(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	for _, tt := range []struct {
		has, gives nod.Rights
		want       nod.Code
	}{
		{all, all, ""},
		{nod.RightsOf(nod.Admin), nod.RightsOf(nod.Admin), ""},
		{nod.RightsOf(nod.Admin), nod.RightsOf(nod.View), nod.Forbidden},
		{nod.RightsOf(nod.Admin, nod.View), nod.RightsOf(nod.View, nod.Answering), nod.Forbidden},
		{nod.RightsOf(nod.View, nod.Answering), nod.RightsOf(nod.View), nod.Forbidden},
		{all, 0, nod.Invalid},
	} {
		by := nod.Actor{Name: "bob", Rights: tt.has}
		_, _, err := k.Create(t.Context(), by, "x", tt.gives, "")
		if got := codeOf(err); got != tt.want {
			t.Errorf("%q gives %q: %v, want %q", tt.has, tt.gives, err, tt.want)
		}
		if tt.gives == 0 {
			continue // pairing has default rights
		}
		if _, err := k.Pair(t.Context(), by, tt.gives); codeOf(err) != tt.want {
			t.Errorf("%q pairs %q: %v, want %q", tt.has, tt.gives, err, tt.want)
		}
	}
}

func codeOf(err error) nod.Code {
	if err == nil {
		return ""
	}
	return nod.CodeOf(err)
}

func TestNamesAreFitToBeShown(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	for name, want := range map[string]nod.Code{
		"kitchen phone": "", "  trimmed  ": "", "Ünïcode 📱": "", strings.Repeat("ü", 64): "",
		"": nod.Invalid, "   ": nod.Invalid, strings.Repeat("x", 65): nod.Invalid,
		"two\nlines": nod.Invalid, "\x1b[31mred": nod.Invalid, "a\u202eb": nod.Invalid, "\xff": nod.Invalid,
	} {
		_, _, err := k.Create(t.Context(), anna, name, all, "")
		if codeOf(err) != want {
			t.Errorf("name %q: %v", name, err)
		}
		if _, _, err := k.Create(t.Context(), anna, "x", all, name); codeOf(err) != want && strings.TrimSpace(name) != "" {
			t.Errorf("room %q: %v", name, err)
		}
	}
}

func TestLastUseIsRecordedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &spy{TokenStore: mem.New()}
		k := auth.NewCredentials(store, nil, nil)
		secret, token := create(t, k, all)
		use := func() {
			_, _, leave, err := k.Admit(t.Context(), secret, "")
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		for range 100 {
			use()
		}
		wait(59 * time.Second)
		use()
		if store.touches != 1 {
			t.Errorf("noted %d times within a minute", store.touches)
		}
		wait(time.Second)
		use()
		if store.touches != 2 {
			t.Errorf("noted %d times after a minute", store.touches)
		}
		if got, _ := store.Get(t.Context(), token.ID); got.Used == nil || !got.Used.Equal(time.Now()) {
			t.Errorf("last use %v", got.Used)
		}
	})
}

// wait advances the time of a synctest bubble.
func wait(d time.Duration) { <-time.After(d) }

func TestRevokingEndsOpenSessions(t *testing.T) {
	k := auth.NewCredentials(mem.New(), nil, nil)
	secret, token := create(t, k, all)
	bystander, _ := create(t, k, all)
	in, _, leave, err := k.Admit(t.Context(), secret, "")
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	other, _, leaveOther, err := k.Admit(t.Context(), bystander, "")
	if err != nil {
		t.Fatal(err)
	}
	defer leaveOther()
	if err := k.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	if in.Err() == nil || nod.CodeOf(context.Cause(in)) != nod.Unauthorized {
		t.Errorf("the visit goes on: %v", context.Cause(in))
	}
	if other.Err() != nil {
		t.Error("another device was thrown out too")
	}
	if _, _, _, err := k.Admit(t.Context(), secret, ""); nod.CodeOf(err) != nod.Unauthorized {
		t.Errorf("a revoked token still opens: %v", err)
	}
	if err := k.Revoke(t.Context(), token.ID); nod.CodeOf(err) != nod.NotFound {
		t.Errorf("revoked twice: %v", err)
	}
}

// However a revocation and a new session interleave, the session ends.
func TestNoSessionOutlivesARevocation(t *testing.T) {
	for range 200 {
		k := auth.NewCredentials(mem.New(), nil, nil)
		secret, token := create(t, k, all)
		var both sync.WaitGroup
		var in context.Context
		both.Go(func() { in, _, _, _ = k.Admit(t.Context(), secret, "") })
		both.Go(func() { _ = k.Revoke(t.Context(), token.ID) })
		both.Wait()
		if in != nil && in.Err() == nil {
			t.Fatal("a visit goes on after its token was revoked")
		}
	}
}

func TestTokensExpireAlsoWhileInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := mem.New()
		k := auth.NewCredentials(store, nil, nil)
		secret, token := create(t, k, all)
		end := time.Now().Add(time.Hour)
		token.Expires = &end
		if err := store.Put(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		in, _, leave, err := k.Admit(t.Context(), secret, "")
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		wait(time.Hour)
		synctest.Wait()
		if cause := context.Cause(in); nod.CodeOf(cause) != nod.Unauthorized || !strings.Contains(cause.Error(), "expired") {
			t.Errorf("after its time: %v", cause)
		}
		if _, _, _, err := k.Admit(t.Context(), secret, ""); nod.CodeOf(err) != nod.Unauthorized {
			t.Errorf("an expired token still opens: %v", err)
		}
	})
}
