package certs

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var aMorning = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)

// desk is a made-up machine whose name, addresses and clock a test can change.
type desk struct {
	t     *testing.T
	dir   string
	mu    sync.Mutex
	name  string
	addrs []string
	time  time.Time
	hosts []string
	log   bytes.Buffer
}

func newDesk(t *testing.T) *desk {
	return &desk{t: t, dir: filepath.Join(t.TempDir(), "tls"), name: "Desk", addrs: []string{"127.0.0.1/8", "192.168.1.20/24", "fe80::1/64", "2001:db8::7/64"}, time: aMorning}
}

func (d *desk) options() OwnOptions {
	d.mu.Lock()
	defer d.mu.Unlock()
	return OwnOptions{
		Dir: d.dir, Hosts: d.hosts, Log: slog.New(slog.NewTextHandler(&d.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Now: func() time.Time { d.mu.Lock(); defer d.mu.Unlock(); return d.time },
		Machine: Machine{
			Hostname: func() (string, error) { d.mu.Lock(); defer d.mu.Unlock(); return d.name, nil },
			Addresses: func() (list []net.Addr, err error) {
				d.mu.Lock()
				defer d.mu.Unlock()
				for _, a := range d.addrs {
					p := netip.MustParsePrefix(a)
					list = append(list, &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())})
				}
				return list, nil
			},
		},
	}
}

func (d *desk) open() *Own {
	d.t.Helper()
	own, err := NewOwn(d.options())
	if err != nil {
		d.t.Fatal(err)
	}
	return own
}

func (d *desk) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
}

// trusting are roots that a device has after it trusted a CA.
func trusting(a *Authority) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// listen answers TLS on loopback; handshakes end there.
func listen(t *testing.T, address string, config *tls.Config) string {
	t.Helper()
	l, err := tls.Listen("tcp", address, config)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }),
		ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// call makes a real handshake as a device that trusts the CA.
func call(own *Own, address, name string, at time.Time) (*x509.Certificate, error) {
	conn, err := tls.Dial("tcp", address, &tls.Config{RootCAs: trusting(own.authority), ServerName: name, Time: func() time.Time { return at }})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0], nil
}

func TestTrustingDeviceConnectsUnderEveryName(t *testing.T) {
	d := newDesk(t)
	d.hosts = []string{"nod.example.org", "203.0.113.9"}
	own := d.open()
	address := listen(t, "127.0.0.1:0", own.TLS())
	for _, name := range []string{"localhost", "desk", "DESK", "desk.local", "nod.example.org", "127.0.0.1", "192.168.1.20", "203.0.113.9"} {
		cert, err := call(own, address, name, aMorning)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if life := cert.NotAfter.Sub(aMorning); life != leafLife || cert.IsCA {
			t.Errorf("%s: lives %v, CA %v", name, life, cert.IsCA)
		}
	}
	leaf := own.current.Leaf
	for _, ip := range leaf.IPAddresses {
		if ip.String() == "fe80::1" || ip.String() == "2001:db8::7" {
			t.Errorf("%s cannot be typed or changes every day", ip)
		}
	}
	if got := own.authority.Expires().Sub(aMorning); got != authorityLife {
		t.Errorf("the CA lives %v", got)
	}
}

