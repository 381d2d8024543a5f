//go:build full

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/store/pgtest"
)

// station is a process with a hub in it, `nod serve` or `nod link`, that is
// started and killed again and again.
type station struct {
	data string
	argv []string
	log  lockedBuffer

	mu  sync.Mutex
	cmd *exec.Cmd // nil: it does not run
	url string
}

// newStation makes a data directory with a configuration, and starts nothing.
func newStation(t testing.TB, config string, argv ...string) *station {
	t.Helper()
	data, err := os.MkdirTemp("", "nod-c-")
	if err != nil {
		t.Fatal(err)
	}
	s := &station{data: data, argv: argv}
	t.Cleanup(func() {
		s.kill()
		if text := s.log.String(); t.Failed() || strings.Contains(text, "DATA RACE") {
			t.Errorf("%s:\n%s", strings.Join(s.argv[max(0, len(s.argv)-6):], " "), lastLines(text, 60))
		}
		_ = os.RemoveAll(data)
	})
	if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func lastLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

func (s *station) env() []string {
	return []string{"HOME=" + s.data, "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG=C.UTF-8", "NOD_DATA=" + s.data}
}

// start returns when it listens, or why it does not.
func (s *station) start() error {
	cmd := exec.Command(s.argv[0], s.argv[1:]...)
	cmd.Env, cmd.Stderr = s.env(), &s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	first, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fmt.Errorf("it said %q, %w", first, errors.Join(err, errors.New(lastLines(s.log.String(), 5))))
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cmd, s.url = cmd, url
	return nil
}

// startAgain does what a service manager does: it tries until it runs.
func (s *station) startAgain(t testing.TB) {
	t.Helper()
	var err error
	for range 20 {
		if err = s.start(); err == nil {
			return
		}
		<-time.After(500 * time.Millisecond)
	}
	t.Errorf("a hub does not start again: %v", err)
}

// kill is what a power cut does.
func (s *station) kill() {
	s.mu.Lock()
	cmd := s.cmd
	s.cmd, s.url = nil, ""
	s.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// address is where it listens, or nothing while it is down.
func (s *station) address() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.url
}

func (s *station) socket() string { return filepath.Join(s.data, "nod.sock") }

// device is a client with a token, so that no process has to be inspected.
func (s *station) device(t testing.TB) string {
	t.Helper()
	token, err := client.Local(s.socket(), "test").CreateToken(t.Context(), v1.NewToken{Name: "phone", Rights: nod.RightsOf(nod.View, nod.Answering)})
	if err != nil {
		t.Fatalf("%v: start the tests from a plain terminal, not from inside an agent", err)
	}
	return token.Secret
}

// verify runs `nod log verify` there.
func (s *station) verify(t testing.TB) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "log", "verify")
	cmd.Env = s.env()
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "The log is whole") {
		t.Errorf("nod log verify: %v\n%s", err, out)
	}
}

// cluster is one database, hubs on it, and machines that are linked to them.
type cluster struct {
	server  *pgtest.Server
	address string // of the database
	hubs    []*station
	phone   string // a token that every hub knows
	links   []*station
	local   []string       // a token of each link's own hub
	wires   []*tcpBalancer // from each link to some hub
}

// newCluster starts hubs and links. The last machines are in a network of their
// own, if there can be one.
func newCluster(t testing.TB, hubs, links int) *cluster {
	t.Helper()
	c := &cluster{server: pgtest.Start(t)}
	c.address = c.server.Database(t)
	for range hubs {
		h := newStation(t, "store = \""+c.address+"\"\nhosts = [\""+cableNear+"\"]\n", hubBinary, "serve", "--listen", "127.0.0.1:0")
		if err := h.start(); err != nil {
			t.Fatal(err)
		}
		c.hubs = append(c.hubs, h)
	}
	c.phone = c.hubs[0].device(t)
	cable := newCable(t)
	for i := range links {
		var w *tcpBalancer
		argv := []string{}
		if cable != nil && i >= links-3 {
			w = newBalancer(t, cable.listen(t), c.hubs)
			w.cable = cable
			argv = cable.within()
		} else {
			w = newBalancer(t, listenHere(t), c.hubs)
		}
		c.wires = append(c.wires, w)
		c.link(t, fmt.Sprint("laptop", i), w, argv)
	}
	return c
}

// link adds a machine.
func (c *cluster) link(t testing.TB, name string, w *tcpBalancer, argv []string) {
	t.Helper()
	hub := client.Local(c.hubs[0].socket(), "test")
	token, err := hub.CreateToken(t.Context(), v1.NewToken{Name: name, Rights: nod.RightsOf(nod.Raise), Room: "link:" + name})
	if err != nil {
		t.Fatal(err)
	}
	s := newStation(t, "")
	file := filepath.Join(s.data, "link.token")
	if err := os.WriteFile(file, []byte(token.Secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.argv = append(argv, binary, "link", "--listen", "127.0.0.1:0", "--hub", w.url(), "--token-file", file)
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	c.links = append(c.links, s)
	c.local = append(c.local, s.device(t))
}

// any is a client of some hub, also of one that is down.
func (c *cluster) any(rng *rand.Rand) *client.Client {
	for range 5 {
		if url := c.hubs[rng.IntN(len(c.hubs))].address(); url != "" {
			if cl, err := client.Remote(url, c.phone, "test"); err == nil {
				return cl
			}
		}
	}
	return client.Local(filepath.Join(c.hubs[0].data, "nobody"), "test")
}

// at is a client of one hub.
func (c *cluster) at(t testing.TB, hub int) *client.Client {
	t.Helper()
	cl, err := client.Remote(c.hubs[hub].address(), c.phone, "test")
	if err != nil {
		t.Fatal(err)
	}
	return cl
}

// quiet waits until no request is pending at any hub, and all have the same sequence number.
func (c *cluster) quiet(t testing.TB) {
	t.Helper()
	said := ""
	rig.Until(t, "nothing that waits, at any hub", func() bool {
		said = ""
		quiet := true
		for i := range c.hubs {
			s, err := c.at(t, i).State(t.Context())
			quiet = quiet && err == nil && len(s.Requests) == 0
			said += fmt.Sprintf("hub %d is at %d, %d wait %v\n", i, s.Seq, len(s.Requests), err)
			for _, r := range s.Requests {
				said += fmt.Sprintf("  %s of %s: %v\n", r.ID, r.Agent.Host, r.Receipts)
			}
		}
		return quiet
	}, func() string { return said })
}
