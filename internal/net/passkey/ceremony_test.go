package passkey_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakekey"
	"nod/internal/net/passkey"
)

func TestConfirmationYieldsATicket(t *testing.T) {
	for name, k := range map[string]*fakekey.Key{"ES256": fakekey.ES256(), "EdDSA": fakekey.EdDSA(), "RS256": fakekey.RS256(2048)} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t)
			g.first(k)
			for range 3 {
				ticket, err := g.prove(phone, k, home, r1, nil)
				g.must(err)
				if !g.Redeem(phone, ticket, r1) {
					t.Error("the ticket does not count")
				}
				if g.Redeem(phone, ticket, r1) {
					t.Error("the ticket counts twice")
				}
			}
			list, err := g.List(t.Context())
			g.must(err)
			if len(list) != 1 || list[0].Name != "my key" || list[0].Site != "desk.local" || list[0].Used == nil || list[0].Count != 3 {
				t.Errorf("%+v", list)
			}
		})
	}
}

func TestATicketIsForOneActorAndOneSubjectAndAMinute(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	for name, redeem := range map[string]func(ticket string) bool{
		"another device":   func(s string) bool { return g.Redeem(tablet, s, r1) },
		"another request":  func(s string) bool { return g.Redeem(phone, s, passkey.ForRequest("r2")) },
		"the passkeys":     func(s string) bool { return g.Redeem(phone, s, passkey.ForPasskeys) },
		"too late":         func(s string) bool { g.now = g.now.Add(time.Minute); return g.Redeem(phone, s, r1) },
		"a changed ticket": func(s string) bool { return g.Redeem(phone, s[1:], r1) },
	} {
		ticket, err := g.prove(phone, k, home, r1, nil)
		g.must(err)
		if redeem(ticket) {
			t.Errorf("%s: it counts", name)
		}
		if name != "a changed ticket" && g.Redeem(phone, ticket, r1) {
			t.Errorf("%s: a ticket that was shown in the wrong place still counts", name)
		}
	}
	ticket, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
	g.now = g.now.Add(time.Minute - time.Nanosecond)
	if !g.Redeem(phone, ticket, r1) {
		t.Error("a ticket does not last a minute")
	}
	if g.Redeem(phone, "", r1) {
		t.Error("no ticket counts")
	}
	// An agent chooses the id of its request.
	if passkey.ForRequest("passkeys") == passkey.ForPasskeys {
		t.Error("a request can have the subject of the passkeys")
	}
}

func TestFalsifiedCeremoniesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		reason  passkey.Reason
		falsify func(*fakekey.Ceremony)
	}{
		"another origin":      {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Origin = "https://desk.local.evil.example" }},
		"another port":        {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Origin = "https://desk.local:8743" }},
		"another spelling":    {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Origin = "https://Desk.local:8742" }},
		"a page, no origin":   {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Origin = "https://desk.local:8742/page" }},
		"a user's origin":     {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Origin = "https://evil@desk.local:8742" }},
		"in a frame":          {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.CrossOrigin = true }},
		"under another page":  {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.ClientData = map[string]any{"topOrigin": home.Origin} }},
		"another hub":         {passkey.WrongOrigin, func(s *fakekey.Ceremony) { s.Site = "evil.example" }},
		"another challenge":   {passkey.Expired, func(s *fakekey.Ceremony) { s.Challenge = "AAAA" }},
		"another ceremony":    {passkey.Invalid, func(s *fakekey.Ceremony) { s.Type = "payment.get" }},
		"nobody was there":    {passkey.Unverified, func(s *fakekey.Ceremony) { s.Flags = fakekey.Verified }},
		"nobody was verified": {passkey.Unverified, func(s *fakekey.Ceremony) { s.Flags = fakekey.Present }},
		"impossible flags":    {passkey.Invalid, func(s *fakekey.Ceremony) { s.Flags = fakekey.Present | fakekey.Verified | fakekey.BackedUp }},
		"something left over": {passkey.Invalid, func(s *fakekey.Ceremony) { s.Trailing = []byte{0} }},
		"extensions, no map": {passkey.Invalid, func(s *fakekey.Ceremony) {
			s.Flags, s.Trailing = fakekey.Present|fakekey.Verified|fakekey.Extensions, []byte{0}
		}},
		"extensions left open":  {passkey.Invalid, extension("")},
		"a name twice":          {passkey.Invalid, extension("a2 6178 00 6178 00")},
		"a name that is a list": {passkey.Invalid, extension("a1 6178 a1 80 00")},
		"a cut number":          {passkey.Invalid, extension("a1 6178 1901")},
		"a cut text":            {passkey.Invalid, extension("a1 6178 6361")},
		"a cut list":            {passkey.Invalid, extension("a1 6178 8201")},
		"a huge length":         {passkey.Invalid, extension("a1 6178 5bffffffffffffffff")},
		"an endless text":       {passkey.Invalid, extension("a1 6178 7f6161ff")},
		"an endless map":        {passkey.Invalid, extension("bfff")},
		"a tag":                 {passkey.Invalid, extension("a1 6178 c000")},
		"too deep":              {passkey.Invalid, extension("a1 6178 818181818100")},
		"too wide":              {passkey.Invalid, extension("a1 6178 9841")},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t)
			k := fakekey.ES256()
			_, err := g.register(phone, k, home, passkey.Permission{}, func(s *fakekey.Ceremony) {
				c.falsify(s)
				if s.Type != "" {
					s.Type = "webauthn.get"
				}
			})
			g.want(err, c.reason)
			if list, _ := g.List(t.Context()); len(list) != 0 {
				t.Errorf("registered all the same: %+v", list)
			}
			g.first(k)
			_, err = g.prove(phone, k, home, r1, c.falsify)
			g.want(err, c.reason)
			if list, _ := g.List(t.Context()); list[0].Used != nil {
				t.Error("a falsified ceremony counts as a use")
			}
		})
	}
}

