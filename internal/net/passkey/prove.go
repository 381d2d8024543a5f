package passkey

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"nod"
)

// RequestOptions tells a browser which passkeys to ask for, in the form that
// PublicKeyCredential.parseRequestOptionsFromJSON reads.
type RequestOptions = protocol.PublicKeyCredentialRequestOptions

// BeginProof starts the confirmation of a subject with a passkey of this site.
func (c *Ceremonies) BeginProof(ctx context.Context, by nod.Actor, site Site, subject Subject) (RequestOptions, error) {
	all, err := c.keys.Passkeys(ctx)
	if err != nil {
		return RequestOptions{}, err
	}
	keys := keysOf(site.Name, all)
	if len(keys) == 0 {
		return RequestOptions{}, refuse(NoKey, "%d passkeys, none for %s", len(all), site.Name)
	}
	challenge, err := c.begin(ctx, by, session{Kind: protocol.AssertCeremony, Site: site, Subject: Bytes(subject)})
	if err != nil {
		return RequestOptions{}, err
	}
	return RequestOptions{
		Challenge: challenge, RelyingPartyID: site.Name, AllowedCredentials: descriptors(keys),
		UserVerification: protocol.VerificationRequired, Timeout: int(challengeLifetime.Milliseconds()),
	}, nil
}

// Assertion is what the browser sends after the person has confirmed.
type Assertion struct {
	Credential        Bytes `json:"credential"`
	ClientData        Bytes `json:"client_data"`
	AuthenticatorData Bytes `json:"authenticator_data"`
	Signature         Bytes `json:"signature"`
}

// Ticket is the result of a confirmation. It is valid once, for a short time, for
// the same actor and the same subject.
type Ticket struct {
	Proof   string    `json:"proof"`
	Expires time.Time `json:"expires_at"`
}

// FinishProof verifies a signature and issues a ticket.
func (c *Ceremonies) FinishProof(ctx context.Context, by nod.Actor, site Site, subject Subject, a Assertion) (Ticket, error) {
	s, err := c.resume(ctx, by, protocol.AssertCeremony, site, a.ClientData)
	if err != nil {
		return Ticket{}, err
	}
	if string(s.Subject) != string(subject) {
		return Ticket{}, refuse(Expired, "the challenge was for %s, not for %s", s.Subject, subject)
	}
	if err := c.verify(ctx, site, a); err != nil {
		return Ticket{}, err
	}
	proof, expires, err := c.put(ctx, kindTicket, by, []byte(subject), ticketLifetime)
	return Ticket{proof.String(), expires}, err
}

// verify checks what the authenticator signed, and records the use of the key.
func (c *Ceremonies) verify(ctx context.Context, site Site, a Assertion) error {
	p, err := a.parse(site)
	if err != nil {
		return err
	}
	all, err := c.keys.Passkeys(ctx)
	if err != nil {
		return err
	}
	keys := keysOf(site.Name, all)
	i := slices.IndexFunc(keys, func(k Key) bool { return bytes.Equal(k.Credential, a.Credential) })
	if i < 0 {
		return refuse(UnknownKey, "no passkey of %s", site.Name)
	}
	k := keys[i]
	if err := checkKey(k.Public); err != nil {
		return nod.Errorf(nod.Internal, "the passkey %q is damaged: delete it and add it anew", k.Name).Because(err)
	}
	if err := verifyAssertion(k, p, site); err != nil {
		return err
	}
	err = c.keys.UsePasskey(ctx, k.ID, p.Response.AuthenticatorData.Counter, c.now())
	if err != nil && nod.CodeOf(err) == nod.Conflict {
		return refuse(Cloned, "%s", err)
	}
	return err
}