func TestUnknownServerNameIsRefused(t *testing.T) {
	d := newDesk(t)
	own := d.open()
	address := listen(t, "127.0.0.1:0", own.TLS())
	for _, name := range []string{"bank.example", "desk.example.org", "local", "x.desk"} {
		if _, err := call(own, address, name, aMorning); err == nil || !strings.HasSuffix(err.Error(), "unrecognized name") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An address that came later is ours because someone called us there.
func TestNewAddressGetsACertificate(t *testing.T) {
	d := newDesk(t)
	own := d.open()
	address := listen(t, "127.0.0.2:0", own.TLS())
	if own.covers(netip.MustParseAddr("127.0.0.2")) {
		t.Fatal("it knows the address already")
	}
	for range 2 {
		if _, err := call(own, address, "127.0.0.2", aMorning); err != nil {
			t.Fatal(err)
		}
	}
	if len(own.seen) != 1 {
		t.Errorf("%v", own.seen)
	}
	for i := range 3 * mostSeen {
		own.see(netip.AddrFrom4([4]byte{127, 0, 1, byte(i)}), aMorning)
	}
	if n := len(own.current.Leaf.IPAddresses); len(own.seen) != mostSeen || n > mostSeen+4 {
		t.Errorf("callers put %d addresses into the certificate", n)
	}
	before := own.current
	own.see(netip.MustParseAddr("198.51.100.7"), aMorning)
	if own.current != before {
		t.Error("an address that the CA may not sign made a new certificate")
	}
}

func TestNewNameGetsACertificate(t *testing.T) {
	d := newDesk(t)
	own := d.open()
	address := listen(t, "127.0.0.1:0", own.TLS())
	if _, err := call(own, address, "kitchen.local", aMorning); err == nil {
		t.Fatal("a name of somebody else")
	}
	d.change(func() { d.name, d.time = "kitchen", aMorning.Add(lookAgain) })
	if _, err := call(own, address, "kitchen.local", aMorning); err != nil {
		t.Error(err)
	}
}

func TestCertificatesRenewThemselves(t *testing.T) {
	d := newDesk(t)
	own := d.open()
	address := listen(t, "127.0.0.1:0", own.TLS())
	at := func(when time.Time) *x509.Certificate {
		t.Helper()
		d.change(func() { d.time = when })
		cert, err := call(own, address, "desk.local", when)
		if err != nil {
			t.Fatalf("%v: %v", when, err)
		}
		return cert
	}
	first := at(aMorning)
	if !at(aMorning.Add(59 * 24 * time.Hour)).Equal(first) {
		t.Error("renewed before two thirds of its life")
	}
	second := at(aMorning.Add(61 * 24 * time.Hour))
	if second.Equal(first) {
		t.Error("not renewed after two thirds of its life")
	}
	if !at(aMorning.Add(62 * 24 * time.Hour)).Equal(second) {
		t.Error("renewed again at once")
	}
	if at(aMorning).Equal(second) {
		t.Error("the clock was set back, and the certificate is from the future")
	}
	last := at(aMorning.Add(authorityLife - time.Hour))
	if last.NotAfter.After(own.authority.Expires()) {
		t.Error("it outlives its CA")
	}
}

func TestARestartKeepsTheCA(t *testing.T) {
	d := newDesk(t)
	first := d.open()
	d.change(func() { d.time = aMorning.Add(365 * 24 * time.Hour) })
	again := d.open()
	if first.authority.Fingerprint() != again.authority.Fingerprint() || len(first.authority.Fingerprint()) != 95 {
		t.Error("another CA, or a strange fingerprint", again.authority.Fingerprint())
	}
	if first.current.Leaf.Equal(again.current.Leaf) {
		t.Error("server certificates are not kept")
	}
	if public, err := os.ReadFile(filepath.Join(d.dir, PublicFile)); err != nil || bytes.Contains(public, []byte("PRIVATE")) || !bytes.Equal(public, again.authority.PEM()) {
		t.Errorf("%v %s", err, public)
	}
	for name, want := range map[string]os.FileMode{d.dir: 0o700, filepath.Join(d.dir, secretFile): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	files, err := os.ReadDir(d.dir)
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v: something was left behind", files, err)
	}
}

func TestManyFirstStartsMakeOneCA(t *testing.T) {
	d := newDesk(t)
	o := d.options()
	prints := make([]string, 16)
	var all sync.WaitGroup
	for i := range prints {
		all.Go(func() {
			own, err := NewOwn(o)
			if err != nil {
				t.Error(err)
				return
			}
			prints[i] = own.authority.Fingerprint()
		})
	}
	all.Wait()
	if len(slices.Compact(prints)) != 1 {
		t.Errorf("%d different CAs", len(slices.Compact(prints)))
	}
}

func TestUnusableCAKeyExplainsWhatToDo(t *testing.T) {
	other := newDesk(t)
	other.open()
	foreign, err := os.ReadFile(filepath.Join(other.dir, secretFile))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		harm func(file string, secret []byte) error
		says string
	}{
		"open to all":   {func(f string, _ []byte) error { return os.Chmod(f, 0o644) }, "chmod 600"},
		"open to some":  {func(f string, _ []byte) error { return os.Chmod(f, 0o640) }, "mode 0640"},
		"cut off":       {func(f string, s []byte) error { return os.WriteFile(f, s[:len(s)/2], 0o600) }, "is damaged"},
		"empty":         {func(f string, _ []byte) error { return os.WriteFile(f, nil, 0o600) }, "backup"},
		"another's key": {func(f string, s []byte) error { return os.WriteFile(f, mixed(foreign, s), 0o600) }, "delete it and start again"},
		"a server's":    {func(f string, _ []byte) error { return os.WriteFile(f, serverSecret(t), 0o600) }, "is damaged"},
		"a folder":      {func(f string, _ []byte) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o700)) }, "cannot read"},
		"an ended CA":   {func(string, []byte) error { return nil }, "ended on 2036"},
		"a folder taken": {func(f string, _ []byte) error {
			return errors.Join(os.RemoveAll(filepath.Dir(f)), os.WriteFile(filepath.Dir(f), nil, 0o600))
		}, "cannot use"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.open()
			file := filepath.Join(d.dir, secretFile)
			secret, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.harm(file, secret); err != nil {
				t.Fatal(err)
			}
			if name == "an ended CA" {
				d.time = aMorning.Add(authorityLife + time.Hour)
			}
			if _, err := NewOwn(d.options()); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want …%s…", err, c.says)
			}
		})
	}
}

// mixed is the key of one CA with the certificate of another.
func mixed(key, cert []byte) []byte {
	const begin = "-----BEGIN CERTIFICATE"
	return append(bytes.Clone(key[:bytes.Index(key, []byte(begin))]), cert[bytes.Index(cert, []byte(begin)):]...)
}

func serverSecret(t *testing.T) []byte {
	own := newDesk(t).open()
	a := &Authority{own.current.Leaf, own.current.PrivateKey.(crypto.Signer)}
	secret, err := a.secret()
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestAMachineWithoutAClockMakesNoCA(t *testing.T) {
	d := newDesk(t)
	d.time = time.Date(1970, 1, 1, 0, 1, 0, 0, time.UTC)
	if _, err := NewOwn(d.options()); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Error(err)
	}
}

// What others make of it: OpenSSL and curl.
func TestOtherProgramsTrustIt(t *testing.T) {
	d := newDesk(t)
	d.time = time.Now()
	own := d.open()
	_, port, err := net.SplitHostPort(listen(t, "127.0.0.1:0", own.TLS()))
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(d.dir, PublicFile)
	for name, args := range map[string][]string{
		"openssl verify": {"openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", ca, "-verify_hostname", "desk.local", pemFile(t, own)},
		"curl by name":   {"curl", "-sS", "--cacert", ca, "--resolve", "desk.local:" + port + ":127.0.0.1", "https://desk.local:" + port},
		"curl by number": {"curl", "-sS", "--cacert", ca, "https://127.0.0.1:" + port},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(args[0]); err != nil {
				t.Skip(args[0] + " is not installed")
			}
			if out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func pemFile(t *testing.T, own *Own) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "leaf.pem")
	if err := os.WriteFile(file, (&Authority{cert: own.current.Leaf}).PEM(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
