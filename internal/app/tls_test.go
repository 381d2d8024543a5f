package app_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod/internal/app"
	"nod/internal/client"
	"nod/internal/net/certs"
)

// secured is a hub as `nod serve --tls` makes it, and what it says.
type secured struct {
	address, pairing, trust string
	stop                    func()
}

func serveTLS(t *testing.T, data string, change func(*app.Config)) *secured {
	t.Helper()
	cfg := app.DefaultConfig()
	cfg.Listen, cfg.TLS = "127.0.0.1:0", certs.Config{Own: true}
	if change != nil {
		change(&cfg)
	}
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- app.Serve(ctx, app.Options{
			Data: data, Config: cfg, Version: "test", Out: in, Log: slog.New(slog.DiscardHandler),
			Greet: func(link string, _ time.Duration) string { return link },
			Trust: func(link, fingerprint string) string { return link + " " + fingerprint },
		})
		in.Close()
	}()
	lines := bufio.NewScanner(out)
	var said [3]string
	for i := range said {
		if !lines.Scan() {
			cancel()
			t.Fatal(<-ended)
		}
		said[i] = lines.Text()
	}
	s := &secured{address: strings.TrimPrefix(said[0], "listening on "), pairing: said[1], trust: said[2]}
	s.stop = func() {
		if cancel(); ended != nil {
			if err := <-ended; err != nil {
				t.Error(err)
			}
			ended = nil
		}
	}
	t.Cleanup(s.stop)
	return s
}

func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod-app-") // short: a socket's path is
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func get(t *testing.T, c *http.Client, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// What a phone does: it reads the help page by plain HTTP, loads the CA, compares its
// fingerprint, trusts it, and pairs by HTTPS.
func TestAPhoneTrustsAndPairs(t *testing.T) {
	data := shortDir(t)
	hub := serveTLS(t, data, nil)
	link, fingerprint, _ := strings.Cut(hub.trust, " ")
	plain := &http.Client{Transport: &http.Transport{}}
	res, page := get(t, plain, link, "Accept-Language", "pl", "User-Agent", "iPhone")
	if res.StatusCode != 200 || !strings.Contains(page, "Zaufaj") || !strings.Contains(page, fingerprint[:23]) || !strings.Contains(page, `href="`+hub.address+`/"`) {
		t.Fatalf("%s\n%s", res.Status, page)
	}
	_, ca := get(t, plain, strings.TrimSuffix(link, "/trust")+"/PromptRelay-CA.pem")
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(ca)) {
		t.Fatal(ca)
	}
	safe := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}}
	if res, _ := get(t, safe, hub.address+"/health"); res.StatusCode != 200 || res.ProtoMajor != 2 {
		t.Errorf("%s %s", res.Proto, res.Status)
	}
	if res, _ := get(t, safe, "http://"+strings.TrimPrefix(hub.address, "https://")+"/health"); res.StatusCode != 200 || res.Request.URL.Scheme != "https" {
		t.Errorf("http:// led to %s, %s", res.Request.URL, res.Status)
	}

	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(ca), 0o600); err != nil {
		t.Fatal(err)
	}
	phone, err := client.Remote(hub.address, "", "test")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(hub.pairing, "#")
	if _, err := phone.Redeem(t.Context(), code, "phone"); err == nil || !strings.Contains(err.Error(), "NOD_CA") {
		t.Errorf("without trust: %v", err)
	}
	if err := phone.Trust(file); err != nil {
		t.Fatal(err)
	}
	if _, err := phone.Redeem(t.Context(), code, "phone"); err != nil {
		t.Error(err)
	}

	hub.stop()
	if again := serveTLS(t, data, nil); !strings.HasSuffix(again.trust, fingerprint) {
		t.Error("a restart made another CA")
	}
}

// Every name in the certificate is one that the hub answers to.
func TestAHubWithTLSKnowsItsNames(t *testing.T) {
	hub := serveTLS(t, shortDir(t), func(c *app.Config) { c.Listen, c.Hosts = ":0", []string{"kitchen.lan"} })
	port := hub.address[strings.LastIndex(hub.address, ":")+1:]
	if hub.trust[:len("http://kitchen.lan:")] != "http://kitchen.lan:" || !strings.HasPrefix(hub.pairing, "https://kitchen.lan:") {
		t.Errorf("%s, %s", hub.trust, hub.pairing)
	}
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	short, _, _ := strings.Cut(strings.ToLower(name), ".")
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	curl := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS", "--max-time", "20", "--noproxy", "*"}, args...)...).CombinedOutput()
		return string(out), err
	}
	if out, err := curl("-o", ca, "http://127.0.0.1:"+port+"/ca.pem"); err != nil {
		t.Fatal(out, err)
	}
	for _, host := range []string{"kitchen.lan", "localhost", short + ".local", "127.0.0.1"} {
		out, err := curl("--cacert", ca, "--resolve", host+":"+port+":127.0.0.1", "https://"+host+":"+port+"/health")
		if err != nil || !strings.Contains(out, `"ok":true`) {
			t.Errorf("%s: %v %s", host, err, out)
		}
	}
	if out, err := curl("-k", "--resolve", "evil.example:"+port+":127.0.0.1", "https://evil.example:"+port+"/health"); err == nil {
		t.Errorf("a stranger's name was served: %s", out)
	}
}

func TestAHubWithoutACAOfItsOwnSaysSo(t *testing.T) {
	r := serve(t, "", nil)
	for _, path := range []string{"/trust", "/ca.pem", "/PromptRelay-CA.pem", "/PromptRelay-CA.crt", "/PromptRelay-CA.mobileconfig"} {
		if res, body := get(t, http.DefaultClient, r.address+path, "Accept-Language", "en"); res.StatusCode != 404 || !strings.Contains(body, "nod serve --tls") {
			t.Errorf("%s: %s %s", path, res.Status, body)
		}
	}
}

func TestADamagedCAKeepsTheHubFromStarting(t *testing.T) {
	data := shortDir(t)
	serveTLS(t, data, nil).stop()
	if err := os.Chmod(filepath.Join(app.TLSDir(data), "ca.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg := app.DefaultConfig()
	cfg.Listen, cfg.TLS = "127.0.0.1:0", certs.Config{Own: true}
	err := app.Serve(t.Context(), app.Options{Data: data, Config: cfg, Out: io.Discard, Log: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
}
