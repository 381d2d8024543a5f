package homeassistant

import (
	_ "embed"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

//go:embed requirements.txt
var requirements string

// Version is the Home Assistant that the tests are made for.
func Version() string {
	return regexp.MustCompile(`(?m)^homeassistant==(\S+)$`).FindStringSubmatch(requirements)[1]
}

// need finds the installation that scripts/homeassistant made, or ends the test.
func need(t testing.TB) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("this machine has no cache folder: ", err)
	}
	home := filepath.Join(cache, "nod-e2e", "homeassistant-"+Version())
	if _, err := os.Stat(filepath.Join(home, "ready")); err == nil {
		return home
	}
	reason := "Home Assistant is not installed: run scripts/homeassistant"
	why, err := os.ReadFile(home + ".why")
	if err == nil {
		reason += " (the last time: " + strings.TrimSpace(string(why)) + ")"
	}
	if os.Getenv("NOD_E2E_REQUIRE") == "1" && !strings.HasPrefix(string(why), "unreachable") {
		t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
	}
	t.Skip(reason)
	return ""
}

// sweep removes config folders whose test binary is gone.
func sweep(dir string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		owner, _, _ := strings.Cut(e.Name(), "-")
		if pid, err := strconv.Atoi(owner); err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.RemoveAll(filepath.Join(dir, e.Name())) // another binary may sweep too
		}
	}
}

// freePort is free for the moment: Home Assistant cannot choose one itself.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
