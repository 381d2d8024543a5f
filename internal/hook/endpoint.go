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
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nod/internal/agent/claude/wire"
)

// endpoint is the way to the hub: the Unix socket of this machine, or an address.
type endpoint struct {
	socket   string       // of the hub on this machine; empty: the hub is elsewhere
	http     *http.Client // to a hub elsewhere
	base     string
	token    string
	patience time.Duration
	headers  map[string]string
	down     string // a file that says when a remote hub last did not answer
}

var errNoHub = errors.New("no hub")

// restAfter is how long a remote hub that did not answer is left in peace, so
// that a dead network slows down one event and not every event.
const restAfter = 5 * time.Second

func findDoor(env Env) (*endpoint, error) {
	d := &endpoint{patience: localPatience, socket: filepath.Join(env.DataDir, "nod.sock")}
	if address := env.Getenv("NOD_URL"); address != "" {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return nil, errNoHub
		}
		d.base, d.token, d.patience = strings.TrimRight(address, "/"), env.Getenv("NOD_TOKEN"), remotePatience
		d.down = filepath.Join(env.DataDir, "cache", "hub-away")
		if s, err := os.Stat(d.down); err == nil && time.Since(s.ModTime()).Abs() < restAfter {
			return nil, errNoHub
		}
		d.http, d.socket = &http.Client{Transport: &http.Transport{TLSClientConfig: trusting(env.Getenv("NOD_CA"))}}, ""
	}
	host, _ := os.Hostname()
	d.headers = map[string]string{
		"Content-Type":    "application/json",
		wire.HeaderHost:   host,
		wire.HeaderPID:    env.Getenv("CLAUDE_PID"),
		wire.HeaderPane:   env.Getenv("TMUX_PANE"),
		wire.HeaderTmux:   tmuxSocket(env.Getenv("TMUX")),
		wire.HeaderRun:    env.Getenv("NOD_RUN"),
		wire.HeaderStatus: statusFile(env.Getenv),
		wire.HeaderEntry:  env.Getenv("CLAUDE_CODE_ENTRYPOINT"),
	}
	return d, nil
}

// trusting adds the hub's own certificate authority to those of the system.
// Without the file the system's count alone, and the hub is not reached: the
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

// post sends a body to a path below the intake.
func (d *endpoint) post(ctx context.Context, path string, body []byte, ask string) (*http.Response, error) {
	if d.socket != "" {
		return d.postLocal(ctx, path, body, ask)
	}
	return d.postRemote(ctx, path, body, ask)
}

func (d *endpoint) postRemote(ctx context.Context, path string, body []byte, ask string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+wire.Intake+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range d.headers {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if ask != "" {
		req.Header.Set(wire.HeaderAsk, ask)
	}
	if d.token != "" {
		req.Header.Set("Authorization", "Bearer "+d.token)
	}
	return d.http.Do(req)
}

// again is the same door for a question that was asked before.
func (d *endpoint) again() *endpoint {
	other := *d
	other.headers = maps.Clone(d.headers)
	other.headers[wire.HeaderAgain] = "1"
	return &other
}

// maxOrder is more than any order to Claude Code takes.
const maxOrder = 16 << 10

// tell hands over an event and waits until the hub has taken it. Sometimes the
// hub has an order for Claude Code: to stop.
func (d *endpoint) tell(ctx context.Context, payload []byte) []byte {
	res, err := d.post(ctx, "", payload, "")
	if err != nil {
		d.noteDown()
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

// say tells the hub something about a request this hook waits for.
func (d *endpoint) say(ask string, w wire.HookReport) {
	ctx, cancel := context.WithTimeout(context.Background(), d.patience)
	defer cancel()
	body, err := json.Marshal(w)
	if err != nil {
		return
	}
	res, err := d.post(ctx, "/"+ask, body, "")
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
}

// noteDown remembers that a remote hub did not answer.
func (d *endpoint) noteDown() {
	if d.down == "" {
		return
	}
	if os.MkdirAll(filepath.Dir(d.down), 0o700) == nil {
		_ = os.WriteFile(d.down, nil, 0o600)
	}
}
