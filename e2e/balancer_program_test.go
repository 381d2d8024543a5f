//go:build full

package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program starts a load balancer that listens there and forwards to two hubs.
type program func(t *testing.T, listen string, p certificates, hubs []string) fmt.Stringer

// nginx runs with the documented configuration; only addresses and certificates
// are the test's.
func nginx(t *testing.T, listen string, p certificates, hubs []string) fmt.Stringer {
	t.Helper()
	path := need(t, "nginx")
	conf := documented(t, "nginx", map[string]string{
		"hub1.example:8742": hubs[0], "hub2.example:8742": hubs[1], "listen 443 ssl": "listen " + listen + " ssl",
		"/etc/nginx/nod.pem": p.front.cert, "/etc/nginx/nod.key": p.front.key, "/etc/nginx/hubs-ca.pem": p.ca,
	})
	dir := t.TempDir()
	whole := fmt.Sprintf("daemon off;\nmaster_process off;\npid %[1]s/pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path %[1]s/body;\nproxy_temp_path %[1]s/proxy;\nfastcgi_temp_path %[1]s/fcgi;\nuwsgi_temp_path %[1]s/uwsgi;\nscgi_temp_path %[1]s/scgi;\n%[2]s}\n", dir, conf)
	file := write(t, dir, "nginx.conf", []byte(whole))
	return runBeside(t, dir, path, "-p", dir, "-c", file, "-e", "stderr")
}

// caddy is the same. Left to itself it would open ports 80 and 2019, and get
// certificates from the internet.
func caddy(t *testing.T, listen string, p certificates, hubs []string) fmt.Stringer {
	t.Helper()
	path := need(t, "caddy")
	conf := documented(t, "caddy", map[string]string{
		"hub1.example:8742": hubs[0], "hub2.example:8742": hubs[1], "/etc/caddy/hubs-ca.pem": p.ca,
		"nod.example.org {\n": "https://" + listen + " {\n\ttls " + p.front.cert + " " + p.front.key + "\n",
	})
	dir := t.TempDir()
	file := write(t, dir, "Caddyfile", []byte("{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tservers {\n\t\tprotocols h1 h2\n\t}\n}\n"+conf))
	return runBeside(t, dir, path, "run", "--config", file, "--adapter", "caddyfile")
}

// need finds a program, also where Debian keeps it out of a user's PATH.
func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	path = "/usr/sbin/" + name
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if os.Getenv("NOD_E2E_REQUIRE") == "1" {
		t.Fatalf("%s is not installed (NOD_E2E_REQUIRE=1)", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// runBeside runs a program until the test ends, with its own home directory.
func runBeside(t *testing.T, home, path string, args ...string) *lockedBuffer {
	t.Helper()
	said := &lockedBuffer{}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = home, []string{"PATH=/usr/bin:/bin", "HOME=" + home}, said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(path), lastLines(said.String(), 20))
		}
	})
	return said
}

// documented is a block of docs/several-hubs.md.
func documented(t *testing.T, language string, own map[string]string) string {
	t.Helper()
	return fromPage(t, "several-hubs.md", language+"\n", own)
}

// fromPage is the block of a page that starts like this, which people copy, with some
// names replaced.
func fromPage(t *testing.T, name, begins string, own map[string]string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(begins, "\n")
	_, rest, _ := strings.Cut(string(page), "```"+begins)
	conf, _, found := strings.Cut(first+rest, "```")
	if !found {
		t.Fatalf("docs/%s has no block that begins with %q", name, begins)
	}
	for from, to := range own {
		if !strings.Contains(conf, from) {
			t.Fatalf("docs/%s has no %q", name, from)
		}
		conf = strings.ReplaceAll(conf, from, to)
	}
	return conf
}

// certificates are a certificate authority and what it signed. The hubs'
// certificate is only for their common name.
type certificates struct {
	ca         string
	hub, front keyPair
	client     *http.Client // believes them
}

type keyPair struct{ cert, key string }

func issue(t *testing.T) certificates {
	t.Helper()
	dir := t.TempDir()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	caKey := newKey(t)
	sign := func(c *x509.Certificate, key *ecdsa.PrivateKey) []byte {
		der, err := x509.CreateCertificate(rand.Reader, c, ca, key.Public(), caKey)
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	}
	pair := func(name string, serial int64, addresses ...net.IP) keyPair {
		key := newKey(t)
		der, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		cert := sign(&x509.Certificate{
			SerialNumber: big.NewInt(serial), NotBefore: ca.NotBefore, NotAfter: ca.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
			ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, DNSNames: []string{"nod.example.org"}, IPAddresses: addresses,
		}, key)
		return keyPair{write(t, dir, name+".pem", cert), write(t, dir, name+".key", pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))}
	}
	root := sign(ca, caKey)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(root)
	return certificates{
		ca: write(t, dir, "ca.pem", root), hub: pair("hub", 2), front: pair("front", 3, net.IPv4(127, 0, 0, 1)),
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "nod.example.org"}}},
	}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func write(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
