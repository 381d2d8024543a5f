package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

const inits = 11

// BenchmarkInit is what packages do at the start of a hook, before main: every
// package of the binary, also those that a hook never uses. `nod hook` has all of
// nod's, nod-hook only its own.
func BenchmarkInit(b *testing.B) {
	traceInits(b, "nod-hook", nodHook)
	traceInits(b, "nod", nodBinary, "hook")
}

func traceInits(b *testing.B, name string, argv ...string) {
	heading(b, fmt.Sprintf("Initialisation of packages in `%s`, before main (medians, n=%d)", strings.Join(append([]string{name}, argv[1:]...), " "), inits))
	byPackage := map[string]sample{}
	var whole, until sample
	for range inits {
		list := initTrace(b, argv)
		var sum time.Duration
		for _, p := range list {
			byPackage[p.name] = append(byPackage[p.name], p.took)
			sum += p.took
		}
		last := list[len(list)-1]
		whole, until = append(whole, sum), append(until, last.at+last.took)
	}
	tell("%-58s %9s", fmt.Sprintf("all %d packages that do something", len(byPackage)), ms(whole.median()))
	tell("%-58s %9s", "from the start of the runtime to main", ms(until.median()))
	names := slices.SortedFunc(maps.Keys(byPackage), func(x, y string) int {
		return cmp.Compare(byPackage[y].median(), byPackage[x].median())
	})
	for _, name := range names[:3] {
		tell("%-58s %9s", name, ms(byPackage[name].median()))
	}
	b.ReportMetric(whole.median().Seconds()*1000, name+"-init-ms")
}

type initialised struct {
	name     string
	at, took time.Duration
}

// initTrace reads lines such as "init net @1.7 ms, 0.04 ms clock, 728 bytes, 18 allocs".
func initTrace(b *testing.B, argv []string) []initialised {
	b.Helper()
	var out bytes.Buffer
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(environ(temp(b)), "GODEBUG=inittrace=1")
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	var list []initialised
	for line := range strings.Lines(out.String()) {
		var p initialised
		var at, took float64
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock", &p.name, &at, &took); err != nil {
			continue
		}
		p.at, p.took = time.Duration(at*float64(time.Millisecond)), time.Duration(took*float64(time.Millisecond))
		list = append(list, p)
	}
	if len(list) < 3 {
		b.Fatalf("no trace in %q", out.String())
	}
	return list
}
