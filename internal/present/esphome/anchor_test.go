package esphome

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"

	"nod"
)

// ca is a CA like the hub's: constrained, and critically so.
type ca struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newCA(t *testing.T, name string) ca {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{Organization: []string{"nod"}, CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"local"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return ca{cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

func (c ca) issue(t *testing.T, host string) *x509.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{host},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, c.cert, c.key.Public(), c.key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert
}

func TestAnchorTrustsOnlyItsHub(t *testing.T) {
	ours, stranger := newCA(t, "nod on desk"), newCA(t, "nod on desk")
	text, err := Anchor(ours.pem)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	anchor, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range anchor.Extensions {
		// Mbed TLS knows these two of the critical ones.
		if id := e.Id.String(); e.Critical && id != "2.5.29.15" && id != "2.5.29.19" {
			t.Errorf("extension %s is critical: an ESP32 would refuse the certificate", id)
		}
	}
	roots := x509.NewCertPool()
	roots.AddCert(anchor)
	check := x509.VerifyOptions{Roots: roots, DNSName: "desk.local", KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
	if _, err := ours.issue(t, "desk.local").Verify(check); err != nil {
		t.Errorf("our own hub is refused: %v", err)
	}
	if _, err := stranger.issue(t, "desk.local").Verify(check); err == nil {
		t.Error("a stranger whose CA has the same name is believed")
	}
	if _, err := ours.issue(t, "other.local").Verify(check); err == nil {
		t.Error("another name is believed")
	}
}

func TestAnchorNeedsACA(t *testing.T) {
	leaf := newCA(t, "nod on desk").issue(t, "desk.local")
	for name, text := range map[string][]byte{
		"nothing":       nil,
		"a leaf":        pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Raw}),
		"a private key": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte{1}}),
		"nonsense":      pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte{1}}),
	} {
		if _, err := Anchor(text); err == nil || nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
