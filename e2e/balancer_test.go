//go:build full

package e2e

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/store/pgtest"
)

func TestHubsBehindNginx(t *testing.T) {
	t.Parallel()
	behind(t, nginx)
}

// Caddy also checks the health of its hubs.
func TestHubsBehindCaddy(t *testing.T) {
	t.Parallel()
	front := behind(t, caddy)
	t.Run("one hangs", front.hang)
}

// behind runs two hubs on one PostgreSQL behind a load balancer, configured as in
// docs/several-hubs.md. They are restarted one after the other, and killed under load.
// A subscriber follows without a gap, a screen reconnects, decisions continue, and
// Claude Code, which asked before all of it, gets its answer afterwards: also behind
// Caddy before 2.8, which ends a broken response as if it were complete.
func behind(t *testing.T, start program) *front {
	t.Helper()
	f := newFront(t, start)
	laptop := worldWithoutHub(t, rig.Options{Env: f.env()})
	call := fakeapi.Bash(`python3 -c "print('through it')"`)
	laptop.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := laptop.StartTUI(t)
	var asked nod.RequestID
	s.Prompt(t, "go")
	waitFor(t, f.phone, "one waits", func(st nod.Snapshot) bool {
		for _, r := range st.Requests {
			asked = r.ID
		}
		return len(st.Requests) == 1
	})
	log := follow(t, f.phone)
	screen := look(t, f.phone)

	t.Run("what it tells a hub", f.headers)
	t.Run("restarted one after the other", func(t *testing.T) {
		before, cuts, drawn := log.grant(t, f.phone), log.ends(), screen.parts()
		for _, h := range f.hubs {
			f.end(t, h, syscall.SIGTERM)
			f.again(t, h)
			if after := log.grant(t, f.phone); after <= before {
				t.Errorf("%d came after %d", after, before)
			}
		}
		if log.ends() == cuts {
			t.Error("no hub was restarted under the follower")
		}
		screen.draws(t, drawn)
	})
	t.Run("killed under load", func(t *testing.T) { f.load(t, asked, log, screen) })
	if _, err := f.phone.Decide(t.Context(), asked, nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
		t.Fatal(err)
	}
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "through it" {
		t.Errorf("the model was told %+v", got)
	}
	rig.Until(t, "it is known to be done", func() bool {
		r, err := f.phone.Request(t.Context(), string(asked))
		if err != nil {
			return false
		}
		_, done := r.Receipt(nod.StepApplied)
		return done
	}, func() string { return "" })
	for _, h := range f.hubs {
		h.verify(t)
	}
	return f
}

// front is a load balancer and its hubs.
type front struct {
	url   string
	hubs  []*station
	token string
	certificates
	phone *client.Client
}

func newFront(t *testing.T, start program) *front {
	t.Helper()
	store := pgtest.Start(t)
	f := &front{certificates: issue(t)}
	conf := documented(t, "toml", map[string]string{
		"postgres://nod@db.example:5432/nod?sslmode=verify-full&passfile=/etc/nod/pgpass": store.Database(t),
		"/etc/nod/hub.pem": f.hub.cert, "/etc/nod/hub.key": f.hub.key,
	})
	var addresses []string
	for range 2 {
		address := freeAddress(t)
		addresses = append(addresses, address)
		h := newStation(t, strings.Replace(conf, "0.0.0.0:8742", address, 1), hubBinary, "serve")
		if err := h.start(); err != nil {
			t.Fatal(err)
		}
		f.hubs = append(f.hubs, h)
	}
	token, err := client.Local(f.hubs[0].socket(), "test").CreateToken(t.Context(), v1.NewToken{Name: "phone", Rights: nod.RightsOf(nod.Raise, nod.View, nod.Answering)})
	if err != nil {
		t.Fatal(err)
	}
	f.token = token.Secret
	listen := freeAddress(t)
	f.url = "https://" + listen
	said := start(t, listen, f.certificates, addresses)
	if f.phone, err = client.Remote(f.url, f.token, "phone"); err == nil {
		err = f.phone.Trust(f.ca)
	}
	if err != nil {
		t.Fatal(err)
	}
	if a, b := f.who(f.hubs[0].address()), f.who(f.hubs[1].address()); a == "" || a == b {
		t.Fatalf("the hubs are called %q and %q", a, b)
	}
	rig.Until(t, "the load balancer answers", func() bool { return f.ready(f.url) }, said.String)
	return f
}

