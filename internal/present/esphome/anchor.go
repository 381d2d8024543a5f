package esphome

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"

	"nod"
)

// Anchor is a CA in a form that a device accepts. The hub's CA has a critical extension
// with the names it may sign for. Mbed TLS, the TLS library of an ESP32, does not know the
// extension and refuses the whole certificate. A client trusts only the name and the key;
// it never checks the rest of that certificate, its signature included. So the anchor has
// only the CA's name and key, signed by a key that is thrown away. It is for one device
// that calls one hub, where the constraint would forbid nothing.
func Anchor(ca []byte) ([]byte, error) {
	block, _ := pem.Decode(ca)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, nod.Errorf(nod.Invalid, "there is no certificate in PEM form")
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil, nod.Errorf(nod.Invalid, "the certificate cannot be read").Because(err)
	}
	if !cert.IsCA {
		return nil, nod.Errorf(nod.Invalid, "this certificate is not of a CA")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: cert.SerialNumber, RawSubject: cert.RawSubject,
		NotBefore: cert.NotBefore, NotAfter: cert.NotAfter,
		BasicConstraintsValid: true, IsCA: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, &x509.Certificate{RawSubject: cert.RawSubject}, cert.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
