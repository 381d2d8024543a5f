package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nod/internal/machine/env/envtest"
)

// lines are those of a log and of the files before it, oldest first.
func lines(path string, files int) []string {
	var all strings.Builder
	for n := files - 1; n >= 0; n-- {
		name := path
		if n > 0 {
			name = fmt.Sprintf("%s.%d", path, n)
		}
		b, _ := os.ReadFile(name) // it may not exist yet
		all.Write(b)
	}
	return strings.Split(strings.TrimSuffix(all.String(), "\n"), "\n")
}

// writeLog opens a log, writes lines to it, each at once, and closes it.
func writeLog(t *testing.T, path string, limit int64, files int, lines ...string) (opened int) {
	t.Helper()
	l, err := openLog(path, limit, files, func(*os.File) { opened++ })
	envtest.Must(t, err)
	for _, line := range lines {
		_, err := l.Write([]byte(line + "\n"))
		envtest.Must(t, err)
	}
	envtest.Must(t, l.Close())
	return opened
}

func numbered(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("line %04d", i)) // ten bytes with its end
	}
	return lines
}

func TestLogRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "nod.log")
	opened := writeLog(t, path, 40, 3, numbered(20)...)
	got := lines(path, 9)
	if len(got) != 12 || got[0] != "line 0008" || got[11] != "line 0019" || opened != 5 {
		t.Errorf("%q, %d files", got, opened)
	}
	if names, _ := filepath.Glob(path + "*"); len(names) != 3 {
		t.Errorf("%q", names)
	}
	info, err := os.Stat(path)
	envtest.Must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	writeLog(t, path, 40, 3, "line 0020") // the next hub goes on where this one ended
	if got := lines(path, 3); got[len(got)-1] != "line 0020" || got[0] != "line 0012" {
		t.Errorf("%q", got)
	}
}

func TestLogKeepsALineThatIsLongerThanAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.log")
	writeLog(t, path, 10, 2, "short", strings.Repeat("x", 30), "end")
	if got := lines(path, 2); len(got) != 2 || len(got[0]) != 30 || got[1] != "end" {
		t.Errorf("%q", got)
	}
}

func TestLogContinuesIfItCannotBeRenamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.log")
	envtest.Must(t, os.MkdirAll(filepath.Join(path+".1", "in the way"), 0o700))
	writeLog(t, path, 20, 2, numbered(9)...)
	if got := lines(path, 1); len(got) != 9 {
		t.Errorf("%q", got)
	}
}

func TestLogHasManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.log")
	l, err := openLog(path, 1000, 100, nil)
	envtest.Must(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				_, _ = l.Write([]byte("123456789\n"))
			}
		})
	}
	all.Wait()
	envtest.Must(t, l.Close())
	got := lines(path, 100)
	if len(got) != 800 || strings.Join(got, "") != strings.Repeat("123456789", 800) {
		t.Errorf("%d lines", len(got))
	}
}

// A program that collects logs gets one object per line.
func TestLogForPrograms(t *testing.T) {
	for _, verbose := range []bool{false, true} {
		var out bytes.Buffer
		log := logger(&out, true, verbose)
		log.Debug("a request went on", "request", "r1")
		log.Warn("a delivery was not recorded", "request", "r1", "err", "two\nlines")
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if want := map[bool]int{false: 1, true: 2}[verbose]; len(lines) != want {
			t.Fatalf("%d lines, want %d: %s", len(lines), want, out.String())
		}
		for _, line := range lines {
			var said struct{ Time, Level, Msg, Request string }
			if err := json.Unmarshal([]byte(line), &said); err != nil || said.Request != "r1" || said.Time == "" || said.Level == "" || said.Msg == "" {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}
