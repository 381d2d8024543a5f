package passkey_test

import (
	"crypto"
	"crypto/x509"
	"encoding/json"
	"os"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/hub/store/mem"
	"nod/internal/net/passkey"
)

// The keys in testdata were registered and stored before nod used a library for
// WebAuthn, byte for byte as the authenticator sent them.
func TestStoredKeysGoOnWorking(t *testing.T) {
	text, err := os.ReadFile("testdata/stored.json")
	if err != nil {
		t.Fatal(err)
	}
	var stored []struct {
		Algorithm                   string
		Credential, Public, Private []byte
		Count                       uint32
	}
	if err := json.Unmarshal(text, &stored); err != nil || len(stored) != 3 {
		t.Fatal(len(stored), err)
	}
	for _, s := range stored {
		t.Run(s.Algorithm, func(t *testing.T) {
			private, err := x509.ParsePKCS8PrivateKey(s.Private)
			if err != nil {
				t.Fatal(err)
			}
			g, k := storedKey(t, s.Credential, s.Public), fakekey.Existing(s.Credential, s.Count+1, private.(crypto.Signer))
			ticket, err := g.prove(phone, k, home, r1, nil)
			g.must(err)
			if !g.Redeem(phone, ticket, r1) {
				t.Error("the confirmation does not count")
			}
		})
	}
}

// storedKey is a rig with one key that was stored at some time.
func storedKey(t *testing.T, credential, public []byte) *rig {
	t.Helper()
	g := newRig(t)
	store := mem.New()
	g.must(store.PutPasskey(t.Context(), passkey.Key{ID: "k", Name: "old key", Site: home.Name, Created: g.now, Credential: credential, Public: public, Count: 1}))
	g.Ceremonies = passkey.New(store, func() time.Time { return g.now })
	return g
}

func TestAStoredKeyNeedNotBeInCanonicalOrder(t *testing.T) {
	k := fakekey.ES256()
	k.Count = 2
	// The same members in another order: what an authenticator sent was stored as it came.
	g := storedKey(t, k.ID, append(append([]byte{0xa5}, k.COSE[5:]...), k.COSE[1:5]...))
	_, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
}

func TestADamagedKeyIsTheHubsFault(t *testing.T) {
	k := fakekey.ES256()
	k.Count = 2
	for name, public := range map[string][]byte{"cut": k.COSE[:20], "more": append([]byte{}, append(k.COSE, 0)...), "not taken": fakekey.ES384().COSE, "empty": nil} {
		_, err := storedKey(t, k.ID, public).prove(phone, k, home, r1, nil)
		if nod.CodeOf(err) != nod.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}
