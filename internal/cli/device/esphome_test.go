package device

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func esphomeRun(t *testing.T, env map[string]string, args ...string) (out, stderr string, err error) {
	t.Helper()
	return runner{env: env}.nod(t, append([]string{"device", "esphome"}, args...)...)
}

func TestOnlyTheConfigurationGoesToStdout(t *testing.T) {
	out, stderr, err := esphomeRun(t, nil, "m5stack", "--board", "cores3", "--name", "kitchen")
	if err != nil || !strings.HasPrefix(out, "# nod on an M5Stack CoreS3.") || !strings.Contains(out, "name: kitchen\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, `hub: "https://desk.local:8742"`) || !strings.Contains(stderr, "https://desk.local:8742") {
		t.Errorf("the guess is not this machine, or it is not printed:\n%s", stderr)
	}
	if !strings.Contains(stderr, "--output") {
		t.Errorf("it does not say that files are missing:\n%s", stderr)
	}
}

func TestDefaultsComeFromTheEnvironment(t *testing.T) {
	for url, want := range map[string]string{
		"https://hub.lan":       `hub: "https://hub.lan"`,
		"http://127.0.0.1:8742": `hub: "https://desk.local:8742"`, // of no use to a device
	} {
		out, _, err := esphomeRun(t, map[string]string{"NOD_URL": url}, "m5stack")
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", url, err, out)
		}
	}
}

func TestPlainHTTPWarnsAboutTheToken(t *testing.T) {
	_, stderr, err := esphomeRun(t, nil, "m5stack", "--hub", "http://desk.local:8742")
	if err != nil || !strings.Contains(stderr, "in the clear") {
		t.Errorf("%v\n%s", err, stderr)
	}
	_, stderr, err = esphomeRun(t, nil, "m5stack", "--hub", "https://desk.local:8742", "--ca", someCA(t))
	if err != nil || strings.Contains(stderr, "in the clear") || strings.Contains(stderr, "--ca") {
		t.Errorf("%v\n%s", err, stderr)
	}
}

func TestAllFilesAreWrittenAndSecretsSurvive(t *testing.T) {
	output := filepath.Join(t.TempDir(), "house", "desk.yaml")
	args := []string{"m5stack", "--board", "core2", "--hub", "https://desk.local:8742", "--ca", someCA(t), "--output", output}
	if out, stderr, err := esphomeRun(t, nil, args...); err != nil || !strings.Contains(out, "esphome run") {
		t.Fatalf("%v\n%s%s", err, out, stderr)
	}
	dir := filepath.Dir(output)
	for _, name := range []string{"desk.yaml", "nod-ca.pem", "no-hub.png", "components/nod_screen/__init__.py", "components/nod_m5stack/output.py"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	secrets := filepath.Join(dir, "secrets.yaml")
	if info, err := os.Stat(secrets); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the secrets: %v, %v", info, err)
	}
	if err := os.WriteFile(secrets, []byte("mine: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, err := esphomeRun(t, nil, args...); err != nil || !strings.Contains(stderr, "stays as it is") {
		t.Errorf("%v\n%s", err, stderr)
	}
	if kept, err := os.ReadFile(secrets); err != nil || string(kept) != "mine: 1\n" {
		t.Errorf("the secrets were written over: %q, %v", kept, err)
	}
}

func TestAVoicePEGetsItsAddition(t *testing.T) {
	out, stderr, err := esphomeRun(t, nil, "voice-pe")
	if err != nil || !strings.Contains(out, "action: nod_ring") || stderr != "" {
		t.Errorf("%v\n%s%s", err, out, stderr)
	}
	file := filepath.Join(t.TempDir(), "kitchen.yaml")
	if out, _, err = esphomeRun(t, nil, "voice-pe", "--output", file); err != nil || !strings.Contains(out, file) {
		t.Errorf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "!include kitchen.yaml") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestESPHomeUsageErrors(t *testing.T) {
	nothing := filepath.Join(t.TempDir(), "nothing.pem")
	tests := []struct {
		args []string
		want string
	}{
		{[]string{}, "m5stack"},
		{[]string{"toaster"}, "toaster"},
		{[]string{"m5stack", "--board", "core9"}, "core9"},
		{[]string{"m5stack", "--name", "My Desk"}, "My Desk"},
		{[]string{"m5stack", "--hub", "http://localhost:8742"}, "the device itself"},
		{[]string{"m5stack", "--ca", nothing}, nothing},
	}
	for _, tt := range tests {
		out, _, err := esphomeRun(t, nil, tt.args...)
		if err == nil || out != "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v %q", tt.args, err, out)
		}
	}
}

func someCA(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "nod on desk"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
