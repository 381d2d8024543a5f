package esphome

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"

	"nod"
)

// Anchor is a CA as a device can take it. The hub's CA says in a critical
// extension which names it may sign for. Mbed TLS, which speaks TLS on an ESP32,
// does not know the extension and so refuses the whole certificate. What a
// client trusts is only a name and a key; the rest of that certificate, its
// signature included, is never looked at. So the anchor has the CA's name and
// key and nothing else, signed by a key that nobody keeps. It is for one device
// that calls one hub: there the constraint would forbid nothing.
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
