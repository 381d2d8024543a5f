package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nod/internal/machine/env/envtest"
)

// lines are what stands in a log and those before it, oldest first.
func lines(t *testing.T, path string, files int) []string {
	t.Helper()
	var all strings.Builder
	for n := files - 1; n >= 0; n-- {
		name := path
		if n > 0 {
			name = fmt.Sprintf("%s.%d", path, n)
		}
		b, err := os.ReadFile(name)
		if err == nil {
			all.Write(b)
		}
	}
	return strings.Split(strings.TrimSuffix(all.String(), "\n"), "\n")
}

func TestALogTurnsItsPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "nod.log")
	opened := 0
	l, err := openLog(path, 40, 3, func(*os.File) { opened++ })
	envtest.Must(t, err)
	for i := range 20 { // ten bytes each: four lines a file
		_, err := fmt.Fprintf(l, "line %04d\n", i)
		envtest.Must(t, err)
	}
	envtest.Must(t, l.Close())
	got := lines(t, path, 9)
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

	l, err = openLog(path, 40, 3, nil) // the next hub goes on where this one ended
	envtest.Must(t, err)
	_, err = l.Write([]byte("line 0020\n"))
	envtest.Must(t, err)
	envtest.Must(t, l.Close())
	if got := lines(t, path, 3); got[len(got)-1] != "line 0020" || got[0] != "line 0012" {
		t.Errorf("%q", got)
	}
}

func TestALineThatIsLongerThanALogIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.log")
	l, err := openLog(path, 10, 2, nil)
	envtest.Must(t, err)
	for _, line := range []string{"short\n", strings.Repeat("x", 30) + "\n", "end\n"} {
		_, err := l.Write([]byte(line))
		envtest.Must(t, err)
	}
	envtest.Must(t, l.Close())
	if got := lines(t, path, 2); len(got) != 2 || len(got[0]) != 30 || got[1] != "end" {
		t.Errorf("%q", got)
	}
}

func TestALogThatCannotBeMovedGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nod.log")
	envtest.Must(t, os.MkdirAll(filepath.Join(path+".1", "in the way"), 0o700))
	l, err := openLog(path, 20, 2, nil)
	envtest.Must(t, err)
	for i := range 9 {
		_, err := fmt.Fprintf(l, "line %04d\n", i)
		envtest.Must(t, err)
	}
	envtest.Must(t, l.Close())
	if got := lines(t, path, 1); len(got) != 9 {
		t.Errorf("%q", got)
	}
}

func TestManyWriteOneLog(t *testing.T) {
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
	got := lines(t, path, 100)
	if len(got) != 800 || strings.Join(got, "") != strings.Repeat("123456789", 800) {
		t.Errorf("%d lines", len(got))
	}
}
