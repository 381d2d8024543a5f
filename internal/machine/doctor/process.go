package doctor

import (
	"context"
	"errors"
	"os"
	"strings"

	"nod/internal/present/words"
	"nod/internal/sys/peer"
)

// markedAncestor finds the process that makes the hub take this one for an agent's.
func (d *Doctor) markedAncestor() (a peer.Ancestor, mark string, ok bool) {
	line, err := d.Lineage(os.Getpid())
	if err != nil {
		return a, "", false
	}
	for _, a := range line {
		if marks, err := d.Marks(a.PID, peer.AgentMarks()); err == nil && len(marks) > 0 {
			return a, marks[0], true
		}
	}
	return a, "", false
}

// processes: the hub distinguishes a person from an agent by the ancestors of their
// processes, so it has to see them.
func (d *Doctor) processes(context.Context) Finding {
	if d.remote() {
		return skip(d.Say(words.SkipRemote))
	}
	_, err := d.Lineage(os.Getpid())
	switch mounts, _ := os.ReadFile("/proc/self/mountinfo"); {
	case errors.Is(err, peer.ErrUnsupported):
		return warn(d.Say(words.ProcessesUnknown), d.Say(words.UseDevices))
	case err != nil && hidepid(string(mounts)) != "":
		return fail(d.Say(words.ProcessesHidden, hidepid(string(mounts))), d.Say(words.ProcessesHiddenFix))
	case err != nil:
		return fail(d.Say(words.ProcessesUnseen, err), d.Say(words.UseDevices))
	}
	return fine(d.Say(words.ProcessesSeen))
}

// hidepid is the mount option with which /proc hides other users' processes, or
// empty.
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
