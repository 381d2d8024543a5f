package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
)

// hubProcess is a real `nod serve`.
type hubProcess struct {
	data   string
	cmd    *exec.Cmd
	log    *bytes.Buffer
	heard  time.Duration // from its start to the line with its address
	health time.Duration // from its start to the first good GET /health
}

// environ is what a person's own terminal has: nothing of an agent's.
func environ(data string) []string {
	return []string{"HOME=" + data, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "NOD_DATA=" + data}
}

// agentEnviron is what Claude Code adds for its hooks. This process plays it.
func agentEnviron(data string) []string {
	return append(environ(data), "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli", "CLAUDE_PID="+strconv.Itoa(os.Getpid()), "CLAUDE_CONFIG_DIR="+data)
}

func startHub(b *testing.B, data string) *hubProcess {
	b.Helper()
	h := &hubProcess{data: data, cmd: exec.Command(nodBinary, "serve", "--listen", "127.0.0.1:0"), log: &bytes.Buffer{}}
	h.cmd.Env, h.cmd.Stderr = environ(data), h.log
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	at := time.Now()
	if err := h.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(h.kill)
	first, err := bufio.NewReader(out).ReadString('\n')
	h.heard = time.Since(at)
	if err != nil || !strings.HasPrefix(first, "listening on ") {
		b.Fatalf("the hub said %q, %v\n%s", first, err, h.log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	if _, err := h.local().Health(b.Context()); err != nil {
		b.Fatal(err)
	}
	h.health = time.Since(at)
	return h
}

// kill is what a power cut does. It may be called again.
func (h *hubProcess) kill() {
	if h.cmd.ProcessState == nil {
		_ = h.cmd.Process.Kill()
		_ = h.cmd.Wait()
	}
}

func (h *hubProcess) socket() string { return filepath.Join(h.data, "nod.sock") }

func (h *hubProcess) local() *client.Client { return client.Local(h.socket(), "bench") }

// device pairs this process as a phone would be. Hooks make the process that
// started them an agent, which may not answer: a device with a token may.
func (h *hubProcess) device(b *testing.B) *device {
	b.Helper()
	t, err := h.local().CreateToken(b.Context(), v1.NewToken{Name: "bench", Rights: nod.RightsOf(nod.View, nod.Answering)})
	if err != nil {
		b.Fatalf("%v: start the benchmarks from a plain terminal, not from inside an agent", err)
	}
	return newDevice(h.socket(), t.Secret)
}

// memory is a figure of /proc/<pid>/status in MB, such as VmRSS.
func (h *hubProcess) memory(b *testing.B, name string) float64 {
	b.Helper()
	return procField(b, fmt.Sprintf("/proc/%d/status", h.cmd.Process.Pid), name) / 1024
}
