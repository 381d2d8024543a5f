package passkey

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"

	"nod"
)

// How long things count.
const (
	challengeLifetime  = 2 * time.Minute // from the question to the finger
	ticketLifetime     = time.Minute     // from the finger to what was confirmed
	invitationLifetime = 5 * time.Minute // to walk over to the other device
)

// Ceremonies are how passkeys come, go and are used. A person is asked, does
// something with their authenticator, and gets a ticket that counts once.
type Ceremonies struct {
	keys  KeyStore
	slips Slips
	now   func() time.Time
}

// New makes ceremonies; now may be nil. A vault that several hubs share keeps
// their slips too (it is Slips), and now is then the time by which all of them go.
// Otherwise slips are in memory.
func New(vault KeyStore, now func() time.Time) *Ceremonies {
	if now == nil {
		now = time.Now
	}
	slips, shared := vault.(Slips)
	if !shared {
		slips = &Memory{}
	}
	return &Ceremonies{keys: vault, slips: slips, now: now}
}

// Subject is what a confirmation is for.
type Subject string

// ForPasskeys is the subject of changing the passkeys themselves.
const ForPasskeys Subject = "passkeys"

// ForRequest is the subject of allowing one request.
func ForRequest(id nod.RequestID) Subject { return Subject("request " + id) }

// session is a ceremony that waits for the person, as the body of a slip.
type session struct {
	Kind     protocol.CeremonyType `json:"kind"`
	Site     Site                  `json:"site"`
	Subject  Bytes                 `json:"subject,omitempty"`  // of a confirmation; JSON would change odd letters of a string
	Name     string                `json:"name,omitempty"`     // of a new passkey
	Admitted bool                  `json:"admitted,omitempty"` // a new passkey may be more than the first
}

// holder tells actors apart: two devices, or two runs of a command.
func holder(by nod.Actor) string { return string(by.Kind) + " " + by.ID }

func (c *Ceremonies) begin(ctx context.Context, by nod.Actor, s session) (challenge Bytes, err error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	challenge, _, err = c.put(ctx, slipCeremony, by, body, challengeLifetime)
	return challenge, err
}

// resume finds the session that client data answers, and spends it.
func (c *Ceremonies) resume(ctx context.Context, by nod.Actor, kind protocol.CeremonyType, site Site, client []byte) (session, error) {
	var said protocol.CollectedClientData
	if err := json.Unmarshal(client, &said); err != nil {
		return session{}, refuse(Invalid, "client data: %s", err)
	}
	slip, counts, err := c.take(ctx, slipCeremony, said.Challenge)
	if err != nil {
		return session{}, err
	}
	if !counts {
		return session{}, refuse(Expired, "nobody waits for this challenge")
	}
	var s session
	if err := json.Unmarshal(slip.Body, &s); err != nil {
		return session{}, refuse(Expired, "a session that cannot be read: %s", err)
	}
	switch {
	case slip.Holder != holder(by) || s.Kind != kind:
		return session{}, refuse(Expired, "the challenge was for %s, %s", slip.Holder, s.Kind)
	case s.Site != site:
		return session{}, refuse(WrongOrigin, "begun on %s, ended on %s", s.Site.Origin, site.Origin)
	}
	return s, nil
}

// Redeem spends a ticket, and tells whether it was this actor's for this
// subject, or that nobody can tell.
func (c *Ceremonies) Redeem(ctx context.Context, by nod.Actor, ticket string, subject Subject) (bool, error) {
	slip, counts, err := c.take(ctx, slipTicket, ticket)
	return counts && slip.Holder == holder(by) && string(slip.Body) == string(subject), err
}

// Invitation lets one more passkey be registered where no other can be shown:
// on a device that calls the hub by another name.
type Invitation struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Invite makes an invitation. Who holds no passkey must be at the hub's own
// machine.
func (c *Ceremonies) Invite(ctx context.Context, by nod.Actor, ticket string) (Invitation, error) {
	if err := c.mayChange(ctx, by, ticket); err != nil {
		return Invitation{}, err
	}
	code, expires, err := c.put(ctx, slipInvitation, by, nil, invitationLifetime)
	return Invitation{code.String(), expires}, err
}

// List tells all passkeys, oldest first.
func (c *Ceremonies) List(ctx context.Context) ([]Key, error) { return c.keys.Passkeys(ctx) }

// Delete ends a passkey.
func (c *Ceremonies) Delete(ctx context.Context, by nod.Actor, id, ticket string) error {
	if err := c.mayChange(ctx, by, ticket); err != nil {
		return err
	}
	return c.keys.DeletePasskey(ctx, id)
}

// mayChange: a device that could delete passkeys without one could put its own
// in their place. A person at the hub's machine needs none, or a lost passkey
// would be lost for good; they could edit nod.toml as well.
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

// keysOf is the passkeys that work on a site.
func keysOf(site string, all []Key) []Key {
	return slices.DeleteFunc(slices.Clone(all), func(k Key) bool { return k.Site != site })
}
