package hook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"nod/internal/agent/claude/wire"
	"nod/internal/sys/datadir"
)

// endpoint is the hub as a hook reaches it: through the Unix socket of this
// machine, or at an address elsewhere.
type endpoint struct {
	http    *http.Client
	base    string
	remote  bool
	timeout time.Duration // of whatever does not wait for a person
	headers map[string]string
	down    string // of a remote hub: this file's age says when it last did not answer
}

var errNoHub = errors.New("no hub")

// restAfter is how long a remote hub that did not answer is left alone, so that
// a dead network slows down one event and not every event.
const restAfter = 5 * time.Second

func findHub(env Env) (*endpoint, error) {
	host, _ := os.Hostname()
	headers := map[string]string{
		"Content-Type":      "application/json",
		wire.HeaderProtocol: strconv.Itoa(wire.Protocol),
		wire.HeaderHost:     host,
		wire.HeaderPID:      env.Getenv("CLAUDE_PID"),
		wire.HeaderPane:     env.Getenv("TMUX_PANE"),
		wire.HeaderTmux:     tmuxSocket(env.Getenv("TMUX")),
		wire.HeaderRun:      env.Getenv("NOD_RUN"),
		wire.HeaderStatus:   statusFile(env.Getenv),
		wire.HeaderEntry:    env.Getenv("CLAUDE_CODE_ENTRYPOINT"),
	}
	if address := env.Getenv("NOD_URL"); address != "" {
		return remoteHub(env, address, headers)
	}
	dial := func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", datadir.Socket(env.DataDir))
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	return &endpoint{http: client, base: "http://nod", timeout: localTimeout, headers: headers}, nil
}

func remoteHub(env Env, address string, headers map[string]string) (*endpoint, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errNoHub
	}
	down := filepath.Join(env.DataDir, "cache", "hub-away")
	if s, err := os.Stat(down); err == nil && time.Since(s.ModTime()).Abs() < restAfter {
		return nil, errNoHub
	}
	if token := env.Getenv("NOD_TOKEN"); token != "" {
		headers["Authorization"] = "Bearer " + token
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trusting(env.Getenv("NOD_CA"))}}
	return &endpoint{http: client, base: strings.TrimRight(address, "/"), remote: true, timeout: remoteTimeout, headers: headers, down: down}, nil
}

// trusting adds the hub's own certificate authority to those of the system.
// Without the file only the system's count, and the hub is not reached: the
// agent's own dialog decides then.
func trusting(file string) *tls.Config {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(text)
	return &tls.Config{RootCAs: pool}
}

// tmuxSocket is the first part of $TMUX: socket,pid,session.
func tmuxSocket(tmux string) string {
	socket, _, _ := strings.Cut(tmux, ",")
	return socket
}

// post sends a body to a path below the hub's route for hooks.
func (e *endpoint) post(ctx context.Context, path string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.base+wire.Intake+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range e.headers {
		// What a header cannot hold is left out; nothing here is worth losing the event.
		if value != "" && strings.IndexFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
			req.Header.Set(name, value)
		}
	}
	return e.http.Do(req)
}

// with returns the same endpoint with one more header.
func (e *endpoint) with(name, value string) *endpoint {
	other := *e
	other.headers = maps.Clone(e.headers)
	other.headers[name] = value
	return &other
}

// maxOrder is more than any order to Claude Code takes.
const maxOrder = 16 << 10

// send delivers an event and waits until the hub has taken it. Sometimes the hub
// answers with an order for Claude Code: to stop.
func (e *endpoint) send(ctx context.Context, payload []byte) []byte {
	res, err := e.post(ctx, "", payload)
	if err != nil {
		e.noteDown()
		return nil
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil
	}
	order, err := io.ReadAll(io.LimitReader(res.Body, maxOrder))
	if err != nil || !json.Valid(order) {
		return nil // half an order is none
	}
	return order
}

// report tells the hub what became of a request.
func (e *endpoint) report(ask string, r wire.HookReport) {
	ctx, cancel := context.WithTimeout(context.Background(), e.timeout)
	defer cancel()
	body, err := json.Marshal(r)
	if err != nil {
		return
	}
	res, err := e.post(ctx, "/"+ask, body)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

// noteDown remembers that a remote hub did not answer.
func (e *endpoint) noteDown() {
	if e.down == "" {
		return
	}
	if os.MkdirAll(filepath.Dir(e.down), 0o700) == nil {
		_ = os.WriteFile(e.down, nil, 0o600)
	}
}
