//go:build full

package e2e

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const toySurface = `// Package toy is a surface that a test adds.
package toy

import (
	"net/http"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
)

// Config is the section of a toy.
type Config struct {
	Speed int ` + "`toml:\"speed\"`" + ` // how fast it runs
}

// Defaults sets what holds unless the file says otherwise.
func (c *Config) Defaults() { c.Speed = 3 }

// Check refuses what cannot work.
func (c Config) Check() error {
	if c.Speed < 1 {
		return nod.Errorf(nod.Invalid, "toy.speed is at least 1")
	}
	return nil
}

// Open makes the surface.
func (c Config) Open(d adapter.Deps) (any, error) { return &Surface{c, d}, nil }

// Surface is the toy.
type Surface struct {
	Config
	adapter.Deps
}

// Routes is its only endpoint.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{{Method: "GET", Path: "/v1/toy", Open: true, Handle: func(w http.ResponseWriter, _ *http.Request) error {
		return httpd.JSON(w, http.StatusOK, s.Speed)
	}}}
}

// Health says what is wrong.
func (s *Surface) Health() error { return nod.Errorf(nod.Unavailable, "The toy needs a new battery.") }
`

// A new surface is one folder and one line (and the import that gofmt's friends
// write): configuration, documentation, architecture, routes and doctor follow.
func TestNewSurfaceIsOneFolderAndOneField(t *testing.T) {
	t.Parallel()
	dir := copyOfTheSource(t)
	file := filepath.Join(dir, "internal", "surface", "toy", "toy.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(toySurface), 0o600); err != nil {
		t.Fatal(err)
	}
	addLine(t, filepath.Join(dir, "internal", "app", "config.go"))

	in(t, dir, "go", "test", "./internal/archtest")
	in(t, dir, "go", "test", "./internal/app", "-run", "TestEverySettingIsDocumented", "-update")
	page, err := os.ReadFile(filepath.Join(dir, "docs", "configuration.md"))
	if err != nil || !strings.Contains(string(page), "## [toy]\n\nA toy.") || !strings.Contains(string(page), "| `toy.speed` | `3` | how fast it runs |") {
		t.Errorf("the page of settings has no toy: %v", err)
	}

	nod := filepath.Join(t.TempDir(), "nod")
	in(t, dir, "go", "build", "-o", nod, "./cmd/nod")
	data := t.TempDir()
	for _, c := range []struct{ toml, says string }{
		{"", "toy.speed"},
		{"[toy]\nsped = 1\n", `unknown key "toy.sped"; did you mean "toy.speed"?`},
		{"[toy]\nspeed = \"fast\"\n", `toy.speed is "fast", but takes a whole number`},
		{"[toy]\nspeed = 0\n", "toy.speed is at least 1"},
		{"[toy]\nspeed = 7\n", "7"},
	} {
		if err := os.WriteFile(filepath.Join(data, "nod.toml"), []byte(c.toml), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, _ := toyCommand(t.Context(), nod, data, "config").CombinedOutput(); !strings.Contains(string(out), c.says) {
			t.Errorf("%s: %s, want …%s…", c.toml, out, c.says)
		}
	}
	url := serveToy(t, nod, data)
	if got := fetch(t, url+"/v1/toy"); strings.TrimSpace(got) != "7" {
		t.Errorf("the endpoint says %s", got)
	}
	if out, _ := toyCommand(t.Context(), nod, data, "doctor").CombinedOutput(); !strings.Contains(string(out), "The toy needs a new battery.") {
		t.Errorf("doctor says nothing of the toy:\n%s", out)
	}
}

// addLine is all that is changed outside of the toy's folder.
func addLine(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const after, imported = "`toml:\"metrics\"`\n", "\t\"nod/internal/surface/uplink\"\n"
	if !strings.Contains(string(text), after) || !strings.Contains(string(text), imported) {
		t.Fatalf("%s looks different now: mend this test", file)
	}
	changed := strings.Replace(string(text), after, after+"\tToy toy.Config `toml:\"toy\"`\n", 1)
	changed = strings.Replace(changed, imported, "\t\"nod/internal/surface/toy\"\n"+imported, 1)
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyOfTheSource(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$1"`, "sh", dir)
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func in(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func toyCommand(ctx context.Context, nod, data string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, nod, args...)
	cmd.Env = []string{"NOD_DATA=" + data, "HOME=" + data, "PATH=/usr/bin:/bin", "LANG=C.UTF-8"}
	return cmd
}

// serveToy starts the hub and returns its address.
func serveToy(t *testing.T, nod, data string) string {
	t.Helper()
	cmd := toyCommand(t.Context(), nod, data, "serve", "--listen", "127.0.0.1:0")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Cancel(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	var url string
	if _, err := fmt.Sscanf(line, "listening on %s", &url); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return url
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, text := sendRequest(t, req)
	return string(text)
}
