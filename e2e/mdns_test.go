package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"nod/internal/net/mdns"
)

// lan is two machines with a cable between them. No packet leaves it.
type lan struct {
	program string
	spaces  [2]string
}

// spaces counts the machines that were made.
var spaces atomic.Int32

// newLAN needs Linux, and the right to make network namespaces.
func newLAN(t *testing.T) *lan {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("there is no ip command here: mDNS is tried on Linux with iproute2")
	}
	l := &lan{program: filepath.Join(t.TempDir(), "neighbour")}
	for i := range l.spaces {
		l.spaces[i] = fmt.Sprintf("nod-%d-%d", os.Getpid(), spaces.Add(1))
		if out, err := exec.Command("ip", "netns", "add", l.spaces[i]).CombinedOutput(); err != nil {
			t.Skipf("network namespaces cannot be made here (%s): mDNS is tried as root on Linux", strings.TrimSpace(string(out)))
		}
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", l.spaces[i]).Run() })
	}
	run := func(args ...string) {
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Skipf("a cable between network namespaces cannot be laid here: ip %s: %s", strings.Join(args, " "), out)
		}
	}
	run("link", "add", "name", "cable", "netns", l.spaces[0], "type", "veth", "peer", "name", "cable", "netns", l.spaces[1])
	for i, space := range l.spaces {
		run("-n", space, "addr", "add", fmt.Sprintf("10.77.0.%d/24", i+1), "dev", "cable")
		run("-n", space, "link", "set", "lo", "up")
		run("-n", space, "link", "set", "cable", "up")
	}
	if out, err := exec.Command("go", "build", "-o", l.program, "nod/e2e/neighbour").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return l
}

// neighbour is a program on one of the machines.
type neighbour struct {
	cmd   *exec.Cmd
	in    io.Writer
	lines chan string
	errs  *lockedBuffer
}

func (l *lan) start(t *testing.T, machine int, args ...string) *neighbour {
	t.Helper()
	n := &neighbour{lines: make(chan string, 100), errs: &lockedBuffer{}}
	n.cmd = exec.Command("ip", append([]string{"netns", "exec", l.spaces[machine], l.program}, args...)...)
	n.cmd.Stderr = n.errs
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(n.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			n.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() { n.end(t) })
	return n
}

// end asks it to stop, and waits until it has said goodbye.
func (n *neighbour) end(t *testing.T) {
	t.Helper()
	if n.cmd.ProcessState != nil {
		return
	}
	_ = n.cmd.Process.Signal(syscall.SIGTERM)
	if err := n.cmd.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", n.cmd.Args, err, n.errs)
	}
}

// says waits for a line that is wanted.
func (n *neighbour) says(t *testing.T, what string, want func(line string) bool) {
	t.Helper()
	late := time.After(40 * time.Second)
	var heard []string
	for {
		select {
		case line, ok := <-n.lines:
			if !ok {
				t.Fatalf("it ended before %s; it said %q\n%s", what, heard, n.errs)
			}
			if want(line) {
				return
			}
			heard = append(heard, line)
		case <-late:
			t.Fatalf("never %s; it said %q\n%s", what, heard, n.errs)
		}
	}
}

func found(want func(f mdns.Found) bool) func(string) bool {
	return func(line string) bool {
		var f mdns.Found
		return json.Unmarshal([]byte(line), &f) == nil && want(f)
	}
}

func TestAHubIsFoundOnTheNetwork(t *testing.T) {
	t.Parallel()
	l := newLAN(t)
	l.start(t, 1, "device") // has the name prompt-relay.local already
	web, hubs := l.start(t, 1, "find", mdns.HTTP), l.start(t, 1, "find", mdns.Nod)
	web.says(t, "the device", found(func(f mdns.Found) bool {
		return f.Name == "Prompt Relay ESP32" && f.Host == "prompt-relay" && f.Text["board"] == "m5stack"
	}))
	desk := l.start(t, 0, "announce")
	hubs.says(t, "the hub", found(func(f mdns.Found) bool {
		at, ok := f.AddrPort()
		return ok && !f.Gone && f.Name == "nod on desk" && at.String() == "10.77.0.1:8742" && f.Text["version"] == "1.2.3" && f.Text["path"] == "/"
	}))
	web.says(t, "the hub by its other name", found(func(f mdns.Found) bool {
		return f.Name == "nod on desk as prompt-relay" && f.Host == "prompt-relay-2" && f.Port == 3939
	}))
	desk.end(t)
	hubs.says(t, "goodbye", found(func(f mdns.Found) bool { return f.Gone && f.Name == "nod on desk" }))
}

func TestADeviceIsFoundShownAndAnswers(t *testing.T) {
	t.Parallel()
	l := newLAN(t)
	hub := l.start(t, 0, "hub")
	device := l.start(t, 1, "device") // plugged in while the hub runs
	hub.says(t, "shown", func(line string) bool { return line == `"shown by Prompt Relay ESP32"` })
	if _, err := io.WriteString(device.in, "A\n"); err != nil {
		t.Fatal(err)
	}
	hub.says(t, "allowed", func(line string) bool { return line == `"allow by Prompt Relay ESP32"` })
}
