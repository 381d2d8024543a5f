package stdio

import (
	"bytes"
	"os"
	"strconv"
)

// largestFamily bounds how many child processes are listed.
const largestFamily = 500

// Family is a program, first, and its descendants, as far as they are still attached to
// it.
func Family(pid int) []int {
	family := []int{pid}
	for i := 0; i < len(family) && len(family) < largestFamily; i++ {
		id := strconv.Itoa(family[i])
		threads, _ := os.ReadDir("/proc/" + id + "/task") // any of them may have started one
		for _, thread := range threads {
			children, _ := os.ReadFile("/proc/" + id + "/task/" + thread.Name() + "/children")
			for _, child := range bytes.Fields(children) {
				if n, err := strconv.Atoi(string(child)); err == nil {
					family = append(family, n)
				}
			}
		}
	}
	return family
}
