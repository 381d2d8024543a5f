package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// pair is a certificate of one's own with its key, in files.
type pair struct {
	t         *testing.T
	cert, key string
	time      time.Time
	log       bytes.Buffer
	ca        *Authority
}

func newPair(t *testing.T) *pair {
	t.Helper()
	dir := t.TempDir()
	ca, err := newAuthority("elsewhere", Names{}, aMorning)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{t: t, cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"), time: aMorning, ca: ca}
	p.put(p.cert, p.key, "one.lan", "*.two.lan")
	return p
}

// put writes a fresh pair; an empty name leaves that half as it was.
func (p *pair) put(cert, key string, names ...string) {
	p.t.Helper()
	fresh, err := p.ca.issue(Names{DNS: names}, aMorning)
	if err != nil {
		p.t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(fresh.PrivateKey)
	if err != nil {
		p.t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{cert: {Type: certBlock, Bytes: fresh.Certificate[0]}, key: {Type: keyBlock, Bytes: der}} {
		if file == "" {
			continue
		}
		if err := errors.Join(os.WriteFile(file, pem.EncodeToMemory(block), 0o600), os.Chtimes(file, p.time, p.time)); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *pair) open() *Files {
	p.t.Helper()
	f, err := OpenFiles(p.cert, p.key, func() time.Time { return p.time }, slog.New(slog.NewTextHandler(&p.log, nil)))
	if err != nil {
		p.t.Fatal(err)
	}
	return f
}

func TestChangedFilesAreReloaded(t *testing.T) {
	p := newPair(t)
	f := p.open()
	shown := func() string {
		t.Helper()
		cert, err := f.TLS().GetCertificate(&tls.ClientHelloInfo{})
		if err != nil {
			t.Fatal(err)
		}
		return cert.Leaf.DNSNames[0]
	}
	if got := f.Names(); !slices.Equal(got, []string{"one.lan"}) {
		t.Error(got)
	}
	p.time = p.time.Add(30 * time.Second)
	p.put(p.cert, p.key, "two.lan")
	if shown() != "one.lan" {
		t.Error("the files were looked at twice within a minute")
	}
	p.time = p.time.Add(30 * time.Second)
	if shown() != "two.lan" || !strings.Contains(p.log.String(), "a new certificate is in use") {
		t.Error("the new files were not used", p.log.String())
	}

	p.time = p.time.Add(time.Minute)
	p.put(p.cert, "", "three.lan") // its key comes later
	if shown() != "two.lan" || strings.Count(p.log.String(), "the old one stays") != 1 {
		t.Error("half a pair was used", p.log.String())
	}
	p.time = p.time.Add(time.Minute)
	if shown() != "two.lan" || strings.Count(p.log.String(), "the old one stays") != 1 {
		t.Error("it complains every minute", p.log.String())
	}
	p.time = p.time.Add(time.Minute)
	p.put(p.cert, p.key, "three.lan")
	if shown() != "three.lan" {
		t.Error("the whole pair was not used")
	}
	p.time = p.time.Add(time.Minute)
	if err := os.Remove(p.cert); err != nil {
		t.Fatal(err)
	}
	if shown() != "three.lan" {
		t.Error("the certificate was lost with its file")
	}
}

func TestMismatchedFilesAreNamed(t *testing.T) {
	p := newPair(t)
	p.put("", p.key, "other.lan")
	_, err := OpenFiles(p.cert, p.key, time.Now, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(err.Error(), "belong together") || !strings.Contains(err.Error(), p.key) {
		t.Error(err)
	}
}
