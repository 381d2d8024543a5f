package passkey_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/net/passkey"
)

func TestFurtherPasskeysNeedAnExistingOne(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	second := fakekey.EdDSA()
	_, err := g.register(phone, second, home, passkey.Permission{}, nil)
	g.want(err, passkey.ProofRequired)
	_, err = g.register(tablet, second, home, passkey.Permission{Ticket: g.ticket(phone, k)}, nil)
	g.want(err, passkey.ProofRequired) // the phone's confirmation is not the tablet's
	ofRequest, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
	_, err = g.register(phone, second, home, passkey.Permission{Ticket: ofRequest}, nil)
	g.want(err, passkey.ProofRequired)
	_, err = g.register(phone, second, home, passkey.Permission{Ticket: g.ticket(phone, k)}, nil)
	g.must(err)
	_, err = g.register(phone, second, home, passkey.Permission{Ticket: g.ticket(phone, second)}, nil)
	g.want(err, passkey.AlreadyRegistered)
	if list, _ := g.List(t.Context()); len(list) != 2 {
		t.Errorf("%d passkeys", len(list))
	}
}

func TestAnInvitationWorksUnderAnotherName(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	_, err := g.BeginProof(t.Context(), tablet, local, passkey.ForPasskeys)
	g.want(err, passkey.NoKey) // the first one does not work there
	_, err = g.Invite(t.Context(), tablet, "")
	g.want(err, passkey.ProofRequired)
	byTicket, err := g.Invite(t.Context(), phone, g.ticket(phone, k))
	g.must(err)
	other := fakekey.ES256()
	_, err = g.register(tablet, other, local, passkey.Permission{Invitation: byTicket.Code}, nil)
	g.must(err)
	_, err = g.register(tablet, fakekey.ES256(), local, passkey.Permission{Invitation: byTicket.Code}, nil)
	g.want(err, passkey.ProofRequired) // used already
	byAnna, err := g.Invite(t.Context(), anna, "")
	g.must(err)
	g.now = byAnna.Expires
	_, err = g.register(tablet, fakekey.ES256(), local, passkey.Permission{Invitation: byAnna.Code}, nil)
	g.want(err, passkey.ProofRequired) // too late
	// Each passkey works under its own name only.
	_, err = g.prove(tablet, other, local, r1, nil)
	g.must(err)
	_, err = g.prove(tablet, other, home, r1, nil)
	g.want(err, passkey.UnknownKey)
}

func TestDeletingNeedsAPasskeyOrTheHubsMachine(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	list, _ := g.List(t.Context())
	id := list[0].ID
	g.want(g.Delete(t.Context(), phone, id, ""), passkey.ProofRequired)
	g.want(g.Delete(t.Context(), tablet, id, g.ticket(phone, k)), passkey.ProofRequired)
	g.must(g.Delete(t.Context(), phone, id, g.ticket(phone, k)))
	if err := g.Delete(t.Context(), anna, id, ""); nod.CodeOf(err) != nod.NotFound {
		t.Error(err)
	}
	_, err := g.prove(phone, k, home, r1, nil)
	g.want(err, passkey.NoKey)
	g.first(k) // as if it had never been there
	g.must(g.Delete(t.Context(), anna, id, ""))
}

func TestOnlyOnePasskeyIsTheFirst(t *testing.T) {
	g := newRig(t)
	const many = 8
	errs := make([]error, many)
	var begun, all sync.WaitGroup
	begun.Add(many)
	for i := range many {
		all.Go(func() {
			by := nod.Actor{Kind: nod.ActorDevice, ID: fmt.Sprint(i)}
			o, err := g.BeginRegistration(t.Context(), by, home, "x", passkey.Permission{})
			begun.Done()
			if err != nil {
				errs[i] = err
				return
			}
			begun.Wait() // all of them began when there was none
			k := fakekey.ES256()
			client, attestation := k.Register(ceremony(home, o.Challenge))
			_, errs[i] = g.FinishRegistration(t.Context(), by, home, passkey.Registration{Credential: k.ID, ClientData: client, Attestation: attestation})
		})
	}
	all.Wait()
	refused := 0
	for _, err := range errs {
		if err != nil {
			g.want(err, passkey.ProofRequired)
			refused++
		}
	}
	if refused != many-1 {
		t.Errorf("%d of %d were refused", refused, many)
	}
}

