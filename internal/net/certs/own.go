package certs

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
)

// OwnOptions configure an Own.
type OwnOptions struct {
	Dir     string   // directory of the CA
	Hosts   []string // names and addresses besides those of the machine
	Now     func() time.Time
	Machine Machine
	Log     *slog.Logger
}

// Own serves certificates of its own CA. It makes them on demand, never writes them to disk, and follows the
// machine's names and addresses.
type Own struct {
	OwnOptions
	authority *Authority

	mu      sync.Mutex
	current *tls.Certificate
	seen    []netip.Addr // local addresses of connections that the machine did not report
	looked  time.Time    // when the machine was last asked for its names
}

const (
	// mostSeen bounds how many addresses clients can add to a certificate by connecting to them.
	mostSeen = 16
	// lookAgain limits how often an unknown name makes us ask the machine for its names.
	lookAgain = 5 * time.Second
)

// NewOwn opens the CA, or makes it.
func NewOwn(o OwnOptions) (*Own, error) {
	us := o.Machine.names(o.Hosts)
	authority, err := openAuthority(o.Dir, o.Machine.host(), us, o.Now())
	if err != nil {
		return nil, err
	}
	if err := renew(filepath.Join(o.Dir, PublicFile), authority.PEM(), 0o644); err != nil {
		o.Log.Warn("the CA could not be written for others", "err", err)
	}
	own := &Own{OwnOptions: o, authority: authority}
	var hosts Names
	for _, h := range o.Hosts {
		hosts.add(h)
	}
	if _, refused := authority.within(hosts); len(refused) > 0 {
		o.Log.Warn("this hub's CA may not speak for all of its hosts: it was made before they were known. To use them, delete "+
			filepath.Join(o.Dir, secretFile)+" and start again; devices then have to trust the new CA", "hosts", strings.Join(refused, ", "))
	}
	return own, own.renew(o.Now())
}

func (o *Own) Authority() *Authority { return o.authority }

// TLS is the configuration for the listener.
func (o *Own) TLS() *tls.Config {
	return &tls.Config{GetCertificate: o.certificate, MinVersion: tls.VersionTLS12}
}

// Names are the host names in the certificate.
func (o *Own) Names() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.current.Leaf.DNSNames)
}

// certificate answers a client. For a name that is not ours there is none, which TLS reports as an unrecognized name.
func (o *Own) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	now := o.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	name := tidy(hello.ServerName)
	if _, err := netip.ParseAddr(name); err == nil {
		name = "" // an address is not a server name, though some clients send it
	}
	switch {
	case name != "" && !o.known(name, now):
		o.Log.Debug("refused a caller that asks for another name; if it is ours, add it to hosts in nod.toml", "name", nod.Fold(nod.OneLine(name), 100))
		return nil, nil
	case name == "":
		o.see(arrived(hello.Conn), now)
	}
	if o.stale(now) {
		if err := o.renew(now); err != nil {
			o.Log.Error("cannot renew the certificate", "err", err)
		}
	}
	return o.current, nil
}

// known reports whether a name is ours, including names that are only moments old.
func (o *Own) known(name string, now time.Time) bool {
	if slices.Contains(o.current.Leaf.DNSNames, name) {
		return true
	}
	if now.Sub(o.looked).Abs() < lookAgain {
		return false
	}
	o.looked = now
	all, _ := o.authority.within(o.Machine.names(o.Hosts))
	return slices.Contains(all.DNS, name) && o.renew(now) == nil
}

// see makes sure that the certificate covers the address that a client connected to. The connection itself proves
// that the address is ours.
func (o *Own) see(ip netip.Addr, now time.Time) {
	if !ip.IsValid() || !permitsAddr(o.authority.cert, ip) || o.covers(ip) {
		return
	}
	o.seen = append(o.seen, ip)
	if len(o.seen) > mostSeen {
		o.seen = o.seen[1:]
	}
	if err := o.renew(now); err != nil {
		o.Log.Error("cannot make a certificate for an address", "address", ip, "err", err)
	}
}

func (o *Own) covers(ip netip.Addr) bool {
	return slices.ContainsFunc(o.current.Leaf.IPAddresses, func(have net.IP) bool { return have.Equal(ip.AsSlice()) })
}

// stale: two thirds of its life are over, or the clock was set back.
func (o *Own) stale(now time.Time) bool {
	leaf := o.current.Leaf
	life := leaf.NotAfter.Sub(leaf.NotBefore)
	return now.Before(leaf.NotBefore) || now.After(leaf.NotBefore.Add(life*2/3))
}

// renew makes a certificate for all current names and addresses.
func (o *Own) renew(now time.Time) error {
	all := o.Machine.names(o.Hosts)
	for _, ip := range o.seen {
		all.add(ip.String())
	}
	signed, _ := o.authority.within(all)
	fresh, err := o.authority.issue(signed, now)
	if err != nil {
		return err
	}
	o.current = fresh
	return nil
}

// arrived is our end of a connection.
func arrived(c net.Conn) netip.Addr {
	if c == nil {
		return netip.Addr{}
	}
	addr, ok := c.LocalAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return addr.AddrPort().Addr().Unmap().WithZone("")
}
