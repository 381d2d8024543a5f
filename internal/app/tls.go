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
func (h *house) openCertificates() error {
	c := h.Config.TLS
	switch {
	case c.Own:
		own, err := certs.NewOwn(certs.OwnOptions{
			Dir: TLSDir(h.Data), Hosts: h.called(), Now: time.Now, Machine: certs.ThisMachine(), Log: h.Log,
		})
		if err != nil {
			return err
		}
		h.source, h.ca = own, own.Authority()
	case c.Cert != "":
		files, err := certs.OpenFiles(c.Cert, c.Key, time.Now, h.Log)
		if err != nil {
			return err
		}
		h.source = files
	case len(c.ACME) > 0:
		acme, err := certs.NewACME(certs.ACMEOptions{
			Dir: filepath.Join(TLSDir(h.Data), "acme"), Names: c.ACME, Email: c.ACMEEmail, Directory: c.ACMEDirectory, Log: h.Log,
		})
		if err != nil {
			return err
		}
		h.source = acme
		h.run = append(h.run, acme.Run)
	}
	return nil
}

// called is every name that a person gave the hub: those of the configuration,
// and that of the address it listens on.
func (h *house) called() []string {
	names := append([]string(nil), h.Config.Hosts...)
	if host, _, err := net.SplitHostPort(h.Config.Listen); err == nil && host != "" {
		names = append(names, host)
	}
	return names
}

// secure adds to the server what HTTPS needs. A name in the certificate is a
// name of the hub: over TLS no other web site can come under it.
func (h *house) secure(c httpd.Config) httpd.Config {
	if h.source == nil {
		return c
	}
	c.TLS = h.source.TLS()
	c.Hosts = append(append([]string(nil), c.Hosts...), h.source.Names()...)
	if h.ca != nil {
		c.Plain = trust.Paths()
	}
	return c
}

// publicly is the address as others call the hub. A CA that is asked by ACME
// calls port 443, so that is where the names lead.
func (h *house) publicly() string {
	if names := h.Config.TLS.ACME; len(names) > 0 {
		return "https://" + names[0]
	}
	name := hostname()
	if h.ca != nil && !strings.Contains(name, ".") && name != "localhost" {
		name = strings.ToLower(name) + ".local" // phones know the names of a home network by this ending only
	}
	return publicAddress(h.address, name, h.Config.Hosts)
}

// trustLink is where a device finds out how to trust this hub. It is plain HTTP
// on purpose: the page is no secret, and nobody should learn to click warnings
// away. What is trusted is compared by its fingerprint.
func (h *house) trustLink() string {
	return "http://" + strings.TrimPrefix(h.public, "https://") + "/trust"
}

func (h *house) trust() []httpd.Route {
	if h.ca == nil {
		return trust.Routes(nil)
	}
	return trust.Routes(&trust.CA{DER: h.ca.DER(), Name: h.ca.Name(), Expires: h.ca.Expires()})
}
