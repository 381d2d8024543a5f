package client

import (
	"encoding/pem"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSelfSignedHubIsTrustedByItsCA(t *testing.T) {
	hub := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"ok":true}`)) }))
	hub.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	hub.StartTLS()
	defer hub.Close()
	c, err := Remote(hub.URL, "", "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Health(t.Context()); err == nil || !strings.Contains(err.Error(), "NOD_CA") || errors.Is(err, ErrNoHub) {
		t.Errorf("an unknown certificate was accepted, or taken for no hub: %v", err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	for text, says := range map[string]string{"": "holds no certificate", "missing": "cannot read"} {
		_ = os.Remove(file)
		if text == "" {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Trust(file); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hub.Certificate().Raw})
	if err := os.WriteFile(file, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Trust(file); err != nil {
		t.Fatal(err)
	}
	if h, err := c.Health(t.Context()); err != nil || !h.OK {
		t.Error(h, err)
	}
}
