package push

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Sizes of RFC 8188 and RFC 8291.
const (
	authLength = 16
	saltLength = 16
	keyLength  = 65   // an uncompressed point of P-256
	recordSize = 4096 // push services must accept a body of this size, and need not accept more
	headLength = saltLength + 4 + 1 + keyLength
	tagLength  = 16
	lastRecord = 2 // the delimiter before the padding of the last record

	// MaxPayload is the longest text that fits into one record.
	MaxPayload = recordSize - headLength - tagLength - 1
)

// padTo hides the length of a text: the push service should not learn how long a command is.
const padTo = 1024

var errLarge = errors.New("the payload is larger than a push message can be")

// seal encrypts a text for one browser, with a fresh key and salt.
func seal(to Subscription, text []byte) ([]byte, error) {
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltLength)
	if _, err := rand.Read(salt); err != nil {
		return nil, err
	}
	padded := (len(text)/padTo+1)*padTo - 1 // the delimiter fills it up
	return sealWith(to, text, own, salt, min(padded, MaxPayload)-len(text))
}

// sealWith implements RFC 8291, section 3, as one record of RFC 8188.
func sealWith(to Subscription, text []byte, own *ecdh.PrivateKey, salt []byte, padding int) ([]byte, error) {
	if len(text) > MaxPayload {
		return nil, errLarge
	}
	theirs, err := ecdh.P256().NewPublicKey(to.P256DH)
	if err != nil {
		return nil, fmt.Errorf("the browser's key: %w", err)
	}
	shared, err := own.ECDH(theirs)
	if err != nil {
		return nil, err
	}
	public := own.PublicKey().Bytes()
	info := "WebPush: info\x00" + string(to.P256DH) + string(public)
	secret, err := hkdf.Key(sha256.New, shared, to.Auth, info, sha256.Size)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	body := make([]byte, 0, recordSize)
	body = append(body, salt...)
	body = binary.BigEndian.AppendUint32(body, recordSize)
	body = append(body, keyLength)
	body = append(body, public...)
	record := make([]byte, len(text)+1+padding)
	copy(record, text)
	record[len(text)] = lastRecord
	return gcm.Seal(body, nonce, record, nil), nil
}
