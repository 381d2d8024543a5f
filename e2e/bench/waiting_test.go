package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	waitingHooks  = 1_000
	memoryForEach = 20 // MB that must be free for a hook that waits, so that nothing else suffers
)

// BenchmarkWaiting is what hooks need while they wait for a person: one alone, and
// as many as a busy machine never has.
func BenchmarkWaiting(b *testing.B) {
	many := min(waitingHooks, int(procField(b, "/proc/meminfo", "MemAvailable")/1024/memoryForEach))
	heading(b, "Memory of hooks that wait for a person")
	whole, _ := waitingMemory(b, 1, nodBinary, "hook")
	tell("%-58s %9.1f MB", "RSS of one `nod hook`", whole)
	rss, _ := waitingMemory(b, 1, nodHook)
	absolute(b, "hook-rss-MB", "RSS of one nod-hook", rss, "MB", atMost(12))
	rss, shared := waitingMemory(b, many, nodHook)
	absolute(b, "hooks-rss-MB", fmt.Sprintf("RSS of each of %d nod-hooks", many), rss, "MB", atMost(12))
	absolute(b, "hooks-pss-MB", "the same without what they share", shared, "MB", atMost(6))
}

// waitingMemory starts n hooks that wait and returns what each needs, in MB: its
// RSS, and its PSS, which counts shared pages once for all.
func waitingMemory(b *testing.B, n int, argv ...string) (rss, pss float64) {
	b.Helper()
	hub := startHub(b, temp(b))
	defer hub.kill()
	raised := watchRaised(b, hub.device(b))
	hook := &program{argv: argv, env: agentEnviron(hub.data)}
	stdin := payloadFile(b, askPayload)
	var all []started
	defer func() {
		hub.kill() // or it would see a thousand hooks go one by one
		for _, s := range all {
			_ = s.process.Kill()
			_, _ = s.process.Wait()
			_ = s.stdout.Close()
		}
	}()
	for range n {
		all = append(all, hook.start(b, stdin))
	}
	for range n {
		waitRaised(b, raised)
	}
	settle := time.NewTimer(time.Second) // the last ones are still busy with their first line
	<-settle.C
	for _, s := range all {
		rss += procField(b, fmt.Sprintf("/proc/%d/status", s.process.Pid), "VmRSS") / 1024
		pss += procField(b, fmt.Sprintf("/proc/%d/smaps_rollup", s.process.Pid), "Pss") / 1024
	}
	return rss / float64(n), pss / float64(n)
}

// procField is a figure of a file in /proc, in kB.
func procField(b *testing.B, file, name string) float64 {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Skipf("memory is read from /proc: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			kb, err := strconv.Atoi(strings.Fields(value)[0])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb)
		}
	}
	b.Fatalf("no %s in %s", name, file)
	return 0
}
