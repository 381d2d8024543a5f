package peer

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
)

// Verdict says whether a person may be assumed behind a process, and if not, why not.
type Verdict struct {
	Person bool
	Reason string   // short English, safe to show
	Agent  Identity // the known agent that the process is or descends from
	Mark   string   // the mark that it or an ancestor carries, as given
	Err    error    // why the check could not be finished; for the log
	Process
}

// Judge decides about the process that opened conn. Whatever stays uncertain is not a person.
//
// agents are the agents that nod knows; one with Start 0 stands for any process with its pid. marks is usually
// AgentMarks(). Judge reads memory of other processes, so hold no lock over it.
func Judge(conn *net.UnixConn, agents []Identity, marks []string) Verdict {
	p, err := Of(conn)
	if err != nil {
		return Verdict{}.failed(err)
	}
	v := JudgeProcess(p, agents, marks)
	if !v.Person {
		return v
	}
	if err := control(conn, connected); err != nil {
		return v.failed(err)
	}
	return v
}

// JudgeProcess judges a process that Of returned earlier, for example when the connection was accepted.
func JudgeProcess(p Process, agents []Identity, marks []string) Verdict {
	return judge(host{}, p, agents, marks)
}

func judge(t table, p Process, agents []Identity, marks []string) Verdict {
	v := Verdict{Process: p}
	if p.UID != t.uid() && p.UID != 0 {
		return v.refused("runs as another user (uid %d)", p.UID)
	}
	line, err := lineage(t, p.PID)
	if err != nil {
		return v.failed(err)
	}
	if line[0].Identity != p.Identity {
		return v.failed(ErrGone)
	}
	if v, found := v.descends(line, agents); found {
		return v
	}
	if v, found := v.marked(t, line, marks); found {
		return v
	}
	// A pid that was reused while we looked would have mixed two processes into one answer.
	again, err := lineage(t, p.PID)
	if err == nil && !sameLine(line, again) {
		err = errMoved
	}
	if err != nil {
		return v.failed(err)
	}
	v.Person, v.Reason = true, "neither descends from an agent nor carries an agent's mark"
	return v
}

func (v Verdict) descends(line []Ancestor, agents []Identity) (Verdict, bool) {
	for i, a := range line {
		for _, agent := range agents {
			if agent.PID != a.PID || (agent.Start != a.Start && agent.Start != 0) {
				continue
			}
			v.Agent = a.Identity
			if i == 0 {
				return v.refused("is agent process %d (%s)", a.PID, a.Name), true
			}
			return v.refused("descends from agent process %d (%s)", a.PID, a.Name), true
		}
	}
	return v, false
}

func (v Verdict) marked(t table, line []Ancestor, patterns []string) (Verdict, bool) {
	for i, a := range line {
		carried, err := marks(t, a.PID, patterns)
		switch {
		case err != nil && i > 0 && hidden(err):
			continue
		case err != nil:
			return v.failed(fmt.Errorf("process %d: %w", a.PID, err)), true
		case len(carried) == 0:
			continue
		}
		v.Mark = carried[0]
		if i == 0 {
			return v.refused("carries the agent mark %s", v.Mark), true
		}
		return v.refused("descends from process %d (%s), which carries the agent mark %s", a.PID, a.Name, v.Mark), true
	}
	return v, false
}

// hidden errors are forgiven for ancestors: pid 1, sshd and login belong to root, and some that run as the user are
// closed too (sshd's session process, systemd --user with its capability, a setgid xterm, Apple's programs). Nothing
// is lost: an agent's process that can hide its environment could as well have emptied it.
func hidden(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, errNoEnviron)
}

func (v Verdict) refused(format string, args ...any) Verdict {
	v.Person, v.Reason = false, fmt.Sprintf(format, args...)
	return v
}

// failed keeps system error texts out of Reason.
func (v Verdict) failed(err error) Verdict {
	v.Err = err
	switch {
	case errors.Is(err, ErrUnsupported):
		return v.refused("%s", ErrUnsupported)
	case errors.Is(err, ErrGone):
		return v.refused("the process or an ancestor has exited or is hidden")
	case errors.Is(err, errMoved):
		return v.refused("%s", errMoved)
	case errors.Is(err, errTooDeep):
		return v.refused("%s", errTooDeep)
	case hidden(err):
		return v.refused("the process does not let us read its environment")
	}
	return v.refused("the process could not be checked")
}
