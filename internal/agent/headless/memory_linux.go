package headless

import (
	"bytes"
	"os"
	"strconv"

	"nod/internal/agent/claude/stdio"
)

// resident is how much memory a process and its descendants use.
func resident(pid int) (sum int64) {
	for _, one := range stdio.Family(pid) {
		text, err := os.ReadFile("/proc/" + strconv.Itoa(one) + "/statm")
		fields := bytes.Fields(text)
		if err != nil || len(fields) < 2 {
			continue // it is gone
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		sum += pages * int64(os.Getpagesize())
	}
	return sum
}
