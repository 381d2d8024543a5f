package httpd

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod"
)

// socketDir is short enough for a socket on every system.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nod")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// start serves until the test ends.
func start(t *testing.T, cfg Config) (*Server, context.CancelFunc, <-chan error) {
	t.Helper()
	if cfg.Handler == nil {
		cfg.Handler = openMux()
	}
	s, err := Listen(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	done := make(chan struct{})
	go func() { ended <- s.Serve(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	return s, stop, ended
}

func TestTheSocketIsPrivate(t *testing.T) {
	path := filepath.Join(socketDir(t), "data", "nod.sock")
	_, stop, ended := start(t, Config{Socket: path})
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", name, info.Mode().Perm(), err, want)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is left behind")
	}
}

func TestAnOpenDirectoryIsMadePrivate(t *testing.T) {
	dir := socketDir(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	start(t, Config{Socket: filepath.Join(dir, "nod.sock")})
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("%v", info.Mode())
	}
}

func TestSocketsThatCannotBeMade(t *testing.T) {
	dir := socketDir(t)
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(dir, "tmp")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	live := filepath.Join(dir, "live.sock")
	start(t, Config{Socket: live})
	for _, tt := range []struct {
		name, path, says string
		want             nod.Code
	}{
		{"too long", filepath.Join(dir, strings.Repeat("x", 100)), "shorter data directory", nod.Invalid},
		{"a file", file, "is no socket", nod.Conflict},
		{"a live hub", live, "runs already", nod.Conflict},
		{"everybody's directory", filepath.Join(shared, "nod.sock"), "shared with other users", nod.Forbidden},
		{"below a file", filepath.Join(file, "nod.sock"), "cannot make the directory", nod.Unavailable},
	} {
		_, err := Listen(t.Context(), Config{Socket: tt.path})
		if err == nil || nod.CodeOf(err) != tt.want || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if b, _ := os.ReadFile(file); string(b) != "precious" {
		t.Error("the file is damaged")
	}
	if !alive(t.Context(), live) {
		t.Error("the live hub lost its socket")
	}
}

func TestTheSocketOfADeadHubIsReplaced(t *testing.T) {
	path := filepath.Join(socketDir(t), "nod.sock")
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	_ = dead.Close()
	start(t, Config{Socket: path})
	if !alive(t.Context(), path) {
		t.Error("nobody answers")
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), ".old")); err == nil {
		t.Error("the old one is left behind")
	}
}

// A hub that closes late must not remove the socket of its successor.
func TestAHubRemovesOnlyItsOwnSocket(t *testing.T) {
	path := filepath.Join(socketDir(t), "nod.sock")
	_, stop, ended := start(t, Config{Socket: path})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	start(t, Config{Socket: path})
	stop()
	<-ended
	if !alive(t.Context(), path) {
		t.Error("the successor lost its socket")
	}
}

func TestPlainHTTPStaysOnThisMachine(t *testing.T) {
	for _, tt := range []struct {
		listen string
		cfg    Config
		ok     bool
	}{
		{"127.0.0.1:0", Config{}, true},
		{"localhost:0", Config{}, true},
		{"0.0.0.0:0", Config{}, false},
		{":0", Config{}, false},
		{"[::]:0", Config{}, false},
		{"192.0.2.1:0", Config{}, false},
		{"0.0.0.0:0", Config{InsecureHTTP: true}, true},
		{"0.0.0.0:0", Config{TLS: &tls.Config{}}, true},
	} {
		tt.cfg.Listen, tt.cfg.Handler = tt.listen, http.NotFoundHandler()
		s, err := Listen(t.Context(), tt.cfg)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.listen, err)
		}
		if err != nil && (nod.CodeOf(err) != nod.Forbidden || !strings.Contains(err.Error(), InsecureFlag)) {
			t.Errorf("%s: %v", tt.listen, err)
		}
		if s != nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	for _, bad := range []string{"8742", "127.0.0.1:port", "127.0.0.1:99999"} {
		if _, err := Listen(t.Context(), Config{Listen: bad}); nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestATakenPortIsExplained(t *testing.T) {
	s, _, _ := start(t, Config{Listen: "127.0.0.1:0"})
	_, err := Listen(t.Context(), Config{Listen: s.tcp.Addr().String()})
	if nod.CodeOf(err) != nod.Conflict || !strings.Contains(err.Error(), "nod status") {
		t.Error(err)
	}
}

func TestTLS(t *testing.T) {
	lender := httptest.NewUnstartedServer(nil) // only for its certificate
	lender.EnableHTTP2 = true
	lender.StartTLS()
	defer lender.Close()
	s, _, _ := start(t, Config{Listen: "127.0.0.1:0", TLS: &tls.Config{Certificates: lender.TLS.Certificates}})
	if !strings.HasPrefix(s.URL(), "https://127.0.0.1:") {
		t.Errorf("URL %s", s.URL())
	}
	res, err := lender.Client().Get(s.URL() + "/x")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != 204 || res.ProtoMajor != 2 {
		t.Errorf("%s %s", res.Proto, res.Status)
	}
}

// Handlers that wait learn of the shutdown; those that work may finish.
func TestShutdownLetsWorkFinish(t *testing.T) {
	waiting, finish := make(chan struct{}), make(chan struct{})
	handler := Handle(quiet, func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := WhileServing(r.Context())
		defer cancel()
		close(waiting)
		<-ctx.Done()
		if nod.CodeOf(context.Cause(ctx)) != nod.Unavailable {
			t.Errorf("the cause is %v", context.Cause(ctx))
		}
		if r.Context().Err() != nil {
			t.Error("the request itself was cut off")
		}
		<-finish
		_, _ = io.WriteString(w, "finished")
		return nil
	})
	s, stop, ended := start(t, Config{Listen: "127.0.0.1:0", Handler: handler})
	body := make(chan string)
	go func() {
		res, err := http.Get(s.URL() + "/")
		if err != nil {
			body <- err.Error()
			return
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		body <- string(b)
	}()
	<-waiting
	stop()
	close(finish)
	if got := <-body; got != "finished" {
		t.Errorf("the client got %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A connection without a request does not delay the shutdown.
func TestIdleConnectionsDoNotDelayShutdown(t *testing.T) {
	s, stop, ended := start(t, Config{Listen: "127.0.0.1:0"})
	c, err := net.Dial("tcp", s.tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// The second connection is answered, so the first has been accepted too.
	res, err := http.Get(s.URL() + "/x")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	begin := time.Now()
	stop()
	<-ended
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("the end took %v", took)
	}
}

func TestALargeHeaderIsRefused(t *testing.T) {
	s, _, _ := start(t, Config{Listen: "127.0.0.1:0"})
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL()+"/x", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X", strings.Repeat("x", 2*maxHeader))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(res.Status)
	}
}
