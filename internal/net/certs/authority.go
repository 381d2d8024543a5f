// Package certs provides the certificate of the hub: from a CA of its own, from files, or by ACME. Each is a source
// of one tls.Config and keeps its certificate fresh while the hub runs.
package certs

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"

	"nod"
)

const (
	authorityLife = 10 * 365 * 24 * time.Hour
	leafLife      = 90 * 24 * time.Hour // Apple accepts 825 days at most; renewal is automatic
	// slack admits devices whose clocks are behind.
	slack = time.Hour
	// firstYear: nod did not exist earlier. A machine with an earlier date has not set its clock yet, and a CA made
	// now would expire before it is used.
	firstYear = 2026
)

// Authority is the hub's own CA. A device that trusts it trusts every certificate it signs, so it may sign only for
// private names and addresses.
type Authority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// newAuthority makes a CA that is limited to private names and to our own.
func newAuthority(host string, us Names, now time.Time) (*Authority, error) {
	if now.Year() < firstYear {
		return nil, nod.Errorf(nod.Unavailable, "this machine believes it is %s, and a CA made now would never be valid. Set the clock (timedatectl set-ntp true), then start again", now.Format(time.DateOnly))
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{Organization: []string{"nod"}, CommonName: authorityName(host, key.Public())},
		NotBefore:             now.Add(-slack).UTC(),
		NotAfter:              now.Add(authorityLife).UTC(),
		BasicConstraintsValid: true,
		IsCA:                  true,
		MaxPathLenZero:        true,
		KeyUsage:              x509.KeyUsageCertSign,
		// Some systems trust a CA for everything; this one must not sign programs or mail.
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	constrain(template, us)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("signing the CA: %w", err)
	}
	cert, err := x509.ParseCertificate(der)
	return &Authority{cert, key}, err
}

// authorityName is what people see in a phone's settings. Two CAs of one machine need different names.
func authorityName(host string, key crypto.PublicKey) string {
	public, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "nod on " + host
	}
	sum := sha256.Sum256(public)
	if len(host) > 40 { // a common name holds 64 characters
		host = host[:40]
	}
	return "nod on " + host + " " + hex.EncodeToString(sum[:3])
}

// The blocks of the secret file. Both are in one file, so that a crash cannot separate them.
const (
	keyBlock  = "PRIVATE KEY"
	certBlock = "CERTIFICATE"
)

func (a *Authority) secret() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return nil, fmt.Errorf("writing the key: %w", err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: keyBlock, Bytes: der}), a.PEM()...), nil
}

func parseAuthority(secret []byte) (*Authority, error) {
	pair, err := tls.X509KeyPair(secret, secret) // also checks that they belong together
	if err != nil {
		return nil, err
	}
	key, ok := pair.PrivateKey.(crypto.Signer)
	if !ok || !pair.Leaf.IsCA || len(pair.Certificate) != 1 {
		return nil, errors.New("it holds no CA")
	}
	return &Authority{pair.Leaf, key}, nil
}

// issue signs a certificate for names, with a fresh key that is never written to disk.
func (a *Authority) issue(names Names, now time.Time) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a key: %w", err)
	}
	end := now.Add(leafLife)
	if a.cert.NotAfter.Before(end) {
		end = a.cert.NotAfter
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{Organization: []string{"nod"}, CommonName: "nod hub"},
		NotBefore:             now.Add(-slack).UTC(),
		NotAfter:              end.UTC(),
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:              names.DNS,
	}
	for _, ip := range names.IP {
		template.IPAddresses = append(template.IPAddresses, ip.AsSlice())
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, fmt.Errorf("signing a certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

// DER is the certificate in binary form.
func (a *Authority) DER() []byte { return bytes.Clone(a.cert.Raw) }

// PEM is the certificate as text, without its key.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: certBlock, Bytes: a.cert.Raw})
}

// Name is how devices list the CA.
func (a *Authority) Name() string { return a.cert.Subject.CommonName }

// Expires is when every device has to trust a new CA.
func (a *Authority) Expires() time.Time { return a.cert.NotAfter }

// Fingerprint is for people to compare.
func (a *Authority) Fingerprint() string { return Fingerprint(a.cert.Raw) }

// Fingerprint is the SHA-256 of a certificate, in the format that phones use.
func Fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	pairs := make([]string, len(sum))
	for i, b := range sum {
		pairs[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(pairs, ":")
}

// ParsePEM reads the first certificate in a PEM text.
func ParsePEM(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != certBlock {
		return nil, errors.New("it holds no certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}
