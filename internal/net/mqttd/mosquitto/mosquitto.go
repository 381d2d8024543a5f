// Package mosquitto runs Debian's MQTT broker for tests, on a port of this
// machine, with a configuration and a directory of its own.
package mosquitto

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Broker is a running one.
type Broker struct {
	t       testing.TB
	program string
	dir     string
	config  string
	port    int
	cmd     *exec.Cmd
	log     strings.Builder
	done    chan struct{}
}

// Account is a user whom the broker lets in.
type Account struct{ Name, Password string }

// Start starts one, and ends it with the test. Without accounts it lets
// everybody in. If Mosquitto is not installed the test is skipped, unless the
// environment demands it.
func Start(t testing.TB, accounts ...Account) *Broker {
	t.Helper()
	b := &Broker{t: t, dir: t.TempDir(), program: find(t, "mosquitto"), port: freePort(t)}
	config := []string{
		fmt.Sprintf("listener %d 127.0.0.1", b.port), "log_dest stderr", "log_type all", "persistence true", "autosave_interval 1",
		"persistence_location " + b.dir + "/", "max_queued_messages 0", "max_inflight_messages 100",
	}
	if os.Getuid() == 0 {
		config = append(config, "user root") // else it could not read its own directory
	}
	if len(accounts) == 0 {
		config = append(config, "allow_anonymous true")
	} else {
		config = append(config, "allow_anonymous false", "password_file "+b.accounts(accounts))
	}
	b.config = filepath.Join(b.dir, "mosquitto.conf")
	if err := os.WriteFile(b.config, []byte(strings.Join(config, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Begin()
	t.Cleanup(b.Kill)
	return b
}

func find(t testing.TB, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name, "/usr/bin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if os.Getenv("NOD_E2E_REQUIRE") != "" {
		t.Fatalf("%s is not installed: apt-get install mosquitto mosquitto-clients", name)
	}
	t.Skipf("%s is not installed: apt-get install mosquitto mosquitto-clients", name)
	return ""
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func (b *Broker) accounts(list []Account) string {
	file := filepath.Join(b.dir, "accounts")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
	for _, a := range list {
		if out, err := exec.Command(find(b.t, "mosquitto_passwd"), "-b", file, a.Name, a.Password).CombinedOutput(); err != nil {
			b.t.Fatalf("mosquitto_passwd: %v\n%s", err, out)
		}
	}
	return file
}

// Begin starts the program and waits until it says that it runs.
func (b *Broker) Begin() {
	b.t.Helper()
	b.cmd = exec.Command(b.program, "-c", b.config)
	b.cmd.Env = []string{"PATH=/usr/bin:/bin"}
	out, err := b.cmd.StderrPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	ready, done := make(chan bool, 1), make(chan struct{})
	b.done = done
	go func() {
		defer close(done)
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			b.log.WriteString(lines.Text() + "\n")
			if strings.HasSuffix(lines.Text(), " running") {
				ready <- true
			}
		}
		_ = b.cmd.Wait()
		close(ready)
	}()
	select {
	case ok := <-ready:
		if !ok {
			b.t.Fatalf("mosquitto did not start:\n%s", b.log.String())
		}
	case <-time.After(20 * time.Second):
		b.t.Fatal("mosquitto does not say that it runs")
	}
}

// Kill ends it without a goodbye.
func (b *Broker) Kill() {
	if b.cmd != nil {
		_ = b.cmd.Process.Kill()
		<-b.done
		b.cmd = nil
	}
}

// Stop ends it properly, so that it keeps what it has to keep.
func (b *Broker) Stop() {
	_ = b.cmd.Process.Signal(os.Interrupt)
	<-b.done
	b.cmd = nil
}

// Address is where it listens.
func (b *Broker) Address() string { return fmt.Sprintf("127.0.0.1:%d", b.port) }

// URL is the same as a client wants it.
func (b *Broker) URL() *url.URL { return &url.URL{Scheme: "mqtt", Host: b.Address()} }
