package certs

import (
	"strings"

	"nod"
)

// Config is the section of HTTPS: where the certificate comes from, one way or none.
// See docs/tls.md.
type Config struct {
	Own           bool     `toml:"own"`            // with a CA that the hub makes for itself, as `--tls`
	Cert          string   `toml:"cert"`           // file with a certificate chain, PEM
	Key           string   `toml:"key"`            // file with its private key, PEM
	ACME          []string `toml:"acme"`           // names to request certificates for from a public CA
	ACMEEmail     string   `toml:"acme_email"`     // where that CA may write to
	ACMEDirectory string   `toml:"acme_directory"` // address of that CA; empty: Let's Encrypt
}

// Check rejects settings that cannot work.
func (t Config) Check() error {
	ways := 0
	for _, used := range []bool{t.Own, t.Cert != "" || t.Key != "", len(t.ACME) > 0} {
		if used {
			ways++
		}
	}
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return nod.Errorf(nod.Invalid, "tls.cert and tls.key belong together: give both or none")
	case ways > 1:
		return nod.Errorf(nod.Invalid, "a hub shows one certificate: choose tls.own, or tls.cert with tls.key, or tls.acme")
	case len(t.ACME) == 0 && (t.ACMEEmail != "" || t.ACMEDirectory != ""):
		return nod.Errorf(nod.Invalid, "tls.acme_email and tls.acme_directory say nothing without tls.acme, such as acme = [\"nod.example.org\"]")
	case t.ACMEEmail != "" && !strings.Contains(t.ACMEEmail, "@"):
		return nod.Errorf(nod.Invalid, "tls.acme_email = %q is no mail address", t.ACMEEmail)
	case t.ACMEDirectory != "" && !directory(t.ACMEDirectory):
		return nod.Errorf(nod.Invalid, "tls.acme_directory = %q is no address of a CA; it begins with https://", t.ACMEDirectory)
	}
	for _, name := range t.ACME {
		if !public(name) {
			return nod.Errorf(nod.Invalid, "tls.acme: %q is no name that a public CA gives a certificate for; it looks like nod.example.org. For names and addresses of your own network use tls.own = true", name)
		}
	}
	return nil
}

// directory: a CA without TLS could be anyone, except on this machine.
func directory(address string) bool {
	for _, start := range []string{"https://", "http://127.0.0.1:", "http://localhost:", "http://[::1]:"} {
		if rest, ok := strings.CutPrefix(address, start); ok && rest != "" {
			return true
		}
	}
	return false
}

// public reports whether a name can lead here from the internet: no address, no wildcard, no single word.
func public(name string) bool {
	labels := strings.Split(strings.ToLower(name), ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || last == "local" || last == "localhost" || strings.Trim(last, "0123456789") == "" {
		return false
	}
	for _, l := range labels {
		if l == "" || strings.ContainsAny(l, "*:/ []@") {
			return false
		}
	}
	return true
}
