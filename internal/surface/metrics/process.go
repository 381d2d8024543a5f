package metrics

import (
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// ofThisProcess is what every dashboard knows by the same names. They are looked
// up here and not by a library, whose tables every start of `nod hook` would pay for.
func ofThisProcess(w io.Writer) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	one := func(kind, name, help string, value float64) {
		f := newFamily(kind, name, help)
		f.title(w)
		line(w, name, "", "", value)
	}
	one("gauge", "go_goroutines", "Goroutines that live.", float64(runtime.NumGoroutine()))
	one("gauge", "go_memstats_heap_alloc_bytes", "Heap in use.", float64(m.HeapAlloc))
	one("gauge", "go_memstats_heap_objects", "Objects on the heap.", float64(m.HeapObjects))
	one("gauge", "go_memstats_sys_bytes", "Memory that the system gave.", float64(m.Sys))
	one("counter", "go_memstats_alloc_bytes_total", "Bytes that were ever allocated.", float64(m.TotalAlloc))
	one("counter", "go_gc_cycles_total", "Collections of garbage.", float64(m.NumGC))
	if p, ok := readProcess(); ok {
		one("counter", "process_cpu_seconds_total", "Processor time.", p.cpu)
		one("gauge", "process_resident_memory_bytes", "Memory in RAM.", p.resident)
		one("gauge", "process_open_fds", "Open files and connections.", p.files)
	}
}

type process struct{ cpu, resident, files float64 }

// tick is what Linux counts processor time in, on every machine that Go runs on.
const tick = 0.01

// readProcess looks at /proc; elsewhere there is nothing to tell.
func readProcess() (p process, ok bool) {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return p, false
	}
	// The name of the program is in brackets and may hold anything.
	rest := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(rest) < 22 {
		return p, false
	}
	number := func(i int) float64 {
		n, err := strconv.ParseFloat(rest[i], 64)
		if err != nil {
			return 0
		}
		return n
	}
	p.cpu = (number(11) + number(12)) * tick
	p.resident = number(21) * float64(os.Getpagesize())
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		p.files = float64(len(files))
	}
	return p, true
}
