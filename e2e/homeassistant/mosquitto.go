package homeassistant

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nod/e2e/rig"
)

// Mosquitto runs the broker of that name until the test ends, and returns its host:port. Lines of its configuration
// may be added, such as a password file; without any, everybody on this machine may connect.
func Mosquitto(t testing.TB, lines ...string) string {
	t.Helper()
	path, err := exec.LookPath("mosquitto")
	if err != nil {
		path = "/usr/sbin/mosquitto" // often not in the PATH of a person
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("NOD_E2E_REQUIRE") == "1" {
				t.Fatal("mosquitto is not installed (NOD_E2E_REQUIRE=1)")
			}
			t.Skip("mosquitto is not installed")
		}
	}
	if len(lines) == 0 {
		lines = []string{"allow_anonymous true"}
	}
	port := freePort(t)
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	text := fmt.Sprintf("listener %d 127.0.0.1\n%s\n", port, strings.Join(lines, "\n"))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", file)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var said output
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := fmt.Sprintf("127.0.0.1:%d", port)
	rig.Until(t, "mosquitto to listen", func() bool {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, said.String)
	return address
}
