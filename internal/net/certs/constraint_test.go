package certs

import (
	"crypto/x509"
	"net/netip"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A stolen CA key can sign anything, but clients reject the result.
func TestStolenCAKeyCannotSignPublicNames(t *testing.T) {
	d := newDesk(t)
	d.name, d.hosts = "dev", []string{"nod.example.org", "github.io", "co.uk"}
	a := d.open().authority
	forge := func(name string) (*x509.Certificate, error) {
		var names Names
		names.add(name)
		forged, err := a.issue(names, aMorning)
		if err != nil {
			t.Fatal(err)
		}
		_, err = forged.Leaf.Verify(x509.VerifyOptions{Roots: trusting(a), DNSName: name, CurrentTime: aMorning})
		return forged.Leaf, err
	}
	for _, name := range []string{"bank.example", "example.org", "org", "web.dev", "dev", "anna.github.io", "shop.co.uk", "notlocal", "203.0.113.1", "8.8.8.8", "2001:db8::1", "172.32.0.1"} {
		if _, err := forge(name); err == nil {
			t.Errorf("it can speak for %s", name)
		}
	}
	for _, name := range []string{"dev.local", "tv.lan", "db.internal", "a.home.arpa", "localhost", "nod.example.org", "10.1.2.3", "172.31.0.1", "192.168.0.7", "100.100.1.1", "fd00::5", "::1"} {
		if _, err := forge(name); err != nil {
			t.Errorf("it cannot speak for %s: %v", name, err)
		}
	}
	if !a.cert.PermittedDNSDomainsCritical || a.cert.MaxPathLen != 0 || !a.cert.MaxPathLenZero || !slices.Equal(a.cert.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) {
		t.Errorf("%+v", a.cert)
	}
}

func TestOpenSSLRefusesWhatIsNotPrivate(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	d := newDesk(t)
	own := d.open()
	forged, err := own.authority.issue(Names{DNS: []string{"bank.example"}, IP: []netip.Addr{netip.MustParseAddr("8.8.8.8")}}, aMorning)
	if err != nil {
		t.Fatal(err)
	}
	own.current = forged
	out, err := exec.CommandContext(t.Context(), "openssl", "verify", "-no_check_time", "-CAfile", filepath.Join(d.dir, PublicFile), pemFile(t, own)).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "permitted subtree violation") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestHostsAddedLaterAreReported(t *testing.T) {
	d := newDesk(t)
	d.open()
	d.hosts = []string{"nod.example.org", "kitchen.lan"}
	own := d.open()
	if slices.Contains(own.Names(), "nod.example.org") || !slices.Contains(own.Names(), "kitchen.lan") {
		t.Error(own.Names())
	}
	if !strings.Contains(d.log.String(), "hosts=nod.example.org") || !strings.Contains(d.log.String(), "delete "+filepath.Join(d.dir, secretFile)) {
		t.Error(d.log.String())
	}
}

func TestInvalidNamesAreNotInTheCertificate(t *testing.T) {
	d := newDesk(t)
	d.name, d.hosts = "Anna's Mac", []string{"", "-x", "*.local", "żółw.local", "a b", "0.0.0.0", "Kitchen.Local."}
	if got, want := d.open().Names(), []string{"kitchen.local", "localhost"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
