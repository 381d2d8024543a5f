package certs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

// publicCA is a small ACME server (RFC 8555) that calls back by TLS-ALPN-01
// (RFC 8737). It knows one account and one order at a time.
type publicCA struct {
	t      *testing.T
	server *httptest.Server
	hub    string // where the name leads to
	ca     *Authority

	mu     sync.Mutex
	thumb  string // of the account's key
	name   string
	proved bool
	issued *tls.Certificate
	orders int
}

func newPublicCA(t *testing.T) *publicCA {
	t.Helper()
	ca, err := newAuthority("public", Names{DNS: []string{"nod.example.org"}}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p := &publicCA{t: t, ca: ca}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /directory", func(w http.ResponseWriter, _ *http.Request) {
		p.say(w, 200, map[string]any{"newNonce": p.at("/nonce"), "newAccount": p.at("/account"), "newOrder": p.at("/order"), "meta": map[string]any{"termsOfService": p.at("/terms")}})
	})
	mux.HandleFunc("HEAD /nonce", func(w http.ResponseWriter, _ *http.Request) { p.say(w, 200, nil) })
	for path, handle := range map[string]func(http.ResponseWriter, json.RawMessage, json.RawMessage){
		"/account": p.account, "/order": p.order, "/orders/1": p.told, "/authz": p.authz, "/challenge": p.challenge, "/finalize": p.finalize, "/cert": p.cert,
	} {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			var jws struct{ Protected, Payload string }
			if err := json.NewDecoder(r.Body).Decode(&jws); err != nil {
				http.Error(w, "no JWS", http.StatusBadRequest)
				return
			}
			protected, _ := base64.RawURLEncoding.DecodeString(jws.Protected)
			payload, _ := base64.RawURLEncoding.DecodeString(jws.Payload)
			p.mu.Lock()
			defer p.mu.Unlock()
			handle(w, protected, payload)
		})
	}
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	return p
}

func (p *publicCA) at(path string) string { return p.server.URL + path }

func (p *publicCA) say(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Replay-Nonce", "once")
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if v != nil {
		_ = json.NewEncoder(w).Encode(v)
	}
}

func (p *publicCA) account(w http.ResponseWriter, protected, payload json.RawMessage) {
	var head struct {
		JWK struct{ X, Y string }
	}
	var body struct {
		Contact []string
		Agreed  bool `json:"termsOfServiceAgreed"`
	}
	if json.Unmarshal(protected, &head) != nil || json.Unmarshal(payload, &body) != nil || !body.Agreed || strings.Join(body.Contact, "") != "mailto:anna@example.org" {
		p.t.Errorf("account %s %s", protected, payload)
	}
	x, _ := base64.RawURLEncoding.DecodeString(head.JWK.X)
	y, _ := base64.RawURLEncoding.DecodeString(head.JWK.Y)
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), slices.Concat([]byte{4}, x, y))
	if err != nil {
		p.t.Error(err)
		return
	}
	thumb, err := acme.JWKThumbprint(key)
	if err != nil {
		p.t.Error(err)
	}
	p.thumb = thumb
	w.Header().Set("Location", p.at("/account"))
	p.say(w, 201, map[string]any{"status": "valid"})
}

func (p *publicCA) order(w http.ResponseWriter, _, payload json.RawMessage) {
	var body struct {
		Identifiers []struct{ Type, Value string }
	}
	if json.Unmarshal(payload, &body) != nil || len(body.Identifiers) != 1 {
		p.t.Errorf("order %s", payload)
		return
	}
	p.orders++
	p.name, p.proved, p.issued = body.Identifiers[0].Value, false, nil
	w.Header().Set("Location", p.at("/orders/1"))
	p.say(w, 201, p.orderNow())
}

func (p *publicCA) orderNow() map[string]any {
	o := map[string]any{
		"status": "pending", "identifiers": []any{map[string]string{"type": "dns", "value": p.name}},
		"authorizations": []string{p.at("/authz")}, "finalize": p.at("/finalize"),
	}
	if p.proved {
		o["status"] = "ready"
	}
	if p.issued != nil {
		o["status"], o["certificate"] = "valid", p.at("/cert")
	}
	return o
}

func (p *publicCA) told(w http.ResponseWriter, _, _ json.RawMessage) {
	w.Header().Set("Location", p.at("/orders/1"))
	p.say(w, 200, p.orderNow())
}

const token = "a-token-of-the-test"

