// Package e2e runs the real binary against the real Claude Code in a real tmux.
// Only the model is made up.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nod"
	"nod/e2e/rig"
	"nod/internal/agent/claude/hookprogram"
	"nod/internal/agent/claude/settings"
	"nod/internal/client"
)

// binary is nod and hookBinary the nod-hook beside it, built once for all tests;
// hubBinary is nod with the race detector where a C compiler is there. Hooks stay
// quick without it.
var binary, hookBinary, hubBinary string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == formServerArg {
		serveForms(os.Stdin, os.Stdout)
		return
	}
	if len(os.Args) > 2 && os.Args[1] == switchServerArg {
		serveSwitches(os.Stdin, os.Stdout, os.Args[2])
		return
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "nod-bin-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary, hookBinary = filepath.Join(dir, "nod"), filepath.Join(dir, hookprogram.Name())
		if err := build(dir, "nod/cmd/...", "CGO_ENABLED=0"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		hubBinary = filepath.Join(dir, "race", "nod")
		if err := build(hubBinary, "nod/cmd/nod", "CGO_ENABLED=1", "-race"); err != nil {
			fmt.Fprintln(os.Stderr, "the hub runs without the race detector:", err)
			hubBinary = binary
		}
		return m.Run()
	}())
}

func build(to, what, env string, flags ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-o", to}, flags...), what)...)
	cmd.Env = append(os.Environ(), env)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building nod: %w\n%s", err, out)
	}
	return nil
}

// world is one person, one hub and one Claude Code.
type world struct {
	*rig.Rig
	data   string
	hub    *exec.Cmd
	hubLog *lockedBuffer
	url    string // where the hub listens
	client *client.Client
}

// newWorld starts a hub and sets Claude Code up for it.
func newWorld(t *testing.T, opt rig.Options) *world {
	t.Helper()
	w := worldWithoutHub(t, opt)
	w.startHub(t)
	h, err := w.client.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !h.Rights.Has(nod.Answering) {
		t.Fatalf("the hub takes this test for %s: start the tests from a plain terminal, not from inside an agent", h.You.Name)
	}
	return w
}

