package passkey

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
)

// The algorithms that nod takes, by their COSE numbers: those that phones,
// computers and security keys have. The order is our preference.
const (
	es256 = -7
	edDSA = -8
	rs256 = -257
)

var algorithms = [...]int{es256, edDSA, rs256}

// The names of a COSE key's parts (RFC 9052, 9053, 8230).
const (
	coseType  = 1
	coseAlg   = 3
	coseCurve = -1
	coseX     = -2
	coseY     = -3
	rsaN      = -1
	rsaE      = -2
)

var errKey = errors.New("a public key that nod cannot use")

// public reads a COSE key that fills the whole of b.
func public(b []byte) (crypto.PublicKey, error) {
	c := cbor{b}
	v, err := c.value()
	m, ok := v.(map[any]any)
	if err != nil || !ok || len(c.rest) > 0 {
		return nil, errKey
	}
	kind, alg := number(m, coseType), number(m, coseAlg)
	switch {
	case kind == 2 && alg == es256 && number(m, coseCurve) == 1:
		return p256(m)
	case kind == 1 && alg == edDSA && number(m, coseCurve) == 6:
		if x := octets(m, coseX); len(x) == ed25519.PublicKeySize {
			return ed25519.PublicKey(x), nil
		}
	case kind == 3 && alg == rs256:
		return rsaKey(m)
	default:
		return nil, fmt.Errorf("%w: type %d, algorithm %d", errKey, kind, alg)
	}
	return nil, errKey
}

func p256(m map[any]any) (crypto.PublicKey, error) {
	x, y := octets(m, coseX), octets(m, coseY)
	if len(x) != 32 || len(y) != 32 {
		return nil, errKey
	}
	point := append(append([]byte{4}, x...), y...)
	k, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point) // also: is it on the curve?
	if err != nil {
		return nil, errKey
	}
	return k, nil
}

func rsaKey(m map[any]any) (crypto.PublicKey, error) {
	n, e := new(big.Int).SetBytes(octets(m, rsaN)), new(big.Int).SetBytes(octets(m, rsaE))
	if n.BitLen() < 2048 || n.BitLen() > 8192 || e.BitLen() > 31 || e.Int64() < 3 || e.Bit(0) == 0 {
		return nil, errKey
	}
	return &rsa.PublicKey{N: n, E: int(e.Int64())}, nil
}

// signed checks a signature of what an authenticator signs.
func signed(key crypto.PublicKey, message, signature []byte) bool {
	hash := sha256.Sum256(message)
	switch k := key.(type) {
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(k, hash[:], signature)
	case ed25519.PublicKey:
		return ed25519.Verify(k, message, signature)
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(k, crypto.SHA256, hash[:], signature) == nil
	}
	return false
}

func number(m map[any]any, name int64) int64 {
	n, _ := m[name].(int64)
	return n
}

func octets(m map[any]any, name int64) []byte {
	b, _ := m[name].([]byte)
	return b
}
