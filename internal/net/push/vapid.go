package push

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a signature is valid (RFC 8292 allows 24 hours, and clocks differ), and how much of that must be left to
// reuse it.
const (
	signatureLife = 12 * time.Hour
	signatureRest = time.Hour
	maxSignatures = 64
)

// NewKey makes the private key, 32 bytes, that identifies this hub to push services. Browsers bind their subscription
// to the public half, so it is made once and kept.
func NewKey() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return key.Bytes()
}

// Signer signs messages to push services (RFC 8292).
type Signer struct {
	key     *ecdsa.PrivateKey
	public  string
	contact string
	now     func() time.Time

	mu     sync.Mutex
	signed map[string]signature // by audience
}

type signature struct {
	token   string
	expires time.Time
}

// NewSigner takes a key of NewKey and the contact of the hub's operator for the push service: a mailto: or https:
// address.
func NewSigner(key []byte, contact string, now func() time.Time) (*Signer, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), key)
	if err != nil {
		return nil, fmt.Errorf("the key of the push service: %w", err)
	}
	public, err := private.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	if err := CheckContact(contact); err != nil {
		return nil, err
	}
	return &Signer{
		key: private, public: base64.RawURLEncoding.EncodeToString(public), contact: contact, now: now,
		signed: map[string]signature{},
	}, nil
}

// PublicKey is what a browser needs to subscribe: applicationServerKey.
func (s *Signer) PublicKey() string { return s.public }

// authorization is the header for one endpoint.
func (s *Signer) authorization(endpoint string) (string, error) {
	audience, err := origin(endpoint)
	if err != nil {
		return "", err
	}
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.signed[audience]
	if !ok || known.expires.Sub(now) < signatureRest || known.expires.Sub(now) > signatureLife { // the clock may have been set back
		if len(s.signed) >= maxSignatures {
			clear(s.signed)
		}
		if known, err = s.sign(audience, now); err != nil {
			return "", err
		}
		s.signed[audience] = known
	}
	return "vapid t=" + known.token + ", k=" + s.public, nil
}

// forget drops a signature that a push service rejected.
func (s *Signer) forget(endpoint string) {
	if audience, err := origin(endpoint); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.signed, audience)
	}
}

func (s *Signer) sign(audience string, now time.Time) (signature, error) {
	expires := now.Add(signatureLife)
	claims, err := json.Marshal(struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub"`
	}{audience, expires.Unix(), s.contact})
	if err != nil {
		return signature{}, err
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + base64.RawURLEncoding.EncodeToString(claims)
	digest := sha256.Sum256([]byte(text))
	r, v, err := ecdsa.Sign(rand.Reader, s.key, digest[:])
	if err != nil {
		return signature{}, err
	}
	both := make([]byte, 64) // RFC 7518: two numbers of 32 bytes, not ASN.1
	r.FillBytes(both[:32])
	v.FillBytes(both[32:])
	return signature{text + "." + base64.RawURLEncoding.EncodeToString(both), expires}, nil
}

// unreachable are names that mean nothing outside the local network. Apple looks the name up and refuses every
// message of a hub with such a contact.
var unreachable = []string{"localhost", "local", "invalid", "test", "internal", "lan", "home", "localdomain", "arpa"}

// CheckContact explains what is wrong with a contact.
func CheckContact(contact string) error {
	host := ""
	if address, ok := strings.CutPrefix(contact, "mailto:"); ok {
		if m, err := mail.ParseAddress(address); err == nil && m.Address == address {
			host = address[strings.LastIndexByte(address, '@')+1:]
		}
	} else if u, err := url.Parse(contact); err == nil && u.Scheme == "https" && u.User == nil {
		host = u.Hostname()
	}
	if host == "" {
		return fmt.Errorf("the contact %q must be mailto:name@example.org or https://…", contact)
	}
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	if _, err := netip.ParseAddr(host); err == nil || len(labels) < 2 || slices.Contains(unreachable, labels[len(labels)-1]) {
		return errors.New("the contact must have a name that the whole internet knows, not " + host + ": Apple refuses others")
	}
	return nil
}