func TestUnsupportedKeys(t *testing.T) {
	ec, ed, rsa := fakekey.ES256(), fakekey.EdDSA(), fakekey.RS256(2048)
	edited := func(k *fakekey.Key, from, to string) []byte {
		t.Helper()
		if !bytes.Contains(k.COSE, unhex(from)) {
			t.Fatalf("no %s in %x", from, k.COSE)
		}
		return bytes.Replace(k.COSE, unhex(from), unhex(to), 1)
	}
	cut := func(b []byte) []byte { return slices.Clip(b[:len(b)-1]) }
	for name, cose := range map[string][]byte{
		"ES384":                  fakekey.ES384().COSE,
		"a short RSA key":        fakekey.RS256(1024).COSE,
		"RS512":                  edited(rsa, "03390100", "03390102"),
		"PS256":                  edited(rsa, "03390100", "033824"),
		"RSA called ES256":       edited(rsa, "03390100", "0326"),
		"RSA, even exponent":     edited(rsa, "2143010001", "2143010000"),
		"RSA, exponent 1":        edited(rsa, "2143010001", "214101"),
		"RSA, huge exponent":     edited(rsa, "2143010001", "21450100000001"),
		"Ed25519, algorithm -19": edited(ed, "0327", "0332"),
		"EdDSA on Ed448":         edited(ed, "2006", "2007"),
		"a short EdDSA key":      cut(edited(ed, "215820", "21581f")),
		"ES256 without a curve":  edited(ec, "a5010203262001", "a401020326"),
		"ES256 on another curve": edited(ec, "2001", "2002"),
		"ES256K":                 edited(ec, "03262001", "03382e2008"),
		"a point off the curve":  append(cut(ec.COSE), ec.COSE[len(ec.COSE)-1]^1),
		"a huge RSA key":         slices.Concat(unhex("a4 0103 03390100 20 590401"), bytes.Repeat([]byte{0xff}, 1025), unhex("21 43010001")),
		"no type":                unhex("a10326"),
		"no map":                 unhex("00"),
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t)
			_, err := g.register(phone, &fakekey.Key{ID: []byte(name), COSE: cose}, home, passkey.Permission{}, nil)
			g.want(err, passkey.UnsupportedKey)
		})
	}
}

func TestInvalidCredentials(t *testing.T) {
	g := newRig(t)
	// The browser names another credential than the authenticator made.
	k := fakekey.ES256()
	o, err := g.BeginRegistration(t.Context(), phone, home, "x", passkey.Permission{})
	g.must(err)
	client, attestation := k.Register(ceremony(home, o.Challenge))
	_, err = g.FinishRegistration(t.Context(), phone, home, passkey.Registration{Credential: bytes.Clone(k.ID[1:]), ClientData: client, Attestation: attestation})
	g.want(err, passkey.Invalid)
	// The attestation names no format.
	o, err = g.BeginRegistration(t.Context(), phone, home, "x", passkey.Permission{})
	g.must(err)
	client, attestation = k.Register(ceremony(home, o.Challenge))
	attestation = bytes.Replace(attestation, []byte("fmt"), []byte("fmx"), 1)
	_, err = g.FinishRegistration(t.Context(), phone, home, passkey.Registration{Credential: k.ID, ClientData: client, Attestation: attestation})
	g.want(err, passkey.Invalid)
	for _, size := range []int{0, 1024} {
		k.ID = make([]byte, size)
		_, err = g.register(phone, k, home, passkey.Permission{}, nil)
		g.want(err, passkey.Invalid)
	}
	k.ID = make([]byte, 1023)
	g.first(k)
}

func TestAPasskeyNeedsASecurePageWithAName(t *testing.T) {
	g := newRig(t)
	for origin, why := range map[string]passkey.Reason{
		"":                         passkey.NoBrowser,
		"null":                     passkey.NoBrowser,
		"http://desk.local:8742":   passkey.Insecure,
		"ftp://localhost":          passkey.Insecure,
		"https://192.168.1.5:8742": passkey.NoHostname,
		"http://127.0.0.1:8742":    passkey.NoHostname,
		"https://[fe80::1]:8742":   passkey.NoHostname,
	} {
		_, err := passkey.SiteOf(origin)
		g.want(err, why)
	}
	for origin, name := range map[string]string{"https://Desk.local:8742": "desk.local", "http://localhost:8742": "localhost", "https://nod.example.org": "nod.example.org"} {
		if s, err := passkey.SiteOf(origin); err != nil || s.Name != name || s.Origin != origin {
			t.Errorf("%s: %+v, %v", origin, s, err)
		}
	}
}

// unhex reads hex with spaces.
func unhex(text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// FuzzRegistration checks that any bytes are refused or become a usable passkey.
func FuzzRegistration(f *testing.F) {
	for _, k := range []*fakekey.Key{fakekey.ES256(), fakekey.EdDSA(), fakekey.RS256(2048), {ID: []byte("c"), COSE: unhex("a10102")}} {
		_, attestation := k.Register(ceremony(home, nil))
		f.Add(k.ID, attestation)
	}
	f.Fuzz(func(t *testing.T, credential, attestation []byte) {
		g := newRig(t)
		o, err := g.BeginRegistration(t.Context(), phone, home, "x", passkey.Permission{})
		g.must(err)
		client, _ := fakekey.ES256().Register(ceremony(home, o.Challenge))
		before := bytes.Clone(attestation)
		made, err := g.FinishRegistration(t.Context(), phone, home, passkey.Registration{Credential: credential, ClientData: client, Attestation: attestation})
		if !bytes.Equal(before, attestation) {
			t.Error("what was read has changed")
		}
		if err == nil && (len(made.Credential) == 0 || !bytes.Equal(made.Credential, credential) || len(made.Public) == 0) {
			t.Errorf("an unusable passkey: %+v", made)
		}
	})
}
