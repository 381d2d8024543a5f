//go:build full

package e2e

import (
	"bytes"
	"context"
	bytesOf "encoding/binary"
	"errors"
	"image"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod/internal/net/certs"
	"nod/internal/present/draw"
	"nod/internal/present/esphome"
	"nod/internal/present/words"
)

// What the tests were made with; another may judge otherwise.
const (
	esphomePackage = "esphome==2026.6.5"
	mbedtlsPackage = "python-mbedtls==2.10.1"
)

// withoutESPHome skips on a laptop and fails where everything has to be there.
func withoutESPHome(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("NOD_E2E_REQUIRE") == "1" {
		t.Fatalf("%s (NOD_E2E_REQUIRE=1)", reason)
	}
	t.Skip(reason)
}

// environments are where Python packages live: outside the repository, and kept.
var environments sync.Mutex

// needPython finds Python with a package, and installs that the first time.
func needPython(t *testing.T, pkg string) string {
	t.Helper()
	environments.Lock()
	defer environments.Unlock()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "nod-e2e", strings.ReplaceAll(pkg, "==", "-"))
	python, ready := filepath.Join(home, "bin", "python"), filepath.Join(home, "ready")
	if _, err := os.Stat(ready); err == nil {
		return python
	}
	system, err := exec.LookPath("python3")
	if err != nil {
		withoutESPHome(t, "python3 is not installed")
	}
	if err := os.RemoveAll(home); err != nil { // an installation that was broken off
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), system, "-m", "venv", home).CombinedOutput(); err != nil {
		withoutESPHome(t, "python3 makes no environment: "+lastLine(out))
	}
	within, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	install := exec.CommandContext(within, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", pkg)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skip(pkg + " cannot be had here: " + lastLine(out)) // that is the package index's doing, not ours
	}
	if err := os.WriteFile(ready, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return python
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// ownCA is the hub's own CA, as `nod serve --tls` makes it.
func ownCA(t *testing.T) *certs.Own {
	t.Helper()
	desk := certs.Machine{
		Hostname:  func() (string, error) { return "desk", nil },
		Addresses: func() ([]net.Addr, error) { return nil, nil },
	}
	own, err := certs.NewOwn(certs.OwnOptions{Dir: t.TempDir(), Now: time.Now, Machine: desk, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// writeESPHome is what the command writes, with secrets filled in.
func writeESPHome(t *testing.T, o esphome.Options) (dir, file string) {
	t.Helper()
	files, err := esphome.Files(o)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, files[0].Name
}

func runESPHome(t *testing.T, python, dir string, args ...string) (string, error) {
	t.Helper()
	within, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(within, python, append([]string{"-m", "esphome"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestESPHomeAcceptsTheConfigurationOfEveryBoard(t *testing.T) {
	python := needPython(t, esphomePackage)
	own := ownCA(t)
	for _, board := range []esphome.Board{esphome.Basic, esphome.Core2, esphome.CoreS3} {
		t.Run(string(board), func(t *testing.T) {
			dir, file := writeESPHome(t, esphome.Options{
				Board: board, Name: "nod-desk", Hub: "https://desk.local:8742", CA: own.Authority().PEM(), Say: words.In(words.Japanese),
			})
			if out, err := runESPHome(t, python, dir, "config", file); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			// As far as it goes without a compiler for the ESP32.
			if out, err := runESPHome(t, python, dir, "compile", "--only-generate", file); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			code, err := os.ReadFile(filepath.Join(dir, ".esphome", "build", "nod-desk", "src", "main.cpp"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(code), `set_hub("desk.local", 8742, true, "/v1/screen")`) {
				t.Error("the device does not call the hub")
			}
		})
	}
}

// Every file of examples/esphome is accepted as it is shipped.
func TestESPHomeAcceptsTheExamplesAsTheyAre(t *testing.T) {
	python := needPython(t, esphomePackage)
	dir := t.TempDir() // ESPHome writes beside what it reads
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples", "esphome"))); err != nil {
		t.Fatal(err)
	}
	list, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	for _, file := range list {
		if name := filepath.Base(file); name != "secrets.yaml" {
			t.Run(name, func(t *testing.T) {
				if out, err := runESPHome(t, python, dir, "config", name); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
	// The addition for a Voice PE belongs beside its own firmware, which is on the
	// internet: this has the parts of it that the addition extends, by the same names.
	if err := os.WriteFile(filepath.Join(dir, "voice.yaml"), []byte(voiceFirmware), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := runESPHome(t, python, dir, "config", "voice.yaml"); err != nil {
		t.Errorf("packages/nod-voice-pe.yaml: %v\n%s", err, out)
	}
}

const voiceFirmware = `
esphome: {name: voice}
esp32: {board: esp32-s3-devkitc-1, framework: {type: esp-idf}}
api:
logger:
wifi: {ssid: a, password: "12345678"}
packages:
  nod: !include packages/nod-voice-pe.yaml
event:
  - {platform: template, id: button_press_event, name: Button, event_types: [double_press]}
sensor:
  - {platform: rotary_encoder, id: dial, pin_a: 16, pin_b: 18}
binary_sensor:
  - {platform: gpio, id: center_button, pin: 1}
light:
  - {platform: esp32_rmt_led_strip, id: led_ring, name: Ring, pin: 21, num_leds: 12, rgb_order: GRB, chipset: WS2812}
`

func TestESPHomeRefusesAHubThatIsTheDeviceItself(t *testing.T) {
	python := needPython(t, esphomePackage)
	dir, file := writeESPHome(t, esphome.Options{Board: esphome.Basic, Name: "nod-desk", Hub: "http://desk.local:8742", Say: words.In(words.English)})
	config, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	config = bytes.ReplaceAll(config, []byte("desk.local"), []byte("127.0.0.1"))
	if err := os.WriteFile(filepath.Join(dir, file), config, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := runESPHome(t, python, dir, "config", file); err == nil || !strings.Contains(out, "would be this device itself") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The library that speaks TLS on an ESP32 calls a hub with a CA of its own.
func TestMbedTLSTrustsTheHubByItsAnchor(t *testing.T) {
	python := needPython(t, mbedtlsPackage)
	own := ownCA(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{TLSConfig: own.TLS(), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0), ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") })}
	done := make(chan error, 1)
	go func() { done <- server.ServeTLS(listener, "", "") }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	anchor, err := esphome.Anchor(own.Authority().PEM())
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := esphome.Anchor(ownCA(t).Authority().PEM())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		ca   []byte
		want string
	}{
		{"the anchor", anchor, "hello"},
		{"the CA itself, whose constraint it does not know", own.Authority().PEM(), "refused"},
		{"the anchor of another hub", stranger, "refused"},
	} {
		file := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(file, tt.ca, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), python, "-c", mbedtlsCaller, file, listener.Addr().String()).CombinedOutput()
		if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), tt.want) {
			t.Errorf("%s: %v, want %s\n%s", tt.name, err, tt.want, out)
		}
	}
}

const mbedtlsCaller = `
import socket, sys
from mbedtls import tls, x509
from mbedtls.exceptions import TLSError
host, port = sys.argv[2].rsplit(":", 1)
try:
    store = tls.TrustStore()
    store.add(x509.CRT.from_file(sys.argv[1]))
    context = tls.ClientContext(tls.TLSConfiguration(trust_store=store, validate_certificates=True))
    wire = context.wrap_socket(socket.create_connection((host, int(port)), 10), server_hostname="localhost")
    wire.do_handshake()
except TLSError:
    print("refused")
    sys.exit()
wire.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") # the server does not close: the library forgets what came before a close
print(wire.recv(4096).decode())
`

// What the device does with a picture, tried here: the same file, another compiler.
func TestTheDeviceDrawsWhatTheHubDraws(t *testing.T) {
	compiler, err := exec.LookPath("g++")
	if err != nil {
		withoutESPHome(t, "g++ is not installed")
	}
	dir, _ := writeESPHome(t, esphome.Options{Board: esphome.Basic, Name: "nod-desk", Hub: "http://desk.local", Say: words.In(words.English)})
	program := filepath.Join(dir, "draw")
	build := exec.CommandContext(t.Context(), compiler, "-std=c++20", "-Wall", "-Wextra", "-O1",
		"-I", filepath.Join(dir, "components", "nod_screen"), "-x", "c++", "-", "-o", program)
	build.Stdin = strings.NewReader(pictureProgram)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first := draw.Paint(draw.Disconnected(words.In(words.Polish), draw.M5Stack, "desk.local"), 0)
	second := draw.Paint(draw.Disconnected(words.In(words.Japanese), draw.M5Stack, "desk.local"), 0)
	changed := draw.Dirty(first, second)
	if len(changed) == 0 {
		t.Fatal("the pictures are the same")
	}
	messages := [][]byte{part(7, 3, first.Rect, first.RGB565(first.Rect))}
	for i, r := range changed {
		last := byte(0)
		if i == len(changed)-1 {
			last = 1
		}
		messages = append(messages, part(8, last, r, second.RGB565(r)))
	}
	messages = append(messages, part(9, 1, image.Rectangle{}, nil)) // the same picture, another meaning
	for _, chunk := range []string{"1", "3", "641", "2048", "200000"} {
		got, err := drawBy(t, program, chunk, messages)
		if err != nil {
			t.Fatal(err)
		}
		if want := append([]byte("7 8 9 \n"), second.RGB565(second.Rect)...); !bytes.Equal(got, want) {
			t.Errorf("in pieces of %s bytes another picture comes out (%d bytes, %d wanted; %.20q)", chunk, len(got), len(want), got)
		}
	}
	whole := first.RGB565(first.Rect)
	for name, wrong := range map[string][]byte{
		"beyond the edge":    part(1, 1, image.Rect(200, 0, 520, 240), whole),
		"below the bottom":   part(1, 1, image.Rect(0, 1, 320, 241), whole),
		"too few pixels":     part(1, 1, image.Rect(0, 0, 320, 240), whole[:100]),
		"a length that lies": append(part(1, 1, image.Rect(0, 0, 320, 1), whole[:640]), 1),
		"another format":     append([]byte{'N', 2}, part(1, 1, image.Rect(0, 0, 1, 1), []byte{0, 0})[2:]...),
		"no picture":         []byte("hello, this is no picture at all"),
	} {
		if _, err := drawBy(t, program, "100", [][]byte{wrong}); err == nil {
			t.Errorf("%s: the device draws it", name)
		}
	}
}

// part is a rectangle as docs/screen-protocol.md has it.
func part(frame uint32, flags byte, r image.Rectangle, pixels []byte) []byte {
	b := bytesOf.BigEndian.AppendUint32([]byte{'N', 1, flags, 0}, frame)
	for _, v := range []int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} {
		b = bytesOf.BigEndian.AppendUint16(b, uint16(v))
	}
	return append(bytesOf.BigEndian.AppendUint32(b, uint32(len(pixels))), pixels...)
}

func drawBy(t *testing.T, program, chunk string, messages [][]byte) ([]byte, error) {
	t.Helper()
	var in bytes.Buffer
	for _, m := range messages {
		in.Write(bytesOf.BigEndian.AppendUint32(nil, uint32(len(m))))
		in.Write(m)
	}
	cmd := exec.CommandContext(t.Context(), program, chunk)
	cmd.Stdin = &in
	return cmd.Output()
}

const pictureProgram = `
#include "picture.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace esphome::nod_screen;

struct Screen : Canvas {
  std::vector<uint8_t> memory = std::vector<uint8_t>(320 * 240 * 2);
  void pixels(int x, int y, int w, int h, const uint8_t *data) override {
    for (int row = 0; row < h; row++)
      memcpy(&memory.at(2 * ((y + row) * 320 + x)), data + 2 * w * row, 2 * w);
  }
  void complete(uint32_t frame) override { printf("%u ", (unsigned) frame); }
};

int main(int, char **argv) {
  const size_t chunk = atoi(argv[1]);
  static Picture picture(320, 240);
  Screen screen;
  uint8_t head[4];
  while (fread(head, 1, 4, stdin) == 4) {
    std::vector<uint8_t> message(head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3]);
    if (fread(message.data(), 1, message.size(), stdin) != message.size())
      return 2;
    picture.begin();
    for (size_t at = 0; at < message.size(); at += chunk) {
      const size_t n = std::min(chunk, message.size() - at);
      // A copy of its own size: reading beyond it would be seen.
      std::vector<uint8_t> piece(message.begin() + at, message.begin() + at + n);
      if (!picture.feed(piece.data(), n, screen))
        return 1;
    }
  }
  printf("\n");
  fwrite(screen.memory.data(), 1, screen.memory.size(), stdout);
}
`
