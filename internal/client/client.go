// Package client speaks nod's public API. The terminal commands are built on
// it and on nothing else, so whatever they can do any other program can do too.
package client

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	v1 "nod/internal/client/v1"

	"github.com/coder/websocket"

	"nod"
)

// Client is a connection to one hub, with everything that can be asked of it.
type Client struct {
	*connection
	requests
	agents
	events
	rules
	devices
}

// The parts of the interface, by what they are about.
type (
	requests struct{ *connection }
	agents   struct{ *connection }
	events   struct{ *connection }
	rules    struct{ *connection }
	devices  struct{ *connection }
)

func newClient(c *connection) *Client {
	return &Client{c, requests{c}, agents{c}, events{c}, rules{c}, devices{c}}
}

// connection is how a hub is reached, and as whom.
type connection struct {
	http  *http.Client
	base  string
	token string
	where string // for messages: what the person would call this hub
	via   string // which program speaks, for the log: "terminal", "watch"
}

// Local speaks to the hub on this machine through its Unix socket, without a
// token: the hub looks at the process instead.
func Local(socket, via string) *Client {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	return newClient(&connection{
		http: &http.Client{Transport: &http.Transport{DialContext: dial}},
		base: "http://nod", where: socket, via: via,
	})
}

// Remote speaks to a hub by its address, with a token.
func Remote(address, token, via string) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, nod.Errorf(nod.Invalid, "%q is no address of a hub; it looks like http://127.0.0.1:8742", address)
	}
	return newClient(&connection{
		http: &http.Client{Transport: http.DefaultTransport},
		base: strings.TrimRight(address, "/"), token: token, where: address, via: via,
	}), nil
}

// Trust also accepts certificates of the CA in a PEM file: NOD_CA.
func (c *connection) Trust(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return nod.Errorf(nod.Invalid, "cannot read the CA in %s (NOD_CA)", file).Because(err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nod.Errorf(nod.Invalid, "%s (NOD_CA) holds no certificate; a hub has its own at /ca.pem", file)
	}
	c.http = &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true,
	}}
	return nil
}

// ErrNoHub means that nothing answers there.
var ErrNoHub = errors.New("no hub")

// Where names the hub for messages.
func (c *Client) Where() string { return c.where }

// do sends one request and decodes the answer into out (nil: nothing wanted).
func (c *connection) do(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("encoding the request: %w", err)
		}
		body = bytes.NewReader(b)
	}
	res, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if out == nil {
		_, err := io.Copy(io.Discard, res.Body)
		return err
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return nod.Errorf(nod.Internal, "the hub at %s answered something that is not nod's: is another program on that port?", c.where).Because(err)
	}
	return nil
}

// send returns a 2xx response, or the hub's own error.
func (c *connection) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, fmt.Errorf("building the request: %w", err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, c.header())
	res, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok { // there is a hub, but is it ours?
			return nil, nod.Errorf(nod.Unavailable, "this machine does not trust the certificate of %[1]s. If the hub signs for itself, get its CA from %[1]s/ca.pem, compare the fingerprint with `nod doctor` there, and set NOD_CA to the file", c.where).Because(err)
		}
		return nil, noHub(c.where, err)
	}
	if res.StatusCode/100 != 2 {
		defer res.Body.Close()
		return nil, readError(res)
	}
	return res, nil
}

// noHub says that nothing answers at an address.
func noHub(where string, err error) error {
	return &nod.Error{
		Code:    nod.Unavailable,
		Message: fmt.Sprintf("The hub at %s does not answer. Start it with `nod serve`, or try `nod doctor`.", where),
		Cause:   errors.Join(ErrNoHub, err),
	}
}

// dial opens a WebSocket.
func dial(ctx context.Context, address, where string, o *websocket.DialOptions) (*websocket.Conn, error) {
	conn, res, err := websocket.Dial(ctx, address, o)
	switch {
	case err == nil:
		return conn, nil
	case res != nil && res.StatusCode != 0 && res.Body != nil:
		return nil, readError(res)
	}
	return nil, noHub(where, err)
}

// header says who this client is.
func (c *connection) header() http.Header {
	header := http.Header{"Nod-Via": {c.via}}
	if c.token != "" {
		header.Set("Authorization", "Bearer "+c.token)
	}
	return header
}

func readError(res *http.Response) error {
	var f v1.Failure
	if err := json.NewDecoder(io.LimitReader(res.Body, 32<<20)).Decode(&f); err != nil || f.Error.Code == "" {
		return nod.Errorf(nod.Internal, "the hub answered %s", res.Status)
	}
	return &nod.Error{Code: f.Error.Code, Message: f.Error.Message, Winner: f.Request}
}

// query keeps what is set: neither empty nor 0.
func query(values map[string]string) url.Values {
	q := url.Values{}
	for name, v := range values {
		if v != "" && v != "0" {
			q.Set(name, v)
		}
	}
	return q
}

func path(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(p))
	}
	return b.String()
}

func seq(s nod.Seq) string { return strconv.FormatUint(uint64(s), 10) }
