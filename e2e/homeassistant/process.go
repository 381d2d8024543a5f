package homeassistant

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"nod/e2e/rig"
)

// enter starts a program inside the Debian: with its own mount and process namespaces, so that everything ends with
// the first process. A user who is not root is root only inside.
const enter = `mount -t proc proc "$1/proc" && exec chroot "$@"`

func (h *Instance) command(args ...string) *exec.Cmd {
	flags := []string{"--mount", "--pid", "--fork", "--kill-child"}
	if os.Getuid() != 0 {
		flags = append(flags, "--map-root-user")
	}
	cmd := exec.Command("unshare", append(append(flags, "/bin/sh", "-c", enter, "sh", h.root), args...)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + h.inside, "LANG=C.UTF-8"}
	// The test binary may be killed: nothing of it stays.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// run is one life of the process.
type run struct {
	cmd    *exec.Cmd
	output output
	gone   chan struct{} // closed when it has ended, after err is set
	err    error
}

func (h *Instance) launch(t testing.TB) {
	t.Helper()
	r := &run{cmd: h.command("/srv/ha/bin/hass", "--config", h.inside, "--skip-pip", "--log-no-color"), gone: make(chan struct{})}
	r.cmd.Stdout, r.cmd.Stderr = &r.output, &r.output
	started := make(chan error)
	go func() {
		// Pdeathsig follows the thread that started the process, so that thread has to stay.
		runtime.LockOSThread()
		err := r.cmd.Start()
		started <- err
		if err == nil {
			r.err = r.cmd.Wait()
			close(r.gone)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	h.run = r
}

// kill ends every process of this life; unshare takes its children along.
func (r *run) kill() {
	_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL) // it may be gone already
	<-r.gone
}

// Restart stops Home Assistant in order, so that it saves its state, and starts it again at the same address. Events
// and the log start empty. No other test may use the instance meanwhile.
func (h *Instance) Restart(t testing.TB) {
	t.Helper()
	_ = h.TryCall(t.Context(), "homeassistant.stop", nil, nil) // it may hang up before it answers
	h.socket.close()
	select {
	case <-h.run.gone:
	case <-time.After(rig.Patience):
		h.run.kill()
		t.Fatalf("Home Assistant does not stop\n%s", h.Log())
	}
	h.launch(t)
	h.awake(t)
	h.connect(t)
}

// Kill is a power cut; Restart is not possible after it, Revive is.
func (h *Instance) Kill() {
	h.socket.close()
	h.run.kill()
}

// Revive starts a killed instance again.
func (h *Instance) Revive(t testing.TB) {
	t.Helper()
	h.launch(t)
	h.awake(t)
	h.connect(t)
}

// Close ends the instance and removes its folder. It may be called twice.
func (h *Instance) Close() {
	h.stop.Do(func() {
		if h.socket != nil {
			h.socket.close()
		}
		if h.run != nil {
			h.run.kill()
		}
		if os.Getenv("NOD_E2E_KEEP") == "" {
			_ = os.RemoveAll(h.Dir)
		}
	})
}

// output keeps what the process prints.
type output struct {
	sync.Mutex
	bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.Lock()
	defer o.Unlock()
	return o.Buffer.Write(p)
}

func (o *output) String() string {
	o.Lock()
	defer o.Unlock()
	return o.Buffer.String()
}
