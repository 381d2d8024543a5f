package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nod/internal/app"
	"nod/internal/machine/env"
	"nod/internal/net/certs"
	"nod/internal/present/words"
)

// A certificate that expires within certSoon should have been renewed already. A
// CA gets more time, because replacing it means work on every device.
const (
	certSoon = 10 * 24 * time.Hour
	caSoon   = 90 * 24 * time.Hour
)

// https makes a handshake with the hub and examines its certificate.
func (h *hubChecks) https(ctx context.Context) Finding {
	address := h.Getenv("NOD_URL")
	if !h.remote() {
		if h.health == nil {
			return skip(h.Say(words.SkipHub))
		}
		address = h.health.Listen
	}
	u, err := url.Parse(address)
	switch {
	case address == "":
		return skip(h.Say(words.SkipAddress))
	case err != nil || u.Host == "":
		return skip(h.Say(words.HubAddress))
	case u.Scheme != "https" && onlyHere(u.Hostname()):
		return fine(h.Say(words.TLSPlain))
	case u.Scheme != "https":
		return warn(h.Say(words.TLSPlainWide, u.Redacted()), h.Say(words.TLSPlainFix))
	}
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	chain, err := h.handshake(ctx, u)
	if err != nil {
		return fail(h.Say(words.TLSFails, u.Host, lastCause(err)), h.Say(words.TLSFailsFix))
	}
	return h.certificateOf(u, chain)
}

// untrusted: a hub answers, but this machine does not trust its certificate.
func untrusted(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

func onlyHere(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// handshake returns whatever certificates the hub presents. A hub on this machine
// is dialled at the loopback address too: its public name may not resolve here.
func (h *hubChecks) handshake(ctx context.Context, u *url.URL) ([]*x509.Certificate, error) {
	port := u.Port()
	if conf, _, err := h.Load(h.DataDir, ""); port == "" && !h.remote() && err == nil {
		_, port, _ = net.SplitHostPort(conf.Listen)
	}
	port = cmp.Or(port, "443")
	targets := []string{net.JoinHostPort(u.Hostname(), port)}
	if _, err := netip.ParseAddr(u.Hostname()); err != nil && !h.remote() {
		targets = append([]string{net.JoinHostPort("127.0.0.1", port)}, targets...)
	}
	dialer := tls.Dialer{Config: &tls.Config{ServerName: u.Hostname(), InsecureSkipVerify: true}} // certificateOf verifies it, and says what is wrong
	var err error
	for _, target := range targets {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, "tcp", target); err == nil {
			defer conn.Close()
			return conn.(*tls.Conn).ConnectionState().PeerCertificates, nil
		}
		if op, ok := errors.AsType[*net.OpError](err); !ok || op.Op != "dial" {
			break // it answers, but refuses the handshake
		}
	}
	return nil, err
}

// certificateOf verifies what the hub presented.
func (h *hubChecks) certificateOf(u *url.URL, chain []*x509.Certificate) Finding {
	leaf, now := chain[0], h.Now()
	names := namesOf(leaf)
	until := leaf.NotAfter.Format(time.DateOnly)
	switch left := leaf.NotAfter.Sub(now); {
	case left < 0:
		return fail(h.Say(words.TLSEnded, until), h.Say(words.TLSEndedFix))
	case leaf.VerifyHostname(u.Hostname()) != nil:
		return warn(h.Say(words.TLSOther, names, u.Hostname()), h.Say(words.TLSOtherFix))
	case left < certSoon && leaf.NotAfter.Sub(leaf.NotBefore) > 3*certSoon:
		return warn(h.Say(words.TLSSoon, until), h.Say(words.TLSEndedFix))
	}
	roots, own := h.roots()
	options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool(), CurrentTime: now}
	for _, intermediate := range chain[1:] {
		options.Intermediates.AddCert(intermediate)
	}
	verified, err := leaf.Verify(options)
	if err != nil {
		return warn(h.Say(words.TLSUnknown), h.Say(words.TLSUnknownFix, "https://"+u.Host))
	}
	found := h.Say(words.TLSValid, until, names)
	ca := verified[0][len(verified[0])-1]
	if own == nil || !ca.Equal(own) {
		return fine(found)
	}
	if ca.NotAfter.Sub(now) < caSoon {
		return warn(h.Say(words.TLSCASoon, ca.NotAfter.Format(time.DateOnly)), h.Say(words.TLSCASoonFix, app.TLSDir(h.DataDir)))
	}
	return fine(found + "; " + h.Say(words.TLSOwn, certs.Fingerprint(ca.Raw)))
}

// roots are the CAs that this machine trusts, with the hub's own CA if it is known.
func (h *hubChecks) roots() (*x509.CertPool, *x509.Certificate) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	file := h.Getenv("NOD_CA")
	if !h.remote() {
		file = filepath.Join(app.TLSDir(h.DataDir), certs.PublicFile)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return pool, nil
	}
	pool.AppendCertsFromPEM(text)
	ca, _ := certs.ParsePEM(text)
	return pool, ca
}

// mostNames is how many names of a certificate are listed.
const mostNames = 6

func namesOf(leaf *x509.Certificate) string {
	names := append([]string(nil), leaf.DNSNames...)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	if more := len(names) - mostNames; more > 0 {
		names = append(names[:mostNames], fmt.Sprintf("+%d", more))
	}
	return strings.Join(names, ", ")
}
