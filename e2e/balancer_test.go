package e2e

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
	"nod/internal/store/pgtest"
)

// Two hubs on one PostgreSQL behind nginx, as docs/several-hubs.md has it: both are
// restarted, one after the other. Somebody follows without a gap, decisions go on,
// and Claude Code, which asked before, gets its answer after.
func TestARollingRestartBehindNginx(t *testing.T) {
	t.Parallel()
	store := pgtest.Start(t)
	address := store.Database(t)
	first, second := onPostgres(t, address), onPostgres(t, address)
	front := balance(t, first.url, second.url)
	token := strings.TrimSpace(first.ok(t, "token", "create", "--name", "phone", "--rights", "raise,view,answer"))

	laptop := worldWithoutHub(t, rig.Options{Env: map[string]string{"NOD_URL": front, "NOD_TOKEN": token}})
	call := fakeapi.Bash(`python3 -c "print('through nginx')"`)
	laptop.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := laptop.StartTUI(t)
	s.Prompt(t, "go")
	asked := first.one(t)

	phone, err := client.Remote(front, token, "phone")
	if err != nil {
		t.Fatal(err)
	}
	f := follow(t, phone)
	before := f.grant(t, phone)
	for _, w := range []*world{first, second} {
		w.restartInPlace(t)
		if after := f.grant(t, phone); after <= before {
			t.Errorf("%d came after %d", after, before)
		}
	}
	if n := f.ends(); n == 0 {
		t.Error("no hub was restarted under the follower")
	}
	if _, err := phone.Decide(t.Context(), asked.ID, nod.Answer{Verdict: nod.Allow}); err != nil {
		t.Fatal(err)
	}
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "through nginx" {
		t.Errorf("the model was told %+v", got)
	}
	first.reached(t, asked.ID, nod.StepApplied)
	second.ok(t, "log", "verify")
}

// A load balancer hears in time that a hub cannot reach its database, and that it
// can again.
func TestReadinessWhilePostgreSQLIsAway(t *testing.T) {
	t.Parallel()
	store := pgtest.Start(t)
	w := onPostgres(t, store.Database(t))
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

// onPostgres is a hub with its log there.
func onPostgres(t *testing.T, address string) *world {
	t.Helper()
	w := worldWithoutHub(t, rig.Options{})
	if err := os.WriteFile(filepath.Join(w.data, "nod.toml"), []byte("store = \""+address+"\"\nhosts = [\"nod.example.org\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.startHub(t)
	return w
}

// restartInPlace is what a package upgrade does: the same address, a new program.
func (w *world) restartInPlace(t *testing.T) {
	t.Helper()
	if err := w.hub.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.hub.Wait(); err != nil {
		t.Errorf("the hub ended badly: %v", err)
	}
	w.startAs(t, "serve", "--listen", strings.TrimPrefix(w.url, "http://"))
	rig.Until(t, "the hub is ready", func() bool {
		res, err := http.Get(w.url + "/health/ready")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == 200
	}, w.evidence)
}

// follower reads the log through the balancer, and comes back when it is cut off.
type follower struct {
	mu   sync.Mutex
	seen map[nod.LeaseID]nod.Seq
	cuts int
	gap  error
}

func follow(t *testing.T, c *client.Client) *follower {
	t.Helper()
	f := &follower{seen: map[nod.LeaseID]nod.Seq{}}
	ctx, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() {
		end()
		<-done
		if f.gap != nil {
			t.Error(f.gap)
		}
	})
	go func() {
		defer close(done)
		for after := nod.Seq(0); ctx.Err() == nil; {
			for e, err := range c.Follow(ctx, after) {
				if err != nil {
					f.cut(err)
					break
				}
				f.take(e, after)
				after = e.Seq
			}
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	return f
}

func (f *follower) take(e nod.Event, after nod.Seq) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.Seq != after+1 {
		f.gap = fmt.Errorf("event %d came after %d", e.Seq, after)
	}
	if e.Kind == nod.LeaseGranted {
		f.seen[e.Lease.ID] = e.Seq
	}
}

func (f *follower) cut(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cuts++
	if code := nod.CodeOf(err); code == nod.Gone {
		f.gap = err
	}
}

func (f *follower) ends() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cuts
}

// grant adds a few facts through the balancer, whichever hubs they reach, and
// waits until all of them have been followed.
func (f *follower) grant(t *testing.T, c *client.Client) (last nod.Seq) {
	t.Helper()
	for range 4 {
		l, err := c.Grant(t.Context(), client.NewLease{Rules: []string{"Bash(ls:*)"}, Minutes: 10, Folder: "/srv"})
		if err != nil {
			t.Fatal(err)
		}
		rig.Until(t, "the lease was followed", func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			last = f.seen[l.ID]
			return last > 0
		}, func() string { return string(l.ID) })
	}
	return last
}

// balance runs nginx with the documented configuration; only addresses and
// certificates are the test's.
func balance(t *testing.T, hubs ...string) (url string) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // often not in the PATH of a person
		if _, err := os.Stat(program); err != nil {
			if os.Getenv("NOD_E2E_REQUIRE") == "1" {
				t.Fatal("nginx is not installed (NOD_E2E_REQUIRE=1)")
			}
			t.Skip("nginx is not installed")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := l.Addr().String()
	_ = l.Close()
	dir := t.TempDir()
	conf := documented(t, map[string]string{
		"hub1.example:8742": strings.TrimPrefix(hubs[0], "http://"), "hub2.example:8742": strings.TrimPrefix(hubs[1], "http://"),
		"listen 443 ssl http2;": "listen " + listen + ";", "proxy_pass https://nod;": "proxy_pass http://nod;",
		"ssl_certificate     /etc/nginx/nod.pem;": "", "ssl_certificate_key /etc/nginx/nod.key;": "",
		"proxy_ssl_verify on;": "", "proxy_ssl_trusted_certificate /etc/nginx/hubs-ca.pem;": "", "proxy_ssl_name nod.example.org;": "",
	})
	file := filepath.Join(dir, "nginx.conf")
	whole := fmt.Sprintf("daemon off;\nmaster_process off;\npid %[1]s/pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path %[1]s/body;\nproxy_temp_path %[1]s/proxy;\nfastcgi_temp_path %[1]s/fcgi;\nuwsgi_temp_path %[1]s/uwsgi;\nscgi_temp_path %[1]s/scgi;\n%[2]s}\n", dir, conf)
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &lockedBuffer{}
	cmd := exec.Command(program, "-p", dir, "-c", file, "-e", "stderr")
	cmd.Env, cmd.Stderr = []string{"PATH=/usr/bin:/bin"}, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("nginx said:\n%s", said)
		}
	})
	url = "http://" + listen
	rig.Until(t, "nginx answers", func() bool {
		res, err := http.Get(url + "/health/ready")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == 200
	}, said.String)
	return url
}

// documented is the configuration that people copy.
func documented(t *testing.T, own map[string]string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/several-hubs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```nginx\n")
	conf, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("docs/several-hubs.md has no configuration of nginx")
	}
	for from, to := range own {
		if !strings.Contains(conf, from) {
			t.Fatalf("docs/several-hubs.md has no %q", from)
		}
		conf = strings.ReplaceAll(conf, from, to)
	}
	return conf
}
