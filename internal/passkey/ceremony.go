package passkey

import (
	"context"
	"slices"
	"sync"
	"time"

	"nod"
)

// How long things count.
const (
	ceremonyLife = 2 * time.Minute // from the question to the finger
	ticketLife   = time.Minute     // from the finger to what was confirmed
	inviteLife   = 5 * time.Minute // to walk over to the other device
)

// Ceremonies are how passkeys come, go and are used. A person is asked, does
// something with their authenticator, and gets a ticket that counts once.
type Ceremonies struct {
	vault Vault
	now   func() time.Time

	// turn is held from reading the vault to changing it: of two first passkeys
	// one is the second, and a counter is compared with the newest.
	turn sync.Mutex

	open    slips[session]
	tickets slips[Subject]
	invites slips[struct{}]
}

// New makes ceremonies; now may be nil.
func New(vault Vault, now func() time.Time) *Ceremonies {
	if now == nil {
		now = time.Now
	}
	return &Ceremonies{vault: vault, now: now}
}

// Subject is what a confirmation is for.
type Subject string

// ForPasskeys is the subject of changing the passkeys themselves.
const ForPasskeys Subject = "passkeys"

// ForRequest is the subject of allowing one request.
func ForRequest(id nod.RequestID) Subject { return Subject("request " + id) }

// session is a ceremony that waits for the person. Its secret is the challenge.
type session struct {
	kind     string // as the browser calls it
	site     Site
	subject  Subject // of a confirmation
	name     string  // of a new passkey
	admitted bool    // a new passkey may be more than the first
}

// What the browser calls the two ceremonies.
const (
	create = "webauthn.create"
	get    = "webauthn.get"
)

// holder tells actors apart: two devices, or two runs of a command.
func holder(by nod.Actor) string { return string(by.Kind) + " " + by.ID }

func (c *Ceremonies) begin(by nod.Actor, s session) (challenge string, err error) {
	challenge, ok := c.open.put(holder(by), s, c.now(), ceremonyLife)
	if !ok {
		return "", refuse(Busy, "%d ceremonies are open", slipsAll)
	}
	return challenge, nil
}

// resume finds the session that client data answers, and spends it.
func (c *Ceremonies) resume(by nod.Actor, kind string, site Site, client []byte) (session, error) {
	said, err := parseClientData(client)
	if err != nil {
		return session{}, err
	}
	s, who, ok := c.open.take(said.Challenge, c.now())
	switch {
	case !ok:
		return session{}, refuse(Stale, "nobody waits for this challenge")
	case who != holder(by) || s.kind != kind:
		return session{}, refuse(Stale, "the challenge was for %s, %s", who, s.kind)
	case s.site != site:
		return session{}, refuse(Foreign, "begun on %s, ended on %s", s.site.Origin, site.Origin)
	}
	return s, said.check(kind, site)
}

// Redeem spends a ticket, and tells whether it was this actor's for this
// subject.
func (c *Ceremonies) Redeem(by nod.Actor, ticket string, subject Subject) bool {
	if ticket == "" {
		return false
	}
	s, who, ok := c.tickets.take(ticket, c.now())
	return ok && who == holder(by) && s == subject
}

// Invitation lets one more passkey be registered where no other can be shown:
// on a device that calls the hub by another name.
type Invitation struct {
	Code    string    `json:"code"`
	Expires time.Time `json:"expires_at"`
}

// Invite makes an invitation. Who holds no passkey must be at the hub's own
// machine.
func (c *Ceremonies) Invite(by nod.Actor, ticket string) (Invitation, error) {
	if err := c.mayChange(by, ticket); err != nil {
		return Invitation{}, err
	}
	now := c.now()
	code, ok := c.invites.put(holder(by), struct{}{}, now, inviteLife)
	if !ok {
		return Invitation{}, refuse(Busy, "%d invitations are open", slipsAll)
	}
	return Invitation{code, now.Add(inviteLife)}, nil
}

// List tells all passkeys, oldest first.
func (c *Ceremonies) List(ctx context.Context) ([]Key, error) { return c.vault.Passkeys(ctx) }

// Delete ends a passkey.
func (c *Ceremonies) Delete(ctx context.Context, by nod.Actor, id, ticket string) error {
	if err := c.mayChange(by, ticket); err != nil {
		return err
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	return c.vault.DeletePasskey(ctx, id)
}

// mayChange: a device that could delete passkeys without one could put its own
// in their place. A person at the hub's machine needs none, or a lost passkey
// would be lost for good; they could edit nod.toml as well.
func (c *Ceremonies) mayChange(by nod.Actor, ticket string) error {
	if by.Kind == nod.Person || c.Redeem(by, ticket, ForPasskeys) {
		return nil
	}
	return refuse(Unproven, "%s showed no passkey", by.Name)
}

// at is the passkeys that work on a site.
func at(site string, all []Key) []Key {
	return slices.DeleteFunc(slices.Clone(all), func(k Key) bool { return k.Site != site })
}
