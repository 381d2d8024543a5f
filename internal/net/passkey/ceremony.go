package passkey

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"nod"
)

// Lifetimes of one-time secrets.
const (
	challengeLifetime  = 2 * time.Minute // for the person to touch the authenticator
	ticketLifetime     = time.Minute     // for the page to send what was confirmed
	invitationLifetime = 5 * time.Minute // for the person to walk over to the other device
)

// Ceremonies registers passkeys, verifies confirmations with them, and deletes
// them. A confirmation yields a ticket that can be redeemed once.
type Ceremonies struct {
	keys   KeyStore
	tokens OneTimeTokenStore
	now    func() time.Time
}

// New makes ceremonies; now may be nil. A store that several hubs share also
// implements OneTimeTokenStore, and now is then the clock all of them use.
// Otherwise one-time tokens are in memory.
func New(keys KeyStore, now func() time.Time) *Ceremonies {
	if now == nil {
		now = time.Now
	}
	tokens, shared := keys.(OneTimeTokenStore)
	if !shared {
		tokens = &Memory{}
	}
	return &Ceremonies{keys: keys, tokens: tokens, now: now}
}

// Subject is what a confirmation is for.
type Subject string

// ForPasskeys is the subject of changing the passkeys themselves.
const ForPasskeys Subject = "passkeys"

// ForRequest is the subject of allowing one request.
func ForRequest(id nod.RequestID) Subject { return Subject("request " + id) }

// session is an open ceremony, stored as the body of a one-time token.
type session struct {
	Kind     protocol.CeremonyType `json:"kind"`
	Site     Site                  `json:"site"`
	Subject  Bytes                 `json:"subject,omitempty"`  // of a confirmation; as bytes, because JSON would change invalid UTF-8
	Name     string                `json:"name,omitempty"`     // of a new passkey
	Admitted bool                  `json:"admitted,omitempty"` // the new passkey need not be the first one
}

// holder tells actors apart: two devices, or two runs of a command.
func holder(by nod.Actor) string { return string(by.Kind) + " " + by.ID }

func (c *Ceremonies) begin(ctx context.Context, by nod.Actor, s session) (challenge Bytes, err error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	challenge, _, err = c.put(ctx, kindCeremony, by, body, challengeLifetime)
	return challenge, err
}

// resume takes the session that the client data answers; it cannot be taken twice.
func (c *Ceremonies) resume(ctx context.Context, by nod.Actor, kind protocol.CeremonyType, site Site, clientData []byte) (session, error) {
	var client protocol.CollectedClientData
	if err := json.Unmarshal(clientData, &client); err != nil {
		return session{}, refuse(Invalid, "client data: %s", err)
	}
	token, valid, err := c.take(ctx, kindCeremony, client.Challenge)
	if err != nil {
		return session{}, err
	}
	if !valid {
		return session{}, refuse(Expired, "no open ceremony with this challenge")
	}
	var s session
	if err := json.Unmarshal(token.Body, &s); err != nil {
		return session{}, refuse(Expired, "a session that cannot be read: %s", err)
	}
	switch {
	case token.Holder != holder(by) || s.Kind != kind:
		return session{}, refuse(Expired, "the challenge was for %s, %s", token.Holder, s.Kind)
	case s.Site != site:
		return session{}, refuse(WrongOrigin, "begun on %s, ended on %s", s.Site.Origin, site.Origin)
	}
	return s, nil
}

// Redeem uses up a ticket and reports whether it was this actor's, for this
// subject. An error means that the store cannot tell.
func (c *Ceremonies) Redeem(ctx context.Context, by nod.Actor, ticket string, subject Subject) (bool, error) {
	token, valid, err := c.take(ctx, kindTicket, ticket)
	return valid && token.Holder == holder(by) && string(token.Body) == string(subject), err
}

// Invitation permits one more passkey where no existing one works: on a device
// that opens the hub under another name.
type Invitation struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Invite makes an invitation. Without a ticket it takes a person at the hub's own
// machine.
func (c *Ceremonies) Invite(ctx context.Context, by nod.Actor, ticket string) (Invitation, error) {
	if err := c.mayChange(ctx, by, ticket); err != nil {
		return Invitation{}, err
	}
	code, expires, err := c.put(ctx, kindInvitation, by, nil, invitationLifetime)
	return Invitation{code.String(), expires}, err
}

// List returns all passkeys, oldest first.
func (c *Ceremonies) List(ctx context.Context) ([]Key, error) { return c.keys.Passkeys(ctx) }

// Delete deletes a passkey.
func (c *Ceremonies) Delete(ctx context.Context, by nod.Actor, id, ticket string) error {
	if err := c.mayChange(ctx, by, ticket); err != nil {
		return err
	}
	return c.keys.DeletePasskey(ctx, id)
}

// mayChange requires a ticket, because a device that could delete passkeys without
// one could replace them with its own. A person at the hub's machine needs none:
// they could edit nod.toml as well, and there must be a way to recover from a lost
// passkey.
func (c *Ceremonies) mayChange(ctx context.Context, by nod.Actor, ticket string) error {
	if by.Kind == nod.ActorPerson {
		return nil
	}
	shown, err := c.Redeem(ctx, by, ticket, ForPasskeys)
	if err == nil && !shown {
		err = refuse(ProofRequired, "%s showed no passkey", by.Name)
	}
	return err
}

// keysOf filters the passkeys that work on a site.
func keysOf(site string, all []Key) []Key {
	return slices.DeleteFunc(slices.Clone(all), func(k Key) bool { return k.Site != site })
}
