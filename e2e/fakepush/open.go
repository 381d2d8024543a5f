package fakepush

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"
)

// open decrypts a body as RFC 8291 tells a browser to.
func (b *Browser) open(body []byte) ([]byte, error) {
	if len(body) < 86 || body[20] != 65 {
		return nil, errors.New("the header of the encrypted body is too short, or its key is none")
	}
	salt, size, sender, sealed := body[:16], binary.BigEndian.Uint32(body[16:20]), body[21:86], body[86:]
	if uint32(len(sealed)) > size {
		return nil, errors.New("more than one record")
	}
	theirs, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	info := append(append([]byte("WebPush: info\x00"), b.PublicKey()...), sender...)
	secret := derive(b.secret, shared, info, 32)
	block, err := aes.NewCipher(derive(salt, secret, []byte("Content-Encoding: aes128gcm\x00"), 16))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	record, err := gcm.Open(nil, derive(salt, secret, []byte("Content-Encoding: nonce\x00"), 12), sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("it does not decrypt: %w", err)
	}
	record = bytes.TrimRight(record, "\x00")
	if len(record) == 0 || record[len(record)-1] != 2 {
		return nil, errors.New("the last record does not end with its delimiter")
	}
	return record[:len(record)-1], nil
}

// derive is HKDF with SHA-256 for at most 32 bytes, written out.
func derive(salt, secret, info []byte, length int) []byte {
	extract := hmac.New(sha256.New, salt)
	extract.Write(secret)
	expand := hmac.New(sha256.New, extract.Sum(nil))
	expand.Write(info)
	expand.Write([]byte{1})
	return expand.Sum(nil)[:length]
}

// Sender is who sent a message, as its signature proves.
type Sender struct {
	Key      string // public, base64url
	Token    string // the signed token itself
	Audience string
	Contact  string
	Expires  time.Time
}

// readAuthorization verifies a signature as RFC 8292 tells a push service to.
func readAuthorization(header, audience string) (Sender, error) {
	params, ok := strings.CutPrefix(header, "vapid ")
	if !ok {
		return Sender{}, errors.New("no vapid authorization")
	}
	var s Sender
	for part := range strings.SplitSeq(params, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			s.Token = value
		case "k":
			s.Key = value
		}
	}
	parts := strings.Split(s.Token, ".")
	if len(parts) != 3 {
		return s, errors.New("the token is no JWT")
	}
	if err := verify(s.Key, parts[0]+"."+parts[1], parts[2]); err != nil {
		return s, err
	}
	var head struct{ Typ, Alg string }
	var claims struct {
		Aud, Sub string
		Exp      int64
	}
	if err := errors.Join(unpack(parts[0], &head), unpack(parts[1], &claims)); err != nil {
		return s, err
	}
	s.Audience, s.Contact, s.Expires = claims.Aud, claims.Sub, time.Unix(claims.Exp, 0)
	contact, err := url.Parse(s.Contact)
	switch left := time.Until(s.Expires); {
	case head.Alg != "ES256" || head.Typ != "JWT":
		return s, errors.New("the token is not ES256")
	case s.Audience != audience:
		return s, fmt.Errorf("the audience is %q, not %q", s.Audience, audience)
	case left <= 0 || left > 24*time.Hour:
		return s, fmt.Errorf("the token expires in %v", left)
	case err != nil || contact.Scheme != "mailto" && contact.Scheme != "https" || strings.HasSuffix(s.Contact, "localhost"):
		return s, fmt.Errorf("the contact %q is not accepted", s.Contact)
	}
	return s, nil
}

func unpack(part string, v any) error {
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

func verify(key, text, signature string) error {
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		return err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return err
	}
	both, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || len(both) != 64 {
		return errors.New("the signature has no 64 bytes")
	}
	digest := sha256.Sum256([]byte(text))
	if !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(both[:32]), new(big.Int).SetBytes(both[32:])) {
		return errors.New("the signature is wrong")
	}
	return nil
}
