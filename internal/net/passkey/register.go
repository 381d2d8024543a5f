package passkey

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/go-webauthn/webauthn/protocol"

	"nod"
)

// CreationOptions tells a browser how to create a passkey, in the form that
// PublicKeyCredential.parseCreationOptionsFromJSON reads.
type CreationOptions = protocol.PublicKeyCredentialCreationOptions

// Bytes are base64url without padding in JSON, as everywhere in WebAuthn.
type Bytes = protocol.URLEncodedBase64

// Permission is needed to register any passkey but the first: a ticket for
// ForPasskeys, or an invitation.
type Permission struct{ Ticket, Invitation string }

// BeginRegistration starts the registration of a passkey. The first one needs no
// permission but the caller's right to administer, which the route checks.
func (c *Ceremonies) BeginRegistration(ctx context.Context, by nod.Actor, site Site, name string, permission Permission) (CreationOptions, error) {
	all, err := c.keys.Passkeys(ctx)
	if err != nil {
		return CreationOptions{}, err
	}
	admitted, err := c.admitted(ctx, by, permission)
	if err != nil {
		return CreationOptions{}, err
	}
	if len(all) > 0 && !admitted {
		return CreationOptions{}, refuse(ProofRequired, "there are %d passkeys, and none was shown", len(all))
	}
	challenge, err := c.begin(ctx, by, session{Kind: protocol.CreateCeremony, Site: site, Name: name, Admitted: admitted})
	if err != nil {
		return CreationOptions{}, err
	}
	// A new user each time: an authenticator replaces the passkey of the same user,
	// and two hubs on one machine are both called localhost.
	user := make(Bytes, 16)
	_, _ = rand.Read(user) // never fails
	return CreationOptions{
		RelyingParty: protocol.RelyingPartyEntity{ID: site.Name, CredentialEntity: protocol.CredentialEntity{Name: "nod"}},
		User:         protocol.UserEntity{ID: user, CredentialEntity: protocol.CredentialEntity{Name: name}, DisplayName: name},
		Challenge:    challenge, Parameters: algorithms, Timeout: int(challengeLifetime.Milliseconds()),
		CredentialExcludeList: descriptors(keysOf(site.Name, all)),
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationRequired,
		},
		Attestation: protocol.PreferNoAttestation,
	}, nil
}

// admitted uses up the permission. An invitation is valid for every caller that has it.
func (c *Ceremonies) admitted(ctx context.Context, by nod.Actor, permission Permission) (bool, error) {
	shown, err := c.Redeem(ctx, by, permission.Ticket, ForPasskeys)
	if err != nil || shown {
		return shown, err
	}
	_, invited, err := c.take(ctx, kindInvitation, permission.Invitation)
	return invited, err
}

// Registration is what the browser sends after it has created a passkey.
type Registration struct {
	Credential  Bytes    `json:"credential"`
	ClientData  Bytes    `json:"client_data"`
	Attestation Bytes    `json:"attestation"`
	Transports  []string `json:"transports,omitempty"`
}

// FinishRegistration verifies and stores the new passkey.
func (c *Ceremonies) FinishRegistration(ctx context.Context, by nod.Actor, site Site, r Registration) (Key, error) {
	s, err := c.resume(ctx, by, protocol.CreateCeremony, site, r.ClientData)
	if err != nil {
		return Key{}, err
	}
	data, err := r.verify(site)
	if err != nil {
		return Key{}, err
	}
	k := Key{
		ID: shortID(r.Credential), Name: s.Name, Site: site.Name, Created: c.now(),
		Credential: r.Credential, Public: data.AttData.CredentialPublicKey, Count: data.Counter, Transports: knownTransports(r.Transports),
	}
	return k, c.store(ctx, k, s.Admitted)
}

func (c *Ceremonies) store(ctx context.Context, k Key, admitted bool) error {
	put, conflict := c.keys.PutPasskey, refuse(AlreadyRegistered, "passkey %s is there", k.ID)
	if !admitted {
		put, conflict = c.keys.PutFirstPasskey, refuse(ProofRequired, "another passkey became the first")
	}
	err := put(ctx, k)
	if err != nil && nod.CodeOf(err) == nod.Conflict {
		return conflict
	}
	return err
}

// shortID identifies a passkey in URLs and to people.
func shortID(credential []byte) string {
	hash := sha256.Sum256(credential)
	return hex.EncodeToString(hash[:8])
}

// knownTransports drops what WebAuthn does not define.
func knownTransports(reported []string) []string {
	var kept []string
	for _, known := range [...]protocol.AuthenticatorTransport{protocol.BLE, protocol.Hybrid, protocol.Internal, protocol.NFC, protocol.SmartCard, protocol.USB} {
		if slices.Contains(reported, string(known)) {
			kept = append(kept, string(known))
		}
	}
	return kept
}

func descriptors(keys []Key) []protocol.CredentialDescriptor {
	list := make([]protocol.CredentialDescriptor, 0, len(keys))
	for _, k := range keys {
		d := protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential}
		for _, t := range k.Transports {
			d.Transport = append(d.Transport, protocol.AuthenticatorTransport(t))
		}
		list = append(list, d)
	}
	return list
}
