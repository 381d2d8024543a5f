package passkey_test

import (
	"errors"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/hub/store/mem"
	"nod/internal/net/passkey"
)

var (
	phone  = nod.Actor{Kind: nod.ActorDevice, Name: "phone", ID: "t1"}
	tablet = nod.Actor{Kind: nod.ActorDevice, Name: "tablet", ID: "t2"}
	anna   = nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", ID: "pid 7"}
	home   = passkey.Site{Name: "desk.local", Origin: "https://desk.local:8742"}
	local  = passkey.Site{Name: "localhost", Origin: "http://localhost:8742"}
	r1     = passkey.ForRequest("r1")
)

// rig is ceremonies with a clock that only the test moves.
type rig struct {
	*testing.T
	*passkey.Ceremonies
	now time.Time
}

func newRig(t *testing.T) *rig {
	g := &rig{T: t, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	g.Ceremonies = passkey.New(mem.New(), func() time.Time { return g.now })
	return g
}

// want fails unless a ceremony was refused for this reason.
func (g *rig) want(err error, reason passkey.Reason) {
	g.Helper()
	var r *passkey.Refusal
	if !errors.As(err, &r) || r.Reason != reason {
		g.Errorf("refused with %v (%+v), want reason %d", err, r, reason)
	}
}

func (g *rig) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// ceremony is a truthful ceremony, for a test to falsify.
func ceremony(site passkey.Site, challenge passkey.Bytes) fakekey.Ceremony {
	return fakekey.Ceremony{Origin: site.Origin, Site: site.Name, Challenge: challenge.String()}
}

// register runs the whole ceremony; falsify may change it.
func (g *rig) register(by nod.Actor, k *fakekey.Key, site passkey.Site, permission passkey.Permission, falsify func(*fakekey.Ceremony)) (passkey.Key, error) {
	g.Helper()
	o, err := g.BeginRegistration(g.Context(), by, site, "my key", permission)
	if err != nil {
		return passkey.Key{}, err
	}
	s := ceremony(site, o.Challenge)
	if falsify != nil {
		falsify(&s)
	}
	client, attestation := k.Register(s)
	return g.FinishRegistration(g.Context(), by, site, passkey.Registration{Credential: k.ID, ClientData: client, Attestation: attestation})
}

// first registers the first passkey.
func (g *rig) first(k *fakekey.Key) *fakekey.Key {
	g.Helper()
	_, err := g.register(phone, k, home, passkey.Permission{}, nil)
	g.must(err)
	return k
}

func (g *rig) prove(by nod.Actor, k *fakekey.Key, site passkey.Site, subject passkey.Subject, falsify func(*fakekey.Ceremony)) (string, error) {
	g.Helper()
	o, err := g.BeginProof(g.Context(), by, site, subject)
	if err != nil {
		return "", err
	}
	s := ceremony(site, o.Challenge)
	if falsify != nil {
		falsify(&s)
	}
	return g.finish(by, k, site, subject, s)
}

func (g *rig) finish(by nod.Actor, k *fakekey.Key, site passkey.Site, subject passkey.Subject, s fakekey.Ceremony) (string, error) {
	client, data, signature := k.Sign(s)
	t, err := g.FinishProof(g.Context(), by, site, subject, passkey.Assertion{Credential: k.ID, ClientData: client, AuthenticatorData: data, Signature: signature})
	return t.Proof, err
}

// Redeem hides the error: a store in memory has none.
func (g *rig) Redeem(by nod.Actor, ticket string, subject passkey.Subject) bool {
	counts, err := g.Ceremonies.Redeem(g.Context(), by, ticket, subject)
	return counts && err == nil
}
