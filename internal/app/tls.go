package app

import (
	"crypto/tls"
	"net"
	"path/filepath"
	"slices"
	"time"

	"nod/internal/net/certs"
	"nod/internal/net/httpd"
	"nod/internal/surface/trust"
)

// certificates are what the hub needs for HTTPS.
type certificates struct {
	source source           // nil: plain HTTP
	ca     *certs.Authority // of this hub, if it has one
}

// source is where the hub's certificate comes from.
type source interface {
	TLS() *tls.Config
	Names() []string // by which the hub may be called, because the certificate says so
}

// TLSDir is where a data directory keeps what belongs to HTTPS.
func TLSDir(data string) string { return filepath.Join(data, "tls") }

// openCertificates opens what was configured; without any, the hub speaks plain HTTP.
func openCertificates(o Options) (c certificates, err error) {
	switch t := o.Config.TLS; {
	case t.Own:
		own, err := certs.NewOwn(certs.OwnOptions{Dir: TLSDir(o.Data), Hosts: o.names(), Now: time.Now, Machine: certs.ThisMachine(), Log: o.Log})
		if err != nil {
			return c, err
		}
		return certificates{own, own.Authority()}, nil
	case t.Cert != "":
		c.source, err = certs.OpenFiles(t.Cert, t.Key, time.Now, o.Log)
	case len(t.ACME) > 0:
		c.source, err = certs.NewACME(certs.ACMEOptions{
			Dir: filepath.Join(TLSDir(o.Data), "acme"), Names: t.ACME, Email: t.ACMEEmail, Directory: t.ACMEDirectory, Log: o.Log,
		})
	}
	return c, err
}

// names are all that a person gave the hub: those of the configuration, and that of the
// address it listens on.
func (o *Options) names() []string {
	names := slices.Clone(o.Config.Hosts)
	if host, _, err := net.SplitHostPort(o.Config.Listen); err == nil && host != "" {
		names = append(names, host)
	}
	return names
}

// secure adds to a server what HTTPS needs. A name in the certificate is a name of the
// hub: over TLS no other web site can use it.
func (c certificates) secure(s httpd.Config) httpd.Config {
	if c.source == nil {
		return s
	}
	s.TLS = c.source.TLS()
	s.Hosts = slices.Concat(s.Hosts, c.source.Names())
	if c.ca != nil {
		s.PlainPaths = trust.Paths()
	}
	return s
}

// config makes the TLS configuration of another server; nil: there is no certificate.
func (c certificates) config() func() *tls.Config {
	if c.source == nil {
		return nil
	}
	return c.source.TLS
}

// trustCA is what devices are told about the hub's own CA; nil: there is none.
func (c certificates) trustCA() *trust.CA {
	if c.ca == nil {
		return nil
	}
	return &trust.CA{DER: c.ca.DER(), Name: c.ca.Name(), Expires: c.ca.Expires()}
}

// pem is the hub's own CA; nil: there is none.
func (c certificates) pem() []byte {
	if c.ca == nil {
		return nil
	}
	return c.ca.PEM()
}
