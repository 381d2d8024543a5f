package certs

import (
	"context"
	"crypto/tls"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"nod/internal/sys/pause"
)

// ACMEOptions configure an ACME.
type ACMEOptions struct {
	Dir       string   // directory for the account and certificates
	Names     []string // the only names to request certificates for
	Email     string   // contact for the CA; may be empty
	Directory string   // of the CA; empty: Let's Encrypt
	Log       *slog.Logger
}

// ACME gets certificates from a public CA, which verifies that the names are ours by connecting to port 443
// (TLS-ALPN-01).
type ACME struct {
	ACMEOptions
	manager *autocert.Manager
}

// NewACME does not contact the CA yet; see Run.
func NewACME(o ACMEOptions) (*ACME, error) {
	if err := privateDir(o.Dir); err != nil {
		return nil, err
	}
	m := &autocert.Manager{
		Prompt:     autocert.AcceptTOS,
		Cache:      autocert.DirCache(o.Dir),
		HostPolicy: autocert.HostWhitelist(o.Names...),
		Email:      o.Email,
	}
	if o.Directory != "" {
		m.Client = &acme.Client{DirectoryURL: o.Directory}
	}
	return &ACME{o, m}, nil
}

// TLS is the configuration for the listener.
func (a *ACME) TLS() *tls.Config {
	c := a.manager.TLSConfig()
	c.MinVersion = tls.VersionTLS12
	return c
}

// Names are the configured names.
func (a *ACME) Names() []string { return slices.Clone(a.ACMEOptions.Names) }

// Back-off after a failure. A CA counts failures and locks out impatient clients.
const (
	firstPause = 2 * time.Minute
	lastPause  = 2 * time.Hour
)

// Run gets the certificates before the first connection: the first client would have to wait for the CA, and problems
// should be in the log by then.
func (a *ACME) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() { // a hanging CA call cannot be interrupted, and shutdown should not wait for it
		defer close(done)
		a.obtainAll(ctx)
	}()
	select {
	case <-ctx.Done():
	case <-done:
	}
}

func (a *ACME) obtainAll(ctx context.Context) {
	left := a.Names()
	for wait := firstPause; ; wait = min(2*wait, lastPause) {
		if left = slices.DeleteFunc(left, a.obtain); len(left) == 0 {
			return
		}
		if !pause.For(ctx, wait) {
			return
		}
	}
}

func (a *ACME) obtain(name string) bool {
	cert, err := a.manager.GetCertificate(&tls.ClientHelloInfo{
		ServerName:   name,
		CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}, // or autocert would request an RSA certificate
	})
	if err != nil {
		a.Log.Error("no certificate yet: does the name lead to this hub, and port 443 to its port?", "name", name, "err", err)
		return false
	}
	a.Log.Info("the certificate is in use", "name", name, "until", cert.Leaf.NotAfter.Format(time.DateOnly))
	return true
}