// extension puts CBOR, in hex, where the outputs of extensions belong.
func extension(text string) func(*fakekey.Ceremony) {
	return func(s *fakekey.Ceremony) {
		s.Flags, s.Trailing = fakekey.Present|fakekey.Verified|fakekey.Extensions, unhex(text)
	}
}

func TestExtensionsAndBackupsAreFine(t *testing.T) {
	g := newRig(t)
	falsify := func(s *fakekey.Ceremony) {
		s.Flags = fakekey.Present | fakekey.Verified | fakekey.BackupEligible | fakekey.BackedUp | fakekey.Extensions
		s.Trailing, s.Format = []byte{0xa1, 0x61, 'x', 0xf5}, "packed"
	}
	k := fakekey.ES256()
	_, err := g.register(phone, k, home, passkey.Permission{}, falsify)
	g.must(err)
	_, err = g.prove(phone, k, home, r1, falsify)
	g.must(err)
}

func TestAChallengeIsForOneActorAndOnce(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	begin := func() fakekey.Ceremony {
		o, err := g.BeginProof(t.Context(), phone, home, r1)
		g.must(err)
		return ceremony(home, o.Challenge)
	}
	_, err := g.finish(tablet, k, home, r1, begin())
	g.want(err, passkey.Expired)
	_, err = g.finish(phone, k, home, passkey.ForRequest("r2"), begin())
	g.want(err, passkey.Expired)
	s := begin()
	_, err = g.finish(phone, k, home, r1, s)
	g.must(err)
	_, err = g.finish(phone, k, home, r1, s)
	g.want(err, passkey.Expired)
	s = begin()
	g.now = g.now.Add(2 * time.Minute)
	_, err = g.finish(phone, k, home, r1, s)
	g.want(err, passkey.Expired)
	// Begun on one page of the hub, finished on another.
	s = begin()
	s.Origin, s.Site = local.Origin, local.Name
	_, err = g.finish(phone, k, local, r1, s)
	g.want(err, passkey.WrongOrigin)
	// A challenge for a registration does not confirm anything.
	o, err := g.BeginRegistration(t.Context(), phone, home, "x", passkey.Permission{Ticket: g.ticket(phone, k)})
	g.must(err)
	_, err = g.finish(phone, k, home, r1, ceremony(home, o.Challenge))
	g.want(err, passkey.Expired)
	// And the other way round.
	another := fakekey.ES256()
	client, attestation := another.Register(begin())
	_, err = g.FinishRegistration(t.Context(), phone, home, passkey.Registration{Credential: another.ID, ClientData: client, Attestation: attestation})
	g.want(err, passkey.Expired)
}

