//go:build full

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// clockVariable tells a nod of a wrong clock how many seconds it is off. nod
// itself knows nothing of it: the standard library's time.Now does, in that build.
const clockVariable = "NOD_E2E_CLOCK"

// wrongClock is nod with such a clock, built once. Go keeps the standard library
// that it takes: the first time costs a minute or two, every other seconds.
var wrongClock = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(binary), "clock")
	overlay, err := overlayTime(dir)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "nod")
	return path, build(path, "nod/cmd/nod", "CGO_ENABLED=0", "-overlay", overlay, "-ldflags=-s -w")
})

// overlayTime writes a time.go that adds the variable's seconds to the wall clock
// and leaves monotonic time as it is, and the file that tells Go to take it.
func overlayTime(dir string) (overlay string, err error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	original := filepath.Join(strings.TrimSpace(string(out)), "src", "time", "time.go")
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	const reads = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	imports, now := strings.Count(string(text), "import (\n"), strings.Count(string(text), reads)
	if imports != 1 || now != 1 {
		return "", fmt.Errorf("%s of %s is not what it was: %d imports, time.Now reads the clock %d times", original, runtime.Version(), imports, now)
	}
	changed := strings.NewReplacer(
		"import (\n", "import (\n\t\"syscall\"\n",
		reads, "\tsec, nsec, mono := runtimeNow()\n\tsec += off\n\tif mono == 0 {",
	).Replace(string(text)) + `
var off = func() (seconds int64) {
	text, _ := syscall.Getenv("` + clockVariable + `")
	back := len(text) > 0 && text[0] == '-'
	for _, digit := range text {
		if digit >= '0' && digit <= '9' {
			seconds = seconds*10 + int64(digit-'0')
		}
	}
	if back {
		return -seconds
	}
	return seconds
}()
`
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	rule, err := json.Marshal(map[string]any{"Replace": map[string]string{original: file}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
		return "", err
	}
	return overlay, os.WriteFile(overlay, rule, 0o600)
}

// setClock starts a station again, and now its clock is wrong.
func (s *station) setClock(t testing.TB, wrong time.Duration) {
	t.Helper()
	path, err := wrongClock()
	if err != nil {
		t.Fatal(err)
	}
	s.kill()
	program := slices.IndexFunc(s.argv, func(arg string) bool { return arg == binary || arg == hubBinary })
	s.argv = slices.Concat([]string{"env", fmt.Sprintf("%s=%.0f", clockVariable, wrong.Seconds())}, s.argv[:program], []string{path}, s.argv[program+1:])
	s.startAgain(t)
	res, err := http.Get(s.address() + "/health/live")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	shows, err := http.ParseTime(res.Header.Get("Date"))
	if off := time.Until(shows); err != nil || (off-wrong).Abs() > 10*time.Second {
		t.Fatalf("its clock is %s off, and should be %s: %v", off, wrong, err)
	}
}
