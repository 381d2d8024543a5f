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

// ACMEOptions are what an ACME cannot know by itself.
type ACMEOptions struct {
	Dir       string   // where account and certificates are kept
	Names     []string // the only names that are asked for
	Email     string   // where the CA writes to; may be empty
	Directory string   // of the CA; empty: Let's Encrypt
	Log       *slog.Logger
}

// ACME gets certificates from a public CA, which proves by a call to port 443
// that the names are ours (TLS-ALPN-01).
type ACME struct {
	ACMEOptions
	manager *autocert.Manager
}

// NewACME asks nobody yet; see Run.
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

// TLS is for the listener.
func (a *ACME) TLS() *tls.Config {
	c := a.manager.TLSConfig()
	c.MinVersion = tls.VersionTLS12
	return c
}

// Names are those that it was given.
func (a *ACME) Names() []string { return slices.Clone(a.ACMEOptions.Names) }

// How long to wait after a failure. A CA counts them, and shuts out who is impatient.
const (
	firstPause = 2 * time.Minute
	lastPause  = 2 * time.Hour
)

// Run gets the certificates before someone calls: whoever comes first would
// wait for the CA, and what is wrong should be in the log before that.
func (a *ACME) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() { // a CA that hangs cannot be interrupted, and nobody should wait for it at the end
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
		CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}, // or it would ask for RSA
	})
	if err != nil {
		a.Log.Error("no certificate yet: does the name lead to this hub, and port 443 to its port?", "name", name, "err", err)
		return false
	}
	a.Log.Info("the certificate is in use", "name", name, "until", cert.Leaf.NotAfter.Format(time.DateOnly))
	return true
}
