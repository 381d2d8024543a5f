package passkey

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"nod"
)

// Challenge is what a browser needs to ask for a passkey, in the form that
// PublicKeyCredential.parseRequestOptionsFromJSON reads.
type Challenge = protocol.PublicKeyCredentialRequestOptions

// BeginProof asks a person to confirm a subject with a passkey of this site.
func (c *Ceremonies) BeginProof(ctx context.Context, by nod.Actor, site Site, subject Subject) (Challenge, error) {
	all, err := c.vault.Passkeys(ctx)
	if err != nil {
		return Challenge{}, err
	}
	here := at(site.Name, all)
	if len(here) == 0 {
		return Challenge{}, refuse(None, "%d passkeys, none for %s", len(all), site.Name)
	}
	challenge, err := c.begin(ctx, by, session{Kind: protocol.AssertCeremony, Site: site, Subject: Bytes(subject)})
	if err != nil {
		return Challenge{}, err
	}
	return Challenge{
		Challenge: challenge, RelyingPartyID: site.Name, AllowedCredentials: describe(here),
		UserVerification: protocol.VerificationRequired, Timeout: int(ceremonyLife.Milliseconds()),
	}, nil
}

// Assertion is what the browser brings back.
type Assertion struct {
	Credential        Bytes `json:"credential"`
	ClientData        Bytes `json:"client_data"`
	AuthenticatorData Bytes `json:"authenticator_data"`
	Signature         Bytes `json:"signature"`
}

// Ticket is what a confirmation is worth: once, soon, for the same actor and
// the same subject.
type Ticket struct {
	Proof   string    `json:"proof"`
	Expires time.Time `json:"expires_at"`
}

// FinishProof trades a signature for a ticket.
func (c *Ceremonies) FinishProof(ctx context.Context, by nod.Actor, site Site, subject Subject, a Assertion) (Ticket, error) {
	s, err := c.resume(ctx, by, protocol.AssertCeremony, site, a.ClientData)
	if err != nil {
		return Ticket{}, err
	}
	if string(s.Subject) != string(subject) {
		return Ticket{}, refuse(Stale, "the challenge was for %s, not for %s", s.Subject, subject)
	}
	if err := c.verify(ctx, site, a); err != nil {
		return Ticket{}, err
	}
	proof, expires, err := c.put(ctx, slipTicket, by, []byte(subject), ticketLife)
	return Ticket{proof.String(), expires}, err
}

// verify checks what the authenticator signed, and notes the use.
func (c *Ceremonies) verify(ctx context.Context, site Site, a Assertion) error {
	p, err := a.parse(site)
	if err != nil {
		return err
	}
	all, err := c.vault.Passkeys(ctx)
	if err != nil {
		return err
	}
	here := at(site.Name, all)
	i := slices.IndexFunc(here, func(k Key) bool { return bytes.Equal(k.Credential, a.Credential) })
	if i < 0 {
		return refuse(Strange, "no passkey of %s", site.Name)
	}
	k := here[i]
	if err := usable(k.Public); err != nil {
		return nod.Errorf(nod.Internal, "the passkey %q is damaged: delete it and add it anew", k.Name).Because(err)
	}
	if err := signedBy(k, p, site); err != nil {
		return err
	}
	err = c.vault.UsePasskey(ctx, k.ID, p.Response.AuthenticatorData.Counter, c.now())
	if err != nil && nod.CodeOf(err) == nod.Conflict {
		return refuse(Copied, "%s", err)
	}
	return err
}
