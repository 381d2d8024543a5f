// Package bench measures nod against what it is compared with: an empty
// program, a shell script, a bare fsync. Machines differ and are never idle, so
// every figure is a ratio of medians, taken in one run beside its baseline, turn
// by turn. Nothing here fails because something was slow.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The programs that are measured, made once for all benchmarks.
var (
	nodBinary string   // NOD_BENCH_NOD measures one that is built already
	nodHook   string   // NOD_BENCH_HOOK, likewise
	others    []string // NOD_BENCH_OTHERS: more of them beside it, with commas, to see what a change brings
	emptyGo   string
	emptyC    string // "" without gcc
)

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == subscribersArg {
		os.Exit(runSubscribers(os.Args[2:]))
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "nod-bench-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		if err := buildAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		code := m.Run()
		printTable()
		return code
	}())
}

func buildAll(dir string) error {
	nodBinary = os.Getenv("NOD_BENCH_NOD")
	if list := os.Getenv("NOD_BENCH_OTHERS"); list != "" {
		others = strings.Split(list, ",")
	}
	emptyGo = filepath.Join(dir, "empty-go")
	if err := build(emptyGo, "./testdata/empty"); err != nil {
		return err
	}
	if nodBinary == "" {
		nodBinary = filepath.Join(dir, "nod")
		if err := build(nodBinary, "nod/cmd/nod"); err != nil {
			return err
		}
	}
	if nodHook = os.Getenv("NOD_BENCH_HOOK"); nodHook == "" {
		nodHook = filepath.Join(dir, "nod-hook")
		if err := build(nodHook, "nod/cmd/nod-hook"); err != nil {
			return err
		}
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil
	}
	emptyC = filepath.Join(dir, "empty-c")
	return run(gcc, "-O2", "-static", "-o", emptyC, "testdata/empty.c")
}

// build makes a program as `make build` does.
func build(out, pkg string) error {
	return run("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
}

func run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
	}
	return nil
}

// temp is a directory whose path leaves room for a Unix socket.
func temp(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("", "nod-b-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) }) // a dying process may still write
	return dir
}
