package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"

	"nod"
)

// device is a phone on the Unix socket: the wire of the API with a token, and
// as little as possible around it.
type device struct {
	socket string
	token  string
	http   *http.Client
}

func newDevice(socket, token string) *device {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	return &device{socket, token, &http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 64}}}
}

func (d *device) call(method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequest(method, "http://nod"+path, &body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := d.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	said, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode/100 != 2:
		return fmt.Errorf("%s %s: %s: %s", method, path, res.Status, said)
	case out == nil:
		return nil
	}
	return json.Unmarshal(said, out)
}

func (d *device) allow(id nod.RequestID) error {
	return d.call("POST", "/v1/requests/"+string(id)+"/decision", nod.Answer{Verdict: nod.VerdictAllow}, nil)
}

// poised is an allow of which all is written but the sending: what a finger on a
// phone sets off, without the time of a client here.
func (d *device) poised(id nod.RequestID) (send func() error, err error) {
	conn, err := net.Dial("unix", d.socket)
	if err != nil {
		return nil, err
	}
	body := `{"verdict":"allow"}`
	request := fmt.Appendf(nil, "POST /v1/requests/%s/decision HTTP/1.1\r\nHost: nod\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", id, d.token, len(body), body)
	return func() error {
		defer conn.Close()
		if _, err := conn.Write(request); err != nil {
			return err
		}
		said, err := io.ReadAll(conn)
		if err == nil && !bytes.HasPrefix(said, []byte("HTTP/1.1 200 ")) {
			err = fmt.Errorf("the hub said %s", said)
		}
		return err
	}, nil
}

func (d *device) head() (nod.Seq, error) {
	var health struct {
		Head nod.Seq `json:"seq"`
	}
	return health.Head, d.call("GET", "/health", nil, &health)
}

// frame is one fact as a follower gets it.
type frame struct {
	seq  nod.Seq
	data []byte // valid until the next frame
}

// follow calls take for every fact after a place, until it returns false or the
// connection ends. ready is called when the hub has answered.
func (d *device) follow(after nod.Seq, ready func(net.Conn), take func(frame) bool) error {
	conn, err := net.Dial("unix", d.socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "GET /v1/events?after=%d HTTP/1.1\r\nHost: nod\r\nAuthorization: Bearer %s\r\n\r\n", after, d.token); err != nil {
		return err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the hub answered %s", res.Status)
	}
	ready(conn)
	return frames(res.Body, take)
}

func frames(r io.Reader, take func(frame) bool) error {
	in := bufio.NewReaderSize(r, 16<<10) // more than any fact that is made here
	var f frame
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("id: ")); ok {
			seq, err := strconv.ParseUint(strings.TrimSpace(string(value)), 10, 64)
			if err != nil {
				return err
			}
			f.seq = nod.Seq(seq)
		}
		if value, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			f.data = value
			if !take(f) {
				return nil
			}
		}
	}
}
