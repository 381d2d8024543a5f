// Package browser runs the web app in a real Chromium against the real binary.
// Agents are real nod-hook processes: what such a process prints is the proof
// that an answer given in the browser has arrived.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// binary is nod and hookBinary the nod-hook beside it, built once for all tests.
var binary, hookBinary string

// shots is where screenshots go: $NOD_SHOTS, or nowhere that lasts.
var shots string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "nod-browser-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary, hookBinary = filepath.Join(dir, "nod"), filepath.Join(dir, "nod-hook")
		cmd := exec.Command("go", "build", "-o", dir, "nod/cmd/...")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building nod: %v\n%s", err, out)
			return 1
		}
		if shots = os.Getenv("NOD_SHOTS"); shots == "" {
			shots = filepath.Join(dir, "shots")
		}
		if err := os.MkdirAll(shots, 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer quit()
		return m.Run()
	}())
}

// One browser process serves all tests; each page has a profile of its own.
var (
	once   sync.Once
	engine context.Context
	failed error
	quit   = func() {}
)

// chromium is the running browser.
func chromium(t testing.TB) context.Context {
	t.Helper()
	path := needChromium(t)
	once.Do(func() {
		opts := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.ExecPath(path),
			chromedp.NoSandbox, // containers run tests as root, where the sandbox does not start
			chromedp.Flag("headless", "new"),
			chromedp.Flag("disable-gpu", true),
			chromedp.Flag("hide-scrollbars", true),
			chromedp.Flag("lang", "en-US"),
			chromedp.NoInheritEnv,
			chromedp.Env("HOME="+filepath.Dir(binary), "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"),
		)
		alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
		ctx, cancel := chromedp.NewContext(alloc)
		quit = func() { cancel(); stop() }
		engine, failed = ctx, chromedp.Do(ctx)
	})
	if failed != nil {
		t.Fatalf("Chromium does not start: %v", failed)
	}
	return engine
}

// needChromium skips on a laptop and fails in CI, where a silent skip would
// look like a pass.
func needChromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("NOD_E2E_CHROMIUM"), "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	lacking(t, "Chromium is not installed: scripts/deps installs it on Debian, or set NOD_E2E_CHROMIUM")
	return ""
}

func lacking(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("NOD_E2E_REQUIRE") == "1" {
		t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
	}
	t.Skip(reason)
}

// axe is the source of axe-core, as `npm ci` put it into web.
func axe(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		lacking(t, "axe-core is not installed: run `npm ci` in web")
	}
	return string(b)
}