func worldWithoutHub(t *testing.T, opt rig.Options) *world {
	t.Helper()
	data, err := os.MkdirTemp("", "nod-data-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	env := map[string]string{"NOD_DATA": data}
	for name, value := range opt.Env {
		env[name] = value
	}
	opt.Env = env
	w := &world{Rig: rig.New(t, opt), data: data, hubLog: &lockedBuffer{}}
	w.client = client.Local(filepath.Join(data, "nod.sock"), "test")
	w.installHooks(t, hookBinary)
	return w
}

// installHooks writes what `nod setup claude` writes.
func (w *world) installHooks(t *testing.T, program string, args ...string) {
	t.Helper()
	if _, err := settings.Install(filepath.Join(w.ConfigDir, "settings.json"), hookprogram.Hooks(program, args), settings.Options{}); err != nil {
		t.Fatal(err)
	}
}

// env is what a person's own terminal has: nothing of an agent's.
func (w *world) env() []string {
	return []string{"HOME=" + w.Home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "NOD_DATA=" + w.data}
}

// writeConfig writes nod.toml, for the next start.
func (w *world) writeConfig(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.data, "nod.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// startHub runs `nod serve` and returns when it listens.
func (w *world) startHub(t *testing.T) {
	t.Helper()
	w.startAs(t, "serve")
}

// startAs runs a command that is a hub, and returns when it listens.
func (w *world) startAs(t *testing.T, command string, args ...string) {
	t.Helper()
	cmd := exec.Command(hubBinary, append([]string{command, "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env, cmd.Stderr = w.env(), w.hubLog
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.hub = cmd
	t.Cleanup(func() {
		if text := w.hubLog.String(); t.Failed() || strings.Contains(text, "DATA RACE") {
			t.Errorf("hub log:\n%s", text)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(first, "listening on http://") {
		t.Fatalf("the hub said %q, %v\n%s", first, err, w.hubLog)
	}
	w.url = strings.TrimSpace(strings.TrimPrefix(first, "listening on "))
	go func() { _, _ = io.Copy(io.Discard, out) }()
}

// killHub is what a power cut does.
func (w *world) killHub(t *testing.T) {
	t.Helper()
	if err := w.hub.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = w.hub.Wait()
}

// nod runs a command as a person would, in a terminal of their own. Where it
// fails the text is what it said about that.
func (w *world) nod(t *testing.T, args ...string) (text string, exit int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = w.env(), w.Dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	if errs.Len() > 0 {
		t.Logf("nod %s: %s", strings.Join(args, " "), errs.String())
	}
	if exit = cmd.ProcessState.ExitCode(); exit != 0 {
		return out.String() + errs.String(), exit
	}
	return out.String(), exit
}

// ok runs a command that must succeed.
func (w *world) ok(t *testing.T, args ...string) string {
	t.Helper()
	out, exit := w.nod(t, args...)
	if exit != 0 {
		t.Fatalf("nod %s: exit %d\n%s", strings.Join(args, " "), exit, out)
	}
	return out
}

// waiting returns the pending requests once there are n.
func (w *world) waiting(t *testing.T, n int) []*nod.Request {
	t.Helper()
	var list []*nod.Request
	rig.Until(t, fmt.Sprintf("%d waiting requests", n), func() bool {
		s, err := w.client.State(t.Context())
		list = s.Requests
		return err == nil && len(list) == n
	}, w.evidence)
	return list
}

func (w *world) one(t *testing.T) *nod.Request { t.Helper(); return w.waiting(t, 1)[0] }

// settled returns a request when it is no longer pending.
func (w *world) settled(t *testing.T, id nod.RequestID) *nod.Request {
	t.Helper()
	return w.until(t, id, "settled", (*nod.Request).Settled)
}

// reached returns a request when a step of it is proven.
func (w *world) reached(t *testing.T, id nod.RequestID, step nod.Step) *nod.Request {
	t.Helper()
	return w.until(t, id, string(step), func(r *nod.Request) bool {
		_, ok := r.Receipt(step)
		return ok
	})
}

func (w *world) until(t *testing.T, id nod.RequestID, what string, done func(*nod.Request) bool) *nod.Request {
	t.Helper()
	var r *nod.Request
	rig.Until(t, fmt.Sprintf("request %s %s", id, what), func() bool {
		var err error
		r, err = w.client.Request(t.Context(), string(id))
		return err == nil && done(r)
	}, func() string { b, _ := json.Marshal(r); return string(b) + "\n" + w.evidence() })
	return r
}

// agent returns the only agent when it satisfies done.
func (w *world) agent(t *testing.T, what string, done func(*nod.Agent) bool) *nod.Agent {
	t.Helper()
	var found *nod.Agent
	rig.Until(t, "an agent that "+what, func() bool {
		list, err := w.client.Agents(t.Context())
		if err != nil {
			return false
		}
		for _, a := range list {
			if done(a) {
				found = a
				return true
			}
		}
		return false
	}, w.evidence)
	return found
}

func (w *world) evidence() string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s, err := w.client.State(ctx)
	b, _ := json.MarshalIndent(s, "", " ")
	return fmt.Sprintf("state: %s %v", b, err)
}

// hooksGone waits until no hook process of this world is left.
func (w *world) hooksGone(t *testing.T) {
	t.Helper()
	rig.Until(t, "no hook process left", func() bool { return len(w.hooks()) == 0 }, func() string { return fmt.Sprint(w.hooks()) })
}

// hooks are the pids of hook processes that belong to this world.
func (w *world) hooks() []string {
	var pids []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if !bytes.Equal(line, []byte(hookBinary+"\x00")) && !bytes.Equal(line, []byte(binary+"\x00hook\x00")) {
			continue
		}
		env, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if bytes.Contains(env, []byte("NOD_DATA="+w.data+"\x00")) {
			pids = append(pids, filepath.Base(dir))
		}
	}
	return pids
}

func (w *world) freeze(t *testing.T) {
	t.Helper()
	if err := w.hub.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.hub.Process.Signal(syscall.SIGCONT) })
}
