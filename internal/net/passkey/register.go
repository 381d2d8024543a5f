package passkey

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"nod"
)

// Creation is what a browser needs to make a passkey, in the form that
// PublicKeyCredential.parseCreationOptionsFromJSON reads.
type Creation struct {
	RP          Party        `json:"rp"`
	User        User         `json:"user"`
	Challenge   string       `json:"challenge"`
	Params      []Param      `json:"pubKeyCredParams"`
	Timeout     int64        `json:"timeout"`
	Exclude     []Descriptor `json:"excludeCredentials"`
	Selection   Selection    `json:"authenticatorSelection"`
	Attestation string       `json:"attestation"`
}

// Party is the hub, as an authenticator shows it.
type Party struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// User is whom an authenticator keeps the passkey for.
type User struct {
	ID          Bytes  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

// Param is an algorithm.
type Param struct {
	Type string `json:"type"`
	Alg  int    `json:"alg"`
}

// Descriptor points at a passkey.
type Descriptor struct {
	Type       string   `json:"type"`
	ID         Bytes    `json:"id"`
	Transports []string `json:"transports,omitempty"`
}

// Selection is what the authenticator must be able to do.
type Selection struct {
	ResidentKey      string `json:"residentKey"`
	UserVerification string `json:"userVerification"`
}

// Leave is what allows to register more than the first passkey: a ticket for
// ForPasskeys, or an invitation.
type Leave struct{ Ticket, Invitation string }

// BeginRegistration asks for a new passkey. The first one takes nothing but the
// right to ask, which the door checks.
func (c *Ceremonies) BeginRegistration(ctx context.Context, by nod.Actor, site Site, name string, leave Leave) (Creation, error) {
	all, err := c.vault.Passkeys(ctx)
	if err != nil {
		return Creation{}, err
	}
	admitted, err := c.admitted(ctx, by, leave)
	if err != nil {
		return Creation{}, err
	}
	if len(all) > 0 && !admitted {
		return Creation{}, refuse(Unproven, "there are %d passkeys, and none was shown", len(all))
	}
	challenge, err := c.begin(ctx, by, session{Kind: create, Site: site, Name: name, Admitted: admitted})
	if err != nil {
		return Creation{}, err
	}
	// Never the same twice: authenticators replace a passkey of the same user, and
	// two hubs on one machine are both called localhost.
	user := make([]byte, 16)
	_, _ = rand.Read(user) // never fails
	o := Creation{
		RP: Party{site.Name, "nod"}, User: User{user, name, name}, Challenge: challenge,
		Timeout: ceremonyLife.Milliseconds(), Exclude: describe(at(site.Name, all)),
		Selection: Selection{"preferred", "required"}, Attestation: "none",
	}
	for _, alg := range algorithms {
		o.Params = append(o.Params, Param{"public-key", alg})
	}
	return o, nil
}

// admitted spends what allows more than the first passkey. An invitation is
// whose has it.
func (c *Ceremonies) admitted(ctx context.Context, by nod.Actor, leave Leave) (bool, error) {
	shown, err := c.Redeem(ctx, by, leave.Ticket, ForPasskeys)
	if err != nil || shown {
		return shown, err
	}
	_, invited, err := c.take(ctx, slipInvitation, leave.Invitation)
	return invited, err
}

// Registration is what the browser brings back.
type Registration struct {
	Credential  Bytes    `json:"credential"`
	ClientData  Bytes    `json:"client_data"`
	Attestation Bytes    `json:"attestation"`
	Transports  []string `json:"transports,omitempty"`
}

// FinishRegistration keeps the new passkey.
func (c *Ceremonies) FinishRegistration(ctx context.Context, by nod.Actor, site Site, r Registration) (Key, error) {
	s, err := c.resume(ctx, by, create, site, r.ClientData)
	if err != nil {
		return Key{}, err
	}
	data, err := parseAttestation(r.Attestation)
	if err != nil {
		return Key{}, refuse(Wrong, "attestation: %s", err)
	}
	if err := data.check(site.Name); err != nil {
		return Key{}, err
	}
	if len(data.credential) == 0 || !bytes.Equal(data.credential, r.Credential) {
		return Key{}, refuse(Wrong, "the browser and the authenticator speak of two credentials")
	}
	if _, err := public(data.public); err != nil {
		return Key{}, refuse(Unsuited, "%s", err)
	}
	k := Key{
		ID: shortID(data.credential), Name: s.Name, Site: site.Name, Created: c.now(),
		Credential: data.credential, Public: data.public, Count: data.count, Transports: hints(r.Transports),
	}
	return k, c.keep(ctx, k, s.Admitted)
}

func (c *Ceremonies) keep(ctx context.Context, k Key, admitted bool) error {
	put, conflict := c.vault.PutPasskey, refuse(Known, "passkey %s is there", k.ID)
	if !admitted {
		put, conflict = c.vault.PutFirstPasskey, refuse(Unproven, "another passkey became the first")
	}
	err := put(ctx, k)
	if err != nil && nod.CodeOf(err) == nod.Conflict {
		return conflict
	}
	return err
}

// shortID is what people and addresses call a passkey.
func shortID(credential []byte) string {
	hash := sha256.Sum256(credential)
	return hex.EncodeToString(hash[:8])
}

// hints keeps the few words that WebAuthn has for ways to an authenticator.
func hints(said []string) []string {
	var kept []string
	for _, known := range [...]string{"ble", "hybrid", "internal", "nfc", "smart-card", "usb"} {
		for _, s := range said {
			if s == known {
				kept = append(kept, s)
				break
			}
		}
	}
	return kept
}

func describe(keys []Key) []Descriptor {
	list := make([]Descriptor, 0, len(keys))
	for _, k := range keys {
		list = append(list, Descriptor{"public-key", k.Credential, k.Transports})
	}
	return list
}