// env is the environment of a machine with agents.
func (f *front) env() map[string]string {
	return map[string]string{"NOD_URL": f.url, "NOD_TOKEN": f.token, "NOD_CA": f.ca}
}

func (f *front) ready(url string) bool {
	res, err := f.client.Get(url + "/health/ready")
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// again starts a hub where it was, and waits until the load balancer sends a client
// there: one with health checks notices it a moment later.
func (f *front) again(t *testing.T, h *station) {
	t.Helper()
	h.startAgain(t)
	var own, through string
	rig.Until(t, "the load balancer to use the hub again", func() bool {
		own, through = f.who(h.address()), f.who(f.url)
		return own != "" && own == through
	}, func() string { return own + " is not " + through })
}

// who is the name of the hub that answers there.
func (f *front) who(url string) string {
	req, err := http.NewRequest("GET", url+"/metrics", nil)
	if err != nil {
		return ""
	}
	req.Header.Set("Authorization", "Bearer "+f.token)
	res, err := f.client.Do(req)
	if err != nil {
		return ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	_, rest, _ := strings.Cut(string(text), "\nnod_hub_info{")
	name, _, _ := strings.Cut(rest, "\n")
	return name
}

// end stops a hub with a signal.
func (f *front) end(t *testing.T, h *station, how syscall.Signal) {
	t.Helper()
	h.mu.Lock()
	cmd := h.cmd
	h.cmd, h.url = nil, ""
	h.mu.Unlock()
	if err := cmd.Process.Signal(how); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil && how == syscall.SIGTERM {
		t.Errorf("the hub ended badly: %v", err)
	}
}

// headers checks that the balancer passes on the Host header, so that foreign web pages
// are refused and nod's own are not; and its request id.
func (f *front) headers(t *testing.T) {
	for origin, want := range map[string]int{f.url: http.StatusNotFound, "https://elsewhere.example": http.StatusForbidden} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", f.url+"/v1/requests/none/decision", strings.NewReader(`{"verdict":"deny"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Origin": {origin}, "Authorization": {"Bearer " + f.token}, "Content-Type": {"application/json"}}
		res, err := f.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		said, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("a page of %s is answered %s, want %d: %s", origin, res.Status, want, said)
		}
		if res.Header.Get("X-Request-Id") == "" {
			t.Error("the request has no name")
		}
	}
}

// hang suspends a hub: it accepts connections and does not respond. Soon the load
// balancer sends no client there.
func (f *front) hang(t *testing.T) {
	h := f.hubs[0]
	signal := func(s syscall.Signal) {
		if err := h.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	defer signal(syscall.SIGCONT)
	good := 0
	rig.Until(t, "ten requests in a row are answered", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := f.phone.State(ctx); err != nil {
			good = 0
			return false
		}
		good++
		return good == 10
	}, func() string { return fmt.Sprint(good) })
}

// A load balancer learns in time that a hub cannot reach its database, and that it can
// again.
func TestReadinessWhilePostgreSQLIsAway(t *testing.T) {
	t.Parallel()
	store := pgtest.Start(t)
	w := worldWithoutHub(t, rig.Options{})
	w.writeConfig(t, "store = \""+store.Database(t)+"\"\n")
	w.startHub(t)
	answers := func(path string, status int) {
		t.Helper()
		var said string
		rig.Until(t, fmt.Sprintf("%s answers %d", path, status), func() bool {
			res, err := http.Get(w.url + path)
			if err != nil {
				said = err.Error()
				return false
			}
			defer res.Body.Close()
			body, _ := io.ReadAll(res.Body)
			said = fmt.Sprint(res.StatusCode, " ", string(body))
			return res.StatusCode == status
		}, func() string { return said })
		if strings.Contains(said, "postgres") || strings.Contains(said, "127.0.0.1") {
			t.Errorf("everybody hears where the database is: %s", said)
		}
	}
	answers("/health/ready", 200)
	store.Stop(t, syscall.SIGQUIT)
	answers("/health/ready", 503)
	answers("/health/live", 200)
	store.Start(t)
	answers("/health/ready", 200)
}
