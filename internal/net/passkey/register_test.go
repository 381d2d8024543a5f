package passkey_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/net/passkey"
)

func TestMorePasskeysTakeOneThatIsThere(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	second := fakekey.EdDSA()
	_, err := g.register(phone, second, home, passkey.Leave{}, nil)
	g.want(err, passkey.Unproven)
	_, err = g.register(tablet, second, home, passkey.Leave{Ticket: g.ticket(phone, k)}, nil)
	g.want(err, passkey.Unproven) // the phone's confirmation is not the tablet's
	ofRequest, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
	_, err = g.register(phone, second, home, passkey.Leave{Ticket: ofRequest}, nil)
	g.want(err, passkey.Unproven)
	_, err = g.register(phone, second, home, passkey.Leave{Ticket: g.ticket(phone, k)}, nil)
	g.must(err)
	_, err = g.register(phone, second, home, passkey.Leave{Ticket: g.ticket(phone, second)}, nil)
	g.want(err, passkey.Known)
	if list, _ := g.List(t.Context()); len(list) != 2 {
		t.Errorf("%d passkeys", len(list))
	}
}

func TestAnInvitationReachesAnotherNameOfTheHub(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	_, err := g.BeginProof(t.Context(), tablet, local, passkey.ForPasskeys)
	g.want(err, passkey.None) // the first one does not work there
	_, err = g.Invite(t.Context(), tablet, "")
	g.want(err, passkey.Unproven)
	byTicket, err := g.Invite(t.Context(), phone, g.ticket(phone, k))
	g.must(err)
	other := fakekey.ES256()
	_, err = g.register(tablet, other, local, passkey.Leave{Invitation: byTicket.Code}, nil)
	g.must(err)
	_, err = g.register(tablet, fakekey.ES256(), local, passkey.Leave{Invitation: byTicket.Code}, nil)
	g.want(err, passkey.Unproven) // once
	byAnna, err := g.Invite(t.Context(), anna, "")
	g.must(err)
	g.now = byAnna.Expires
	_, err = g.register(tablet, fakekey.ES256(), local, passkey.Leave{Invitation: byAnna.Code}, nil)
	g.want(err, passkey.Unproven) // too late
	// Each passkey counts where it is at home.
	_, err = g.prove(tablet, other, local, r1, nil)
	g.must(err)
	_, err = g.prove(tablet, other, home, r1, nil)
	g.want(err, passkey.Strange)
}

func TestToDeleteTakesAPasskeyOrTheHubsMachine(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	list, _ := g.List(t.Context())
	id := list[0].ID
	g.want(g.Delete(t.Context(), phone, id, ""), passkey.Unproven)
	g.want(g.Delete(t.Context(), tablet, id, g.ticket(phone, k)), passkey.Unproven)
	g.must(g.Delete(t.Context(), phone, id, g.ticket(phone, k)))
	if err := g.Delete(t.Context(), anna, id, ""); nod.CodeOf(err) != nod.NotFound {
		t.Error(err)
	}
	_, err := g.prove(phone, k, home, r1, nil)
	g.want(err, passkey.None)
	g.first(k) // as if it had never been there
	g.must(g.Delete(t.Context(), anna, id, ""))
}

func TestOfTwoFirstPasskeysOneIsTheSecond(t *testing.T) {
	g := newRig(t)
	const many = 8
	errs := make([]error, many)
	var begun, all sync.WaitGroup
	begun.Add(many)
	for i := range many {
		all.Go(func() {
			by := nod.Actor{Kind: nod.ActorDevice, ID: fmt.Sprint(i)}
			o, err := g.BeginRegistration(t.Context(), by, home, "x", passkey.Leave{})
			begun.Done()
			if err != nil {
				errs[i] = err
				return
			}
			begun.Wait() // all of them began when there was none
			k := fakekey.ES256()
			client, attestation := k.Register(scene(home, o.Challenge))
			_, errs[i] = g.FinishRegistration(t.Context(), by, home, passkey.Registration{Credential: k.ID, ClientData: client, Attestation: attestation})
		})
	}
	all.Wait()
	refused := 0
	for _, err := range errs {
		if err != nil {
			g.want(err, passkey.Unproven)
			refused++
		}
	}
	if refused != many-1 {
		t.Errorf("%d of %d were refused", refused, many)
	}
}

func TestKeysThatNodCannotUse(t *testing.T) {
	g := newRig(t)
	for _, k := range []*fakekey.Key{fakekey.ES384(), fakekey.RS256(1024)} {
		_, err := g.register(phone, k, home, passkey.Leave{}, nil)
		g.want(err, passkey.Unsuited)
	}
	// The browser names another credential than the authenticator made.
	k := fakekey.ES256()
	o, err := g.BeginRegistration(t.Context(), phone, home, "x", passkey.Leave{})
	g.must(err)
	client, attestation := k.Register(scene(home, o.Challenge))
	_, err = g.FinishRegistration(t.Context(), phone, home, passkey.Registration{Credential: bytes.Clone(k.ID[1:]), ClientData: client, Attestation: attestation})
	g.want(err, passkey.Wrong)
}

func TestAPasskeyNeedsASecurePageWithAName(t *testing.T) {
	g := newRig(t)
	for origin, why := range map[string]passkey.Why{
		"":                         passkey.NoBrowser,
		"null":                     passkey.NoBrowser,
		"http://desk.local:8742":   passkey.Plain,
		"ftp://localhost":          passkey.Plain,
		"https://192.168.1.5:8742": passkey.Nameless,
		"http://127.0.0.1:8742":    passkey.Nameless,
		"https://[fe80::1]:8742":   passkey.Nameless,
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
