package doctor

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nod/internal/app"
	"nod/internal/machine/env/envtest"
	"nod/internal/net/certs"
)

// shows puts a hub into the world that shows certificates of its own CA, by a
// clock of its own. It returns the port.
func (w *world) shows(now func() time.Time) (port string) {
	w.T.Helper()
	envtest.Must(w.T, os.MkdirAll(w.DataDir, 0o700))
	own, err := certs.NewOwn(certs.OwnOptions{
		Dir: app.TLSDir(w.DataDir), Hosts: []string{"nod.example.org"}, Now: now, Log: slog.New(slog.DiscardHandler),
		Machine: certs.Machine{Hostname: func() (string, error) { return "desk", nil }, Addresses: func() ([]net.Addr, error) { return nil, nil }},
	})
	envtest.Must(w.T, err)
	server := httptest.NewUnstartedServer(http.HandlerFunc(w.ServeHealth))
	server.TLS = own.TLS()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	// StartTLS would bring a certificate of its own.
	server.Listener = tls.NewListener(server.Listener, server.TLS)
	server.Start()
	w.T.Cleanup(server.Close)
	_, port, err = net.SplitHostPort(server.Listener.Addr().String())
	envtest.Must(w.T, err)
	return port
}

func TestDoctorLooksAtTheCertificate(t *testing.T) {
	late := envtest.Morning.Add(10*365*24*time.Hour - 80*24*time.Hour)
	for name, tt := range map[string]struct {
		made  time.Time
		harm  func(w *world, port string)
		state State
		says  string
	}{
		"all well":         {envtest.Morning, nil, OK, "valid until 2027-02-13 for nod.example.org, desk, localhost, desk.local, 127.0.0.1, ::1; CA SHA-256 "},
		"it ended":         {envtest.Morning.Add(-91 * 24 * time.Hour), nil, Fail, "ended on 2026-11-14"},
		"it ends soon":     {envtest.Morning.Add(-85 * 24 * time.Hour), nil, Warn, "ends on 2026-11-20"},
		"its CA ends soon": {envtest.Morning, func(w *world, _ string) { w.Now = func() time.Time { return late } }, Warn, "CA ends on 2036-11-12"},
		"another name":     {envtest.Morning, func(w *world, port string) { w.Health.Listen = "https://kitchen.local:" + port }, Fail, "no handshake with kitchen.local"},
		"nobody there":     {envtest.Morning, func(w *world, _ string) { w.Health.Listen = "https://127.0.0.1:1" }, Fail, "refused"},
		"an unknown signer": {envtest.Morning, func(w *world, _ string) {
			envtest.Must(w.T, os.Remove(filepath.Join(app.TLSDir(w.DataDir), certs.PublicFile)))
		}, Warn, "does not know who signed"},
		"plain, far away": {envtest.Morning, func(w *world, _ string) { w.Health.Listen = "http://192.0.2.7:8742" }, Warn, "anyone on the way"},
		"plain, here":     {envtest.Morning, func(w *world, _ string) { w.Health.Listen = "http://localhost:8742" }, OK, "needs no certificate"},
		"not told":        {envtest.Morning, func(w *world, _ string) { w.Health.Listen = "" }, Skip, "may view"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			hubs := tt.made
			port := w.shows(func() time.Time { return hubs })
			w.StartHub()
			if strings.Contains(name, "CA ends") {
				hubs = late // it renewed all the time
			}
			w.Health.Listen = "https://desk.local:" + port
			if tt.harm != nil {
				tt.harm(w, port)
			}
			if c := w.check("https"); c.State != tt.state || !strings.Contains(c.Found, tt.says) || (c.Fix == "") != (c.State == OK || c.State == Skip) {
				t.Errorf("%+v", c)
			}
		})
	}
}

// A hub elsewhere is believed with its CA, and not without.
func TestDoctorTrustsAHubElsewhereByItsCA(t *testing.T) {
	w := newWorld(t)
	w.Now = time.Now
	port := w.shows(time.Now)
	w.Vars["NOD_URL"], w.Vars["NOD_TOKEN"] = "https://127.0.0.1:"+port, "nod_x"
	if c := w.check("hub"); c.State != Fail || !strings.Contains(c.Found, "does not know who signed") {
		t.Errorf("%+v", c)
	}
	if c := w.check("https"); c.State != Warn || !strings.Contains(c.Fix, "https://127.0.0.1:"+port+"/ca.pem") {
		t.Errorf("%+v", c)
	}
	w.Vars["NOD_CA"] = w.Write("empty.pem", "")
	if c := w.check("hub"); c.State != Fail || !strings.Contains(c.Found, "NOD_CA") {
		t.Errorf("%+v", c)
	}
	w.Vars["NOD_CA"] = filepath.Join(app.TLSDir(w.DataDir), certs.PublicFile)
	for _, id := range []string{"hub", "https"} {
		if c := w.check(id); c.State != OK {
			t.Errorf("%+v", c)
		}
	}
}