func (p *publicCA) authz(w http.ResponseWriter, _, _ json.RawMessage) {
	status := map[bool]string{true: "valid", false: "pending"}[p.proved]
	p.say(w, 200, map[string]any{
		"status": status, "identifier": map[string]string{"type": "dns", "value": p.name},
		"challenges": []any{
			map[string]string{"type": "http-01", "url": p.at("/never"), "token": token, "status": "pending"},
			map[string]string{"type": "tls-alpn-01", "url": p.at("/challenge"), "token": token, "status": status},
		},
	})
}

// challenge calls the hub as the CA would.
func (p *publicCA) challenge(w http.ResponseWriter, _, _ json.RawMessage) {
	conn, err := tls.Dial("tcp", p.hub, &tls.Config{ServerName: p.name, NextProtos: []string{acme.ALPNProto}, InsecureSkipVerify: true})
	if err != nil {
		p.t.Errorf("the hub did not take the challenge: %v", err)
		return
	}
	defer conn.Close()
	want := sha256.Sum256([]byte(token + "." + p.thumb))
	for _, e := range conn.ConnectionState().PeerCertificates[0].Extensions {
		var got []byte
		if e.Id.Equal(asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 1, 31}) && e.Critical {
			_, err := asn1.Unmarshal(e.Value, &got)
			p.proved = err == nil && bytes.Equal(got, want[:])
		}
	}
	if !p.proved || conn.ConnectionState().NegotiatedProtocol != acme.ALPNProto {
		p.t.Error("the hub proved nothing")
	}
	p.say(w, 200, map[string]string{"type": "tls-alpn-01", "url": p.at("/challenge"), "token": token, "status": "processing"})
}

func (p *publicCA) finalize(w http.ResponseWriter, _, payload json.RawMessage) {
	var body struct{ CSR string }
	_ = json.Unmarshal(payload, &body)
	der, _ := base64.RawURLEncoding.DecodeString(body.CSR)
	csr, err := x509.ParseCertificateRequest(der)
	if err != nil || !p.proved || len(csr.DNSNames) != 1 || csr.DNSNames[0] != p.name {
		p.t.Errorf("finalize: %v, proved %v", err, p.proved)
		return
	}
	if p.issued, err = p.ca.sign(csr); err != nil {
		p.t.Error(err)
	}
	w.Header().Set("Location", p.at("/orders/1"))
	p.say(w, 200, p.orderNow())
}

// sign is what a public CA does with a request: the key is someone else's.
func (a *Authority) sign(csr *x509.CertificateRequest) (*tls.Certificate, error) {
	now := time.Now()
	template := &x509.Certificate{
		Subject: csr.Subject, DNSNames: csr.DNSNames, NotBefore: now.Add(-slack), NotAfter: now.Add(leafLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, csr.PublicKey, a.key)
	return &tls.Certificate{Certificate: [][]byte{der}}, err
}

func (p *publicCA) cert(w http.ResponseWriter, _, _ json.RawMessage) {
	w.Header().Set("Replay-Nonce", "once")
	w.Header().Set("Content-Type", "application/pem-certificate-chain")
	fmt.Fprintf(w, "%s%s", pem.EncodeToMemory(&pem.Block{Type: certBlock, Bytes: p.issued.Certificate[0]}), p.ca.PEM())
}

func TestACMECertificate(t *testing.T) {
	public := newPublicCA(t)
	dir := filepath.Join(t.TempDir(), "acme")
	var log bytes.Buffer
	open := func() *ACME {
		a, err := NewACME(ACMEOptions{
			Dir: dir, Names: []string{"nod.example.org"}, Email: "anna@example.org", Directory: public.at("/directory"),
			Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := open()
	public.hub = listen(t, "127.0.0.1:0", a.TLS())
	a.Run(t.Context())
	if !strings.Contains(log.String(), "the certificate is in use") {
		t.Fatal(log.String())
	}
	roots := trusting(public.ca)
	conn, err := tls.Dial("tcp", public.hub, &tls.Config{RootCAs: roots, ServerName: "nod.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	for _, name := range []string{"other.example.org", "localhost", ""} {
		if c, err := tls.Dial("tcp", public.hub, &tls.Config{InsecureSkipVerify: true, ServerName: name}); err == nil {
			c.Close()
			t.Errorf("a caller for %q was served", name)
		}
	}
	again := open() // as after a restart
	again.Run(t.Context())
	if public.orders != 1 {
		t.Errorf("%d orders: the certificate was not kept", public.orders)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
}
