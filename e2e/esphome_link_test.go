//go:build full

package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/present/esphome"
	"nod/internal/present/words"
	"nod/internal/surface/screen"
)

// The headers that the device's connection includes and a computer does not have.
var espHeaders = []string{
	"esp_transport.h", "esp_transport_ssl.h", "esp_transport_tcp.h", "esp_transport_ws.h", "esp_crt_bundle.h",
	"freertos/FreeRTOS.h", "freertos/message_buffer.h", "freertos/queue.h", "freertos/task.h",
	"esphome/core/hal.h", "esphome/core/log.h",
}

// buildDevice compiles the device's connection for this machine.
func buildDevice(t *testing.T) string {
	t.Helper()
	headers := map[string]string{}
	for _, name := range espHeaders {
		headers[name] = "standin.h"
	}
	return compileDevice(t, headers, []string{"device.cpp", "standin.cpp"}, "link.cpp", "-Wno-missing-field-initializers", "-pthread")
}

// compileDevice compiles a source of the device's own for this machine. Headers of the
// platform are replaced by the stand-ins that the map names, and other sources of
// testdata/esphome run it.
func compileDevice(t *testing.T, headers map[string]string, standins []string, source string, flags ...string) (program string) {
	t.Helper()
	compiler, err := exec.LookPath("g++")
	if err != nil {
		withoutESPHome(t, "g++ is not installed")
	}
	dir, _ := writeESPHome(t, esphome.Options{Board: esphome.Basic, Name: "nod-desk", Hub: "http://desk.local", Say: words.In(words.English)})
	standin, err := filepath.Abs(filepath.Join("testdata", "esphome"))
	if err != nil {
		t.Fatal(err)
	}
	for name, header := range headers {
		name = filepath.Join(dir, "include", name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("#include \""+header+"\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, component := filepath.Join(dir, "device"), filepath.Join(dir, "components", "nod_screen")
	args := append([]string{"-std=c++20", "-Wall", "-Wextra", "-O1", "-I", filepath.Join(dir, "include"), "-I", component, "-I", standin}, flags...)
	for _, name := range standins {
		args = append(args, filepath.Join(standin, name))
	}
	build := exec.CommandContext(t.Context(), compiler, append(args, filepath.Join(component, source), "-o", program)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// cutter is a listener whose connections can be cut, as Wi-Fi does it.
type cutter struct {
	net.Listener
	mu    sync.Mutex
	conns []net.Conn
}

func (c *cutter) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		c.conns = append(c.conns, conn)
		c.mu.Unlock()
	}
	return conn, err
}

func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

// screenHub is a hub that draws, and a token for a device.
func screenHub(t *testing.T) (*hub.Hub, *cutter, string) {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	keeper := auth.NewCredentials(store, nil, nil)
	gate := &httpd.Gate{Credentials: keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	log := slog.New(slog.DiscardHandler)
	server := httptest.NewUnstartedServer(httpd.Mux(gate, log, screen.New(adapter.Deps{Deps: hub.Deps{Hub: h, Log: log}}, screen.Needs{Gate: gate}).Routes()...))
	wire := &cutter{Listener: server.Listener}
	server.Listener = wire
	server.Start()
	t.Cleanup(func() { wire.cut(); server.Close() })
	rights := nod.RightsOf(nod.View, nod.Answering)
	token, _, err := keeper.Create(t.Context(), nod.Actor{Name: "test", Rights: rights | nod.RightsOf(nod.Admin)}, "desk", rights, "")
	if err != nil {
		t.Fatal(err)
	}
	return h, wire, token.Reveal()
}

// device is the program and its output.
type device struct {
	t     *testing.T
	lines chan string
	in    io.Writer
}

func startDevice(t *testing.T, program string, wire *cutter, token string) *device {
	t.Helper()
	host, port, err := net.SplitHostPort(wire.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	hello := `{"type":"hello","width":320,"height":240,"format":"rgb565","max_bytes":16384,"buttons":3,"language":"pl","name":"desk"}`
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	cmd := exec.CommandContext(ctx, program, host, port, token, hello)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d := &device{t, make(chan string, 1000), in}
	go func() {
		defer close(d.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			d.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		cancel()
		for range d.lines {
		}
		_ = cmd.Wait()
	})
	return d
}

// hear waits for a line of the device that starts like this.
func (d *device) hear(prefix string) string {
	d.t.Helper()
	var heard []string
	for line := range d.lines {
		if heard = append(heard, line); strings.HasPrefix(line, prefix) {
			return line
		}
		if line == "nonsense" {
			break
		}
	}
	d.t.Fatalf("the device did not say %q:\n%s", prefix, strings.Join(heard, "\n"))
	return ""
}

// frame waits for a picture and returns how many bytes of it were drawn.
func (d *device) frame() (number, size int) {
	d.t.Helper()
	line := d.hear("frame ")
	if _, err := fmt.Sscanf(line, "frame %d %d", &number, &size); err != nil {
		d.t.Fatal(line, err)
	}
	return number, size
}

// screenHeaders are those that the screen includes beside the connection's.
var screenHeaders = []string{
	"esp_pm.h", "esphome/components/binary_sensor/binary_sensor.h", "esphome/components/display/display.h", "esphome/components/light/light_state.h",
	"esphome/components/rtttl/rtttl.h", "esphome/components/json/json_util.h", "esphome/components/network/util.h",
	"esphome/core/component.h", "esphome/core/application.h", "esphome/core/hal.h", "esphome/core/log.h",
}

// Without its hub the device keeps what it shows readable, covers the buttons, sends no
// press, and draws again when the hub is back. The code is the device's own.
func TestTheDeviceWithoutAHub(t *testing.T) {
	headers := map[string]string{}
	for _, name := range espHeaders {
		if !strings.HasPrefix(name, "esphome/") {
			headers[name] = "standin.h"
		}
	}
	for _, name := range screenHeaders {
		headers[name] = "screen_standin.h"
	}
	program := compileDevice(t, headers, []string{"screen.cpp"}, "nod_screen.cpp")
	out, err := exec.CommandContext(t.Context(), program).Output()
	const want = `at first: above !, buttons !
sent hello
with a hub: above a, buttons a
sent {"button":"A","kind":"down","frame":5}
sent {"button":"A","kind":"click","frame":5}
without it: above a, buttons !
sent hello
sent {"button":"A","kind":"up","frame":0}
it is back: above b, buttons b
sent {"button":"A","kind":"down","frame":1}
sent {"button":"A","kind":"click","frame":1}
`
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

func TestTheDevicesOwnCodeAnswersARequest(t *testing.T) {
	program := buildDevice(t)
	h, wire, token := screenHub(t)
	deadline := time.Now().Add(time.Minute)
	asked, err := h.Link("test").Ask(t.Context(), nod.Request{
		ID: "r1", Agent: nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, Kind: nod.KindApproval, Tool: "Bash", Title: "make", Display: "make",
		OneTap: true, Risk: &nod.Risk{Level: "read"}, Input: json.RawMessage(`{}`), ExpiresAt: &deadline,
	})
	if err != nil {
		t.Fatal(err)
	}
	d := startDevice(t, program, wire, token)
	const whole = 320 * 240 * 2
	d.hear("connected")
	d.hear(`text {"type":"welcome"`)
	if _, size := d.frame(); size != whole {
		t.Errorf("the first picture has %d bytes", size)
	}
	d.frame()
	if _, size := d.frame(); size == 0 || size > 4000 {
		t.Errorf("a second of the countdown costs %d bytes", size)
	}
	if _, err := io.WriteString(d.in, "A\n"); err != nil {
		t.Fatal(err)
	}
	answered, err := h.Link("test").Await(t.Context(), asked.ID)
	if err != nil || answered.Decision == nil || answered.Decision.Verdict != nod.VerdictAllow {
		t.Fatalf("%+v, %v", answered, err)
	}
	d.hear(`text {"type":"beep"`)

	wire.cut()
	d.hear("lost")
	d.hear("connected")
	// What had come of a picture before the break is counted too.
	if _, size := d.frame(); size < whole {
		t.Errorf("after a break the picture has %d bytes", size)
	}
}