func TestOptionsForTheBrowser(t *testing.T) {
	g := newRig(t)
	k := fakekey.ES256()
	o, err := g.BeginRegistration(t.Context(), phone, home, "first", passkey.Permission{})
	g.must(err)
	client, attestation := k.Register(ceremony(home, o.Challenge))
	_, err = g.FinishRegistration(t.Context(), phone, home, passkey.Registration{
		Credential: k.ID, ClientData: client, Attestation: attestation, Transports: []string{"usb", "odd", "internal", "usb"},
	})
	g.must(err)
	invited, err := g.Invite(t.Context(), anna, "")
	g.must(err)
	_, err = g.register(phone, fakekey.ES256(), local, passkey.Permission{Invitation: invited.Code}, nil)
	g.must(err)

	o, err = g.BeginRegistration(t.Context(), phone, home, "tablet", passkey.Permission{Ticket: g.ticket(phone, k)})
	g.must(err)
	user := o.User.ID.(passkey.Bytes)
	if len(user) != 16 || len(o.Challenge) != 32 {
		t.Errorf("user %x, challenge %x", user, o.Challenge)
	}
	sameJSON(t, o, fmt.Sprintf(`{
		"rp": {"id": "desk.local", "name": "nod"}, "user": {"id": %q, "name": "tablet", "displayName": "tablet"}, "challenge": %q,
		"pubKeyCredParams": [{"type": "public-key", "alg": -7}, {"type": "public-key", "alg": -8}, {"type": "public-key", "alg": -257}],
		"timeout": 120000, "excludeCredentials": [{"type": "public-key", "id": %q, "transports": ["internal", "usb"]}],
		"authenticatorSelection": {"residentKey": "preferred", "userVerification": "required"}, "attestation": "none"}`,
		user, o.Challenge, passkey.Bytes(k.ID)))
	c, err := g.BeginProof(t.Context(), phone, home, r1)
	g.must(err)
	sameJSON(t, c, fmt.Sprintf(`{
		"challenge": %q, "rpId": "desk.local", "allowCredentials": [{"type": "public-key", "id": %q, "transports": ["internal", "usb"]}],
		"userVerification": "required", "timeout": 120000}`, c.Challenge, passkey.Bytes(k.ID)))
}

// sameJSON compares the JSON of v with want.
func sameJSON(t *testing.T, v any, want string) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(text, &a), json.Unmarshal([]byte(want), &b)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the browser gets %s\nwant %s", text, want)
	}
}

// ticket permits a change of the passkeys.
func (g *rig) ticket(by nod.Actor, k *fakekey.Key) string {
	g.Helper()
	ticket, err := g.prove(by, k, home, passkey.ForPasskeys, nil)
	g.must(err)
	return ticket
}

func TestOnlyTheKeyItselfSigns(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	stranger := fakekey.ES256()
	_, err := g.prove(phone, stranger, home, r1, nil)
	g.want(err, passkey.UnknownKey)
	stranger.ID = k.ID
	_, err = g.prove(phone, stranger, home, r1, nil)
	g.want(err, passkey.Invalid)

	o, err := g.BeginProof(t.Context(), phone, home, r1)
	g.must(err)
	client, data, signature := k.Sign(ceremony(home, o.Challenge))
	data[36]++ // not the count that was signed
	_, err = g.FinishProof(t.Context(), phone, home, r1, passkey.Assertion{Credential: k.ID, ClientData: client, AuthenticatorData: data, Signature: signature})
	g.want(err, passkey.Invalid)
}

func TestCounterThatGoesBackIsRefused(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	k.Count = 10
	_, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
	for _, count := range []uint32{10, 3, 0} {
		k.Count = count
		_, err = g.prove(phone, k, home, r1, nil)
		g.want(err, passkey.Cloned)
	}
	k.Count = 11
	_, err = g.prove(phone, k, home, r1, nil)
	g.must(err)
}

func TestAuthenticatorWithoutACounter(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	k.Count = 0
	for range 2 {
		_, err := g.prove(phone, k, home, r1, nil)
		g.must(err)
	}
}

func TestConcurrentRedemptionsOfATicket(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	ticket, err := g.prove(phone, k, home, r1, nil)
	g.must(err)
	var won sync.Map
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if g.Redeem(phone, ticket, r1) {
				won.Store(i, true)
			}
		})
	}
	all.Wait()
	n := 0
	won.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("%d redeemed one ticket", n)
	}
}

func TestOpenCeremoniesAreLimited(t *testing.T) {
	g := newRig(t)
	k := g.first(fakekey.ES256())
	var ceremonies []fakekey.Ceremony
	for range 5 {
		o, err := g.BeginProof(t.Context(), phone, home, r1)
		g.must(err)
		ceremonies = append(ceremonies, ceremony(home, o.Challenge))
		g.now = g.now.Add(time.Second)
	}
	_, err := g.finish(phone, k, home, r1, ceremonies[0])
	g.want(err, passkey.Expired) // the oldest was dropped
	_, err = g.finish(phone, k, home, r1, ceremonies[1])
	g.must(err)

	full := false
	for i := range 300 {
		if _, err := g.BeginProof(t.Context(), nod.Actor{Kind: nod.ActorDevice, ID: fmt.Sprint(i)}, home, r1); err != nil {
			g.want(err, passkey.TooMany)
			full = true
			break
		}
	}
	if !full {
		t.Error("there is no limit")
	}
	g.now = g.now.Add(2 * time.Minute)
	_, err = g.BeginProof(t.Context(), tablet, home, r1)
	g.must(err)
}
