package homeassistant

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Log is all that Home Assistant has logged since it started last.
func (h *Instance) Log() string {
	text, err := os.ReadFile(filepath.Join(h.Dir, "home-assistant.log"))
	if err != nil {
		return h.run.output.String() // it ended before it had a log
	}
	return string(text)
}

// ours are warnings that this way of running causes.
var ours = []string{
	"Skipping pip installation of required modules", // it must not fetch anything
	"We found a custom integration fakepuck",        // pucks are made up
	"is taking over 10 seconds",                     // the machine is busy with other tests
}

var mark = regexp.MustCompile(`^\d{4}-\d\d-\d\d \S+ (WARNING|ERROR|CRITICAL|INFO|DEBUG) `)

// Warnings are the entries of the log that say WARNING or worse, each with its traceback, without those that this
// way of running causes.
func (h *Instance) Warnings() []string {
	return warnings(h.Log())
}

func warnings(log string) []string {
	var list []string
	loud := false
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\n")
		if m := mark.FindStringSubmatch(line); m != nil {
			loud = m[1] != "INFO" && m[1] != "DEBUG" && !slices.ContainsFunc(ours, func(known string) bool { return strings.Contains(line, known) })
			if loud {
				list = append(list, line)
			}
		} else if loud {
			list[len(list)-1] += "\n" + line
		}
	}
	return list
}

// CheckConfig lets the running Home Assistant check its files, and returns the errors.
func (h *Instance) CheckConfig(t testing.TB) (problems string) {
	t.Helper()
	var got struct {
		Result   string
		Errors   *string
		Warnings *string
	}
	h.do(t, "POST", "/api/config/core/check_config", nil, &got)
	for _, text := range []*string{got.Errors, got.Warnings} {
		if text != nil {
			problems += *text + "\n"
		}
	}
	if problems == "" && got.Result != "valid" {
		problems = got.Result
	}
	return strings.TrimSpace(problems)
}
