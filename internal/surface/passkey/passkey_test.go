package passkey

import (
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakekey"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
	"nod/internal/net/passkey"
	"nod/internal/present/words"
)

var allow, deny = nod.Answer{Verdict: nod.VerdictAllow}, nod.Answer{Verdict: nod.VerdictDeny}

const (
	decision1 = "/v1/requests/r1/decision"
	decision2 = "/v1/requests/r2/decision"
	proof1    = "/v1/requests/r1/proof"
)

func TestAPasskeyAllowsWhatIsDestructive(t *testing.T) {
	g := newRig(t)
	owner, phone := g.pair(everything), g.pair(answering)
	phone.expect(403, nod.ProofNeeded, "POST", decision1, allow)
	phone.expect(422, nod.Unprocessable, "POST", proof1+"/begin", nil) // there is none yet
	k := fakekey.ES256()
	if w := owner.register(k); w.Code != 201 || !strings.Contains(w.Body.String(), `"site":"desk.local"`) || strings.Contains(w.Body.String(), "ublic") {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	ticket := phone.confirm(proof1, k)
	w := phone.expect(200, "", "POST", decision1, allow, httpd.ProofHeader, ticket)
	if d := read[nod.Decision](t, w); d.Verdict != nod.VerdictAllow || d.By != "phone" {
		t.Errorf("%+v", d)
	}
}

func TestATicketIsBoundToItsDeviceAndRequest(t *testing.T) {
	g := newRig(t)
	owner, phone := g.pair(everything), g.pair(answering)
	k := fakekey.ES256()
	owner.register(k)
	ticket := phone.confirm(proof1, k)
	phone.expect(403, nod.ProofNeeded, "POST", decision2, allow, httpd.ProofHeader, ticket)
	phone.expect(403, nod.ProofNeeded, "POST", decision1, allow, httpd.ProofHeader, ticket) // one attempt uses it up
	ticket = phone.confirm(proof1, k)
	owner.expect(403, nod.ProofNeeded, "POST", decision1, allow, httpd.ProofHeader, ticket)
	ticket = phone.confirm(proof1, k)
	g.now = g.now.Add(time.Minute)
	phone.expect(403, nod.ProofNeeded, "POST", decision1, allow, httpd.ProofHeader, ticket)
	phone.expect(403, nod.ProofNeeded, "POST", decision1, allow, httpd.ProofHeader, "nonsense")
	phone.expect(200, "", "POST", decision1, deny, httpd.ProofHeader, "nonsense") // a denial needs no ticket
}

func TestOnlyAdministratorsChangePasskeys(t *testing.T) {
	g := newRig(t)
	owner, phone, hook, unpaired := g.pair(everything), g.pair(answering), g.pair(nod.RightsOf(nod.Raise)), &browser{g: g}
	for _, path := range []string{"/v1/passkeys/register/begin", "/v1/passkeys/register/finish", "/v1/passkeys/proof/begin", "/v1/passkeys/proof", "/v1/passkeys/invitations"} {
		phone.expect(403, nod.Forbidden, "POST", path, empty{})
		hook.expect(403, nod.Forbidden, "POST", path, empty{})
		unpaired.expect(401, nod.Unauthorized, "POST", path, empty{})
	}
	phone.expect(403, nod.Forbidden, "GET", "/v1/passkeys", nil)
	phone.expect(403, nod.Forbidden, "DELETE", "/v1/passkeys/x", nil)
	hook.expect(403, nod.Forbidden, "POST", proof1+"/begin", nil)
	if list := read[KeyList](t, owner.expect(200, "", "GET", "/v1/passkeys", nil)); list.Passkeys == nil || len(list.Passkeys) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestTheSecondPasskeyAndDeletion(t *testing.T) {
	g := newRig(t)
	owner := g.pair(everything)
	first, second := fakekey.ES256(), fakekey.EdDSA()
	owner.register(first)
	g.now = g.now.Add(time.Second)
	if w := owner.register(second); w.Code != 403 || !strings.Contains(w.Body.String(), string(nod.ProofNeeded)) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := owner.register(second, httpd.ProofHeader, owner.confirm("/v1/passkeys/proof", first)); w.Code != 201 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	list := read[KeyList](t, owner.send("GET", "/v1/passkeys", nil)).Passkeys
	if len(list) != 2 || list[0].Name != "my phone" || list[0].Used == nil || list[1].Used != nil {
		t.Fatalf("%+v", list)
	}
	if r := read[Rule](t, owner.send("GET", "/v1/proof", nil)); r.Here != 2 || r.All != 2 || len(r.Required) != 1 {
		t.Errorf("%+v", r)
	}
	path := "/v1/passkeys/" + list[0].ID
	owner.expect(403, nod.ProofNeeded, "DELETE", path, nil)
	owner.expect(204, "", "DELETE", path, nil, httpd.ProofHeader, owner.confirm("/v1/passkeys/proof", second))
	owner.expect(404, nod.NotFound, "DELETE", path, nil, httpd.ProofHeader, owner.confirm("/v1/passkeys/proof", second))
}

func TestAnInvitationNeedsAProof(t *testing.T) {
	g := newRig(t)
	owner := g.pair(everything)
	k := fakekey.ES256()
	owner.register(k)
	owner.expect(403, nod.ProofNeeded, "POST", "/v1/passkeys/invitations", nil)
	w := owner.expect(201, "", "POST", "/v1/passkeys/invitations", nil, httpd.ProofHeader, owner.confirm("/v1/passkeys/proof", k))
	code := read[passkey.Invitation](t, w).Code
	other := g.pair(everything)
	other.expect(200, "", "POST", "/v1/passkeys/register/begin", NewKey{Name: "tablet", Invitation: code})
	other.expect(403, nod.ProofNeeded, "POST", "/v1/passkeys/register/begin", NewKey{Name: "tablet", Invitation: code})
}

func TestWherePasskeysDoNotWork(t *testing.T) {
	g := newRig(t)
	owner := g.pair(everything)
	for name, c := range map[string]struct {
		host, origin string
		words        words.Message
	}{
		"an address": {"192.168.1.5:8742", "https://192.168.1.5:8742", words.PasskeyNameless},
		"plain HTTP": {host, "http://" + host, words.PasskeyPlain},
		"not a page": {host, "", words.PasskeyNoBrowser},
	} {
		owner.header.Set("Origin", c.origin)
		if c.origin == "" {
			owner.header.Del("Origin")
		}
		for lang, want := range map[string]string{"": c.words.EN, "pl-PL,pl;q=0.9": c.words.PL, "ja": c.words.JA, "fr": c.words.EN} {
			r := owner.sendTo(c.host, "/v1/passkeys/register/begin", NewKey{Name: "x"}, "Accept-Language", lang)
			if f := read[v1.Failure](t, r); r.Code != 422 || f.Error.Message != want {
				t.Errorf("%s in %q: %d %s", name, lang, r.Code, r.Body)
			}
		}
	}
	owner.header.Set("Origin", "https://evil.example")
	owner.expect(403, nod.Forbidden, "POST", "/v1/passkeys/register/begin", NewKey{Name: "x"})
}

func TestRequestsThatCannotBeConfirmed(t *testing.T) {
	g := newRig(t)
	owner := g.pair(everything)
	k := fakekey.ES256()
	owner.register(k)
	owner.expect(404, nod.NotFound, "POST", "/v1/requests/r/proof/begin", nil) // a prefix of an id is not enough
	owner.expect(200, "", "POST", decision2, deny)
	owner.expect(404, nod.NotFound, "POST", "/v1/requests/r2/proof/begin", nil)
	owner.expect(400, nod.Invalid, "POST", "/v1/passkeys/register/begin", NewKey{Name: "two\nlines"})
	owner.expect(400, nod.Invalid, "POST", "/v1/passkeys/register/begin", NewKey{Name: strings.Repeat("x", 65)})
	owner.expect(400, nod.Invalid, "POST", proof1, map[string]any{"credential": "not base64!"})
	owner.expect(400, nod.Invalid, "POST", proof1, map[string]any{"rawId": "x"})
	owner.expect(403, nod.Forbidden, "POST", proof1, map[string]any{"client_data": b64([]byte("{"))})
	owner.expect(410, nod.Gone, "POST", proof1, map[string]any{"client_data": b64([]byte("{}"))})
}

func TestEveryReasonHasWords(t *testing.T) {
	seen := map[words.Message]bool{}
	for reason := passkey.Invalid; reason <= passkey.NoBrowser; reason++ {
		e := explanations[reason]
		if seen[e.message] || e.code == "" || e.code == nod.Internal {
			t.Errorf("reason %d: %s %q", reason, e.code, e.message.EN)
		}
		seen[e.message] = true
	}
}
