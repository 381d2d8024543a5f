package apns

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"sync"
	"time"
)

// tokenLife: Apple wants a token to be renewed after 20 to 60 minutes.
const tokenLife = 50 * time.Minute

// signer makes the tokens that authenticate us to Apple.
type signer struct {
	key       *ecdsa.PrivateKey
	kid, team string
	now       func() time.Time

	mu   sync.Mutex
	text string
	made time.Time
}

func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("the key for Apple's push service is no PEM file: it is the .p8 file that Apple lets you download once")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the key for Apple's push service is not the .p8 file that Apple gave")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errors.New("the key for Apple's push service is no key of P-256")
	}
	return key, nil
}

// token returns the current token.
func (s *signer) token() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.made); s.text != "" && age >= 0 && age < tokenLife {
		return s.text, nil
	}
	text, err := s.sign(now)
	if err != nil {
		return "", err
	}
	s.text, s.made = text, now
	return text, nil
}

func (s *signer) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = ""
}

// sign makes a JWT with ES256 (RFC 7515, RFC 7518 section 3.4).
func (s *signer) sign(now time.Time) (string, error) {
	head, err := json.Marshal(map[string]string{"alg": "ES256", "kid": s.kid, "typ": "JWT"})
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"iss": s.team, "iat": now.Unix()})
	if err != nil {
		return "", err
	}
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	r, sig, err := ecdsa.Sign(rand.Reader, s.key, sum[:])
	if err != nil {
		return "", err
	}
	both := make([]byte, 64)
	r.FillBytes(both[:32])
	sig.FillBytes(both[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(both), nil
}
