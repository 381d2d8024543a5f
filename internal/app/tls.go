package app

import (
	"crypto/tls"
	"net"
	"path/filepath"
	"strings"
	"time"

	"nod/internal/net/certs"
	"nod/internal/net/httpd"
	"nod/internal/surface/trust"
)

// source is where the hub's certificate comes from.
type source interface {
	TLS() *tls.Config
	Names() []string // by which the hub may be called, because the certificate says so
}

// TLSDir is where a data directory keeps what belongs to HTTPS.
func TLSDir(data string) string { return filepath.Join(data, "tls") }

// openCertificates opens what was configured; without any, the hub speaks plain HTTP.
func (a *app) openCertificates() error {
	c := a.Config.TLS
	switch {
	case c.Own:
		own, err := certs.NewOwn(certs.OwnOptions{
			Dir: TLSDir(a.Data), Hosts: a.called(), Now: time.Now, Machine: certs.ThisMachine(), Log: a.Log,
		})
		if err != nil {
			return err
		}
		a.source, a.ca = own, own.Authority()
	case c.Cert != "":
		files, err := certs.OpenFiles(c.Cert, c.Key, time.Now, a.Log)
		if err != nil {
			return err
		}
		a.source = files
	case len(c.ACME) > 0:
		acme, err := certs.NewACME(certs.ACMEOptions{
			Dir: filepath.Join(TLSDir(a.Data), "acme"), Names: c.ACME, Email: c.ACMEEmail, Directory: c.ACMEDirectory, Log: a.Log,
		})
		if err != nil {
			return err
		}
		a.source = acme
		a.run = append(a.run, acme.Run)
	}
	return nil
}

// called is every name that a person gave the hub: those of the configuration,
// and that of the address it listens on.
func (a *app) called() []string {
	names := append([]string(nil), a.Config.Hosts...)
	if host, _, err := net.SplitHostPort(a.Config.Listen); err == nil && host != "" {
		names = append(names, host)
	}
	return names
}

// secure adds to the server what HTTPS needs. A name in the certificate is a
// name of the hub: over TLS no other web site can come under it.
func (a *app) secure(c httpd.Config) httpd.Config {
	if a.source == nil {
		return c
	}
	c.TLS = a.source.TLS()
	c.Hosts = append(append([]string(nil), c.Hosts...), a.source.Names()...)
	if a.ca != nil {
		c.PlainPaths = trust.Paths()
	}
	return c
}

// publicly is the address as others call the hub. A CA that is asked by ACME
// calls port 443, so that is where the names lead.
func (a *app) publicly() string {
	if names := a.Config.TLS.ACME; len(names) > 0 {
		return "https://" + names[0]
	}
	name := hostname()
	if a.ca != nil && !strings.Contains(name, ".") && name != "localhost" {
		name = strings.ToLower(name) + ".local" // phones know the names of a home network by this ending only
	}
	return publicAddress(a.address, name, a.Config.Hosts)
}

// trustLink is where a device finds out how to trust this hub. It is plain HTTP
// on purpose: the page is no secret, and nobody should learn to click warnings
// away. What is trusted is compared by its fingerprint.
func (a *app) trustLink() string {
	return "http://" + strings.TrimPrefix(a.public, "https://") + "/trust"
}

func (a *app) trust() []httpd.Route {
	var ca *trust.CA
	if a.ca != nil {
		ca = &trust.CA{DER: a.ca.DER(), Name: a.ca.Name(), Expires: a.ca.Expires()}
	}
	return a.use("trust", trust.New(ca))
}
