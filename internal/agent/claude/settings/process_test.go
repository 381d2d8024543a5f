//go:build unix

package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary stand in for a second nod: `NOD_TEST_INSTALL=<file>` installs and exits.
func TestMain(m *testing.M) {
	file := os.Getenv("NOD_TEST_INSTALL")
	if file == "" {
		os.Exit(m.Run())
	}
	hooks := wanted()
	for i := range hooks {
		hooks[i].Command = os.Getenv("NOD_TEST_BINARY")
	}
	if _, err := Install(file, hooks, Options{LockWait: time.Minute}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func anotherNod(t *testing.T, file, binary string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), "NOD_TEST_INSTALL="+file, "NOD_TEST_BINARY="+binary)
	return cmd
}

func TestTwoProcessesInstallAtOnce(t *testing.T) {
	t.Parallel()
	before := []byte("{\n\t\"model\": \"opus\"\n}\n")
	file := settingsFile(t, before)
	outputs := make([]bytes.Buffer, 4)
	var running []*exec.Cmd
	for i := range outputs {
		cmd := anotherNod(t, file, fmt.Sprintf("/v%d/nod", i))
		cmd.Stdout = &outputs[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, outputs[i].String())
		}
	}
	d, err := parse(file, read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	if found, err := d.ours(IsNod); err != nil || len(found) != len(wanted()) {
		t.Errorf("%d handlers of ours, %v", len(found), err)
	}
	if c := remove(t, file); !bytes.Equal(c.After, before) {
		t.Errorf("removing gives %s", c.After)
	}
}

func TestReadOnlyFileIsRefused(t *testing.T) {
	file := settingsFile(t, []byte("{}\n"))
	if err := os.Chmod(file, 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := Install(file, wanted(), Options{})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "read-only (mode 0444)") {
		t.Errorf("%v", err)
	}
	alone(t, filepath.Dir(file), "settings.json")
}

// File modes do not stop root, so these run as the user nobody.
func TestWithoutPermission(t *testing.T) {
	const nobody = 65534
	tests := map[string]struct {
		dirMode, fileMode fs.FileMode
		missing           bool
		says              string
	}{
		"read-only directory":               {0o555, 0o666, false, "is read-only"},
		"read-only directory, missing file": {0o555, 0, true, "is read-only"},
		"unreadable file":                   {0o777, 0o200, false, "no permission to read"},
		"unreachable directory":             {0o600, 0o666, false, "no permission to read"},
		"somebody else's file":              {0o777, 0o644, false, "read-only (mode 0644)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if os.Geteuid() != 0 {
				t.Skip("needs root to become somebody else")
			}
			dir := publicDirectory(t)
			file := filepath.Join(dir, "settings.json")
			if !tt.missing {
				write(t, file, []byte("{}\n"))
				chmod(t, file, tt.fileMode)
			}
			chmod(t, dir, tt.dirMode)
			cmd := anotherNod(t, file, binary)
			cmd.Path = publicCopy(t, cmd.Path)
			cmd.Dir = "/"
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), tt.says) || !strings.Contains(string(out), file) {
				t.Errorf("%v: %s", err, out)
			}
			chmod(t, dir, 0o755)
			if tt.missing {
				alone(t, dir)
				return
			}
			alone(t, dir, "settings.json")
			if string(read(t, file)) != "{}\n" {
				t.Error("the file was touched")
			}
		})
	}
}

func TestRootKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to give a file away")
	}
	file := settingsFile(t, []byte("{}\n"))
	if err := os.Chown(file, 4711, 4712); err != nil {
		t.Skip(err)
	}
	c := install(t, file, wanted())
	for _, path := range []string{file, c.Backup, file + recordSuffix} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != 4711 || st.Gid != 4712 {
			t.Errorf("%s belongs to %d:%d", filepath.Base(path), st.Uid, st.Gid)
		}
	}
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// publicDirectory is open to all users, unlike t.TempDir.
func publicDirectory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "nod-settings-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	chmod(t, dir, 0o755)
	return dir
}

func publicCopy(t *testing.T, program string) string {
	t.Helper()
	copied := filepath.Join(publicDirectory(t), "settings.test")
	write(t, copied, read(t, program))
	chmod(t, copied, 0o755)
	return copied
}
