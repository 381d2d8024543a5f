package e2e

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// house is a hub on one machine and a phone on another, with two networks between
// them: one that the hub trusts, and one that it does not. No packet leaves the house.
type house struct{ hub, phone string }

func newHouse(t *testing.T) *house {
	t.Helper()
	lacking := func(format string, args ...any) {
		t.Helper()
		if reason := fmt.Sprintf(format, args...); os.Getenv("NOD_E2E_REQUIRE") == "1" {
			t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
		} else {
			t.Skip(reason)
		}
	}
	h := &house{}
	for _, space := range []*string{&h.hub, &h.phone} {
		*space = fmt.Sprintf("nod-%d-%d", os.Getpid(), spaces.Add(1))
		if out, err := exec.Command("ip", "netns", "add", *space).CombinedOutput(); err != nil {
			lacking("network namespaces cannot be made here (%v %s): trusted networks are tried as root on Linux with iproute2", err, strings.TrimSpace(string(out)))
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", *space).Run() })
	}
	commands := [][]string{{"link", "add", "name", "cable", "netns", h.hub, "type", "veth", "peer", "name", "cable", "netns", h.phone}}
	for i, space := range []string{h.hub, h.phone} {
		commands = append(commands,
			[]string{"-n", space, "addr", "add", fmt.Sprintf("10.79.1.%d/24", i+1), "dev", "cable"},
			[]string{"-n", space, "addr", "add", fmt.Sprintf("10.79.2.%d/24", i+1), "dev", "cable"},
			[]string{"-n", space, "link", "set", "lo", "up"}, []string{"-n", space, "link", "set", "cable", "up"})
	}
	for _, args := range commands {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			lacking("a cable between network namespaces cannot be laid here: ip %s: %s", strings.Join(args, " "), out)
		}
	}
	return h
}

// serve starts a hub that trusts one of the two networks, and returns its port.
func (h *house) serve(t *testing.T) (port string) {
	t.Helper()
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte("[voicebridge]\ntrusted_networks = [\"10.79.1.0/24\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("ip", "netns", "exec", h.hub, binary, "serve", "--tls", "--listen", ":0")
	cmd.Env = []string{"HOME=" + t.TempDir(), "NOD_DATA=" + data, "PATH=" + os.Getenv("PATH")}
	errs := &lockedBuffer{}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, errs)
	}
	_, port, err = net.SplitHostPort(strings.TrimPrefix(strings.TrimSpace(first), "listening on https://"))
	if err != nil {
		t.Fatalf("%q: %v", first, err)
	}
	return port
}

// status is what a machine gets for a request without a credential.
func status(t *testing.T, from, method, url string, headers ...string) int {
	t.Helper()
	client := http.Client{Transport: &http.Transport{
		DialContext:     func(ctx context.Context, _, address string) (net.Conn, error) { return dialIn(ctx, from, address) },
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the hub's own certificate is not what is tried here
	}}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(`{"text":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// A phone on the trusted network needs no token at the voice bridge. The same phone on
// another network does, and so does the hub's own machine by any of its addresses.
func TestTrustedNetworkOnARealNetwork(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	port := h.serve(t)
	at := func(host, path string) string { return "https://" + net.JoinHostPort(host, port) + path }
	const trusted, other, sessions = "10.79.1.1", "10.79.2.1", "/api/voice/sessions"
	for name, tt := range map[string]struct {
		from, method, url string
		headers           []string
		want              int
	}{
		"a phone at home":                  {h.phone, "GET", at(trusted, sessions), nil, 200},
		"it may speak":                     {h.phone, "POST", at(trusted, "/api/voice/command"), nil, 409}, // nobody is there to hear it
		"it may follow":                    {h.phone, "GET", at(trusted, "/api/events/stream"), nil, 200},
		"and no more":                      {h.phone, "GET", at(trusted, "/v1/state"), nil, 401},
		"the same phone on another net":    {h.phone, "GET", at(other, sessions), nil, 401},
		"through a proxy":                  {h.phone, "GET", at(trusted, sessions), []string{"X-Forwarded-For", "10.79.1.9"}, 401},
		"with a wrong token":               {h.phone, "GET", at(trusted, sessions), []string{"Authorization", "Bearer nod_wrong"}, 401},
		"the hub's machine":                {h.hub, "GET", at("127.0.0.1", sessions), nil, 401},
		"the hub's machine by its address": {h.hub, "GET", at(trusted, sessions), nil, 401},
	} {
		if got := status(t, tt.from, tt.method, tt.url, tt.headers...); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
