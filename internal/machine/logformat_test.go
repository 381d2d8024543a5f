package machine

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// What collects logs gets one object on each line, with what a line is about.
func TestALogForPrograms(t *testing.T) {
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
