package doctor

import (
	"context"
	"errors"
	"os"
	"strings"

	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// markedAncestor finds what makes the hub take this process for an agent's.
func (c *checkup) markedAncestor() (a peer.Ancestor, mark string, ok bool) {
	line, err := c.Lineage(os.Getpid())
	if err != nil {
		return a, "", false
	}
	for _, a := range line {
		if marks, err := c.Marks(a.PID, peer.AgentMarks()); err == nil && len(marks) > 0 {
			return a, marks[0], true
		}
	}
	return a, "", false
}

// processes: the hub tells a person from an agent by their ancestors, so it has
// to see them.
func (c *checkup) processes(context.Context) finding {
	if c.remote() {
		return skip(c.Say(words.SkipRemote))
	}
	_, err := c.Lineage(os.Getpid())
	switch mounts, _ := os.ReadFile("/proc/self/mountinfo"); {
	case errors.Is(err, peer.ErrUnsupported):
		return warn(c.Say(words.ProcessesUnknown), c.Say(words.UseDevices))
	case err != nil && hidepid(string(mounts)) != "":
		return fail(c.Say(words.ProcessesHidden, hidepid(string(mounts))), c.Say(words.ProcessesHiddenFix))
	case err != nil:
		return fail(c.Say(words.ProcessesUnseen, err), c.Say(words.UseDevices))
	}
	return fine(c.Say(words.ProcessesSeen))
}

// hidepid finds the option with which /proc hides processes of others; it is
// empty when nothing is hidden.
func hidepid(mountinfo string) string {
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[4] != "/proc" {
			continue
		}
		for option := range strings.SplitSeq(fields[len(fields)-1], ",") {
			if strings.HasPrefix(option, "hidepid=") && option != "hidepid=0" && option != "hidepid=off" {
				return option
			}
		}
	}
	return ""
}
