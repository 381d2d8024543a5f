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

// A certificate that ends sooner than this was not renewed when it should have
// been; a CA that does wants all devices to be touched.
const (
	certSoon = 10 * 24 * time.Hour
	caSoon   = 90 * 24 * time.Hour
)

// https makes a handshake with the hub and looks at what it shows.
func (c *checkup) https(ctx context.Context) finding {
	address := c.Getenv("NOD_URL")
	if !c.remote() {
		if c.hub.health == nil {
			return skip(c.Say(words.SkipHub))
		}
		address = c.hub.health.Listen
	}
	u, err := url.Parse(address)
	switch {
	case address == "":
		return skip(c.Say(words.SkipAddress))
	case err != nil || u.Host == "":
		return skip(c.Say(words.HubAddress))
	case u.Scheme != "https" && onlyHere(u.Hostname()):
		return fine(c.Say(words.TLSPlain))
	case u.Scheme != "https":
		return warn(c.Say(words.TLSPlainWide, u.Redacted()), c.Say(words.TLSPlainFix))
	}
	ctx, cancel := context.WithTimeout(ctx, env.HubTimeout)
	defer cancel()
	chain, err := c.handshake(ctx, u)
	if err != nil {
		return fail(c.Say(words.TLSFails, u.Host, lastCause(err)), c.Say(words.TLSFailsFix))
	}
	return c.certificateOf(u, chain)
}

// untrusted: there is a hub, but this machine does not believe that it is ours.
func untrusted(err error) bool {
	_, ok := errors.AsType[*tls.CertificateVerificationError](err)
	return ok
}

func onlyHere(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// handshake takes whatever the hub shows. A hub on this machine is called here,
// under its public name, which this machine itself may not know.
func (c *checkup) handshake(ctx context.Context, u *url.URL) ([]*x509.Certificate, error) {
	port := u.Port()
	if conf, _, err := c.Load(c.DataDir, ""); port == "" && !c.remote() && err == nil {
		_, port, _ = net.SplitHostPort(conf.Listen)
	}
	port = cmp.Or(port, "443")
	targets := []string{net.JoinHostPort(u.Hostname(), port)}
	if _, err := netip.ParseAddr(u.Hostname()); err != nil && !c.remote() {
		targets = append([]string{net.JoinHostPort("127.0.0.1", port)}, targets...)
	}
	dialer := tls.Dialer{Config: &tls.Config{ServerName: u.Hostname(), InsecureSkipVerify: true}} // it is judged below, with reasons
	var err error
	for _, target := range targets {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, "tcp", target); err == nil {
			defer conn.Close()
			return conn.(*tls.Conn).ConnectionState().PeerCertificates, nil
		}
		if op, ok := errors.AsType[*net.OpError](err); !ok || op.Op != "dial" {
			break // someone is there, and does not want us
		}
	}
	return nil, err
}

// certificateOf judges what was shown.
func (c *checkup) certificateOf(u *url.URL, chain []*x509.Certificate) finding {
	leaf, now := chain[0], c.Now()
	names := namesOf(leaf)
	until := leaf.NotAfter.Format(time.DateOnly)
	switch left := leaf.NotAfter.Sub(now); {
	case left < 0:
		return fail(c.Say(words.TLSEnded, until), c.Say(words.TLSEndedFix))
	case leaf.VerifyHostname(u.Hostname()) != nil:
		return warn(c.Say(words.TLSOther, names, u.Hostname()), c.Say(words.TLSOtherFix))
	case left < certSoon && leaf.NotAfter.Sub(leaf.NotBefore) > 3*certSoon:
		return warn(c.Say(words.TLSSoon, until), c.Say(words.TLSEndedFix))
	}
	roots, own := c.roots()
	options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool(), CurrentTime: now}
	for _, between := range chain[1:] {
		options.Intermediates.AddCert(between)
	}
	verified, err := leaf.Verify(options)
	if err != nil {
		return warn(c.Say(words.TLSUnknown), c.Say(words.TLSUnknownFix, "https://"+u.Host))
	}
	found := c.Say(words.TLSValid, until, names)
	ca := verified[0][len(verified[0])-1]
	if own == nil || !ca.Equal(own) {
		return fine(found)
	}
	if ca.NotAfter.Sub(now) < caSoon {
		return warn(c.Say(words.TLSCASoon, ca.NotAfter.Format(time.DateOnly)), c.Say(words.TLSCASoonFix, app.TLSDir(c.DataDir)))
	}
	return fine(found + "; " + c.Say(words.TLSOwn, certs.Fingerprint(ca.Raw)))
}

// roots are whom this machine believes, and the hub's own CA if we know it.
func (c *checkup) roots() (*x509.CertPool, *x509.Certificate) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	file := c.Getenv("NOD_CA")
	if !c.remote() {
		file = filepath.Join(app.TLSDir(c.DataDir), certs.PublicFile)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return pool, nil
	}
	pool.AppendCertsFromPEM(text)
	ca, _ := certs.ParsePEM(text)
	return pool, ca
}

// mostNames is how many names of a certificate are told.
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
