package app

import (
	"context"
	"net"
	"os/user"
	"slices"
	"strconv"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	"nod/internal/sys/peer"
)

// judge distinguishes people on this machine from agents and what agents start.
func judge(h *hub.Hub) auth.Judge {
	marks := peer.AgentMarks()
	return func(conn net.Conn) auth.Verdict {
		unix, ok := conn.(*net.UnixConn)
		if !ok {
			return auth.Verdict{Reason: "not a local connection"}
		}
		v := peer.Judge(unix, agents(h), marks)
		return auth.Verdict{Person: v.Person, Reason: v.Reason, PID: v.PID, User: userName(v.UID)}
	}
}

// agents are the agent processes on this machine that the hub knows.
func agents(h *hub.Hub) []peer.Identity {
	var ids []peer.Identity
	h.Look(func(s *nod.State) {
		for _, a := range s.Agents {
			if a.Alive() && a.Process != nil && a.Process.Local && a.Process.PID > 1 && h.Here(a) {
				ids = append(ids, peer.Identity{PID: a.Process.PID, Start: a.Process.Start})
			}
		}
	})
	return ids
}

func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return "uid " + strconv.Itoa(uid)
}

// processes is what the drivers of Claude Code must know of this machine.
type processes struct{}

// closeBy is how many levels above a hook its Claude Code may be: the parent, or more with
// shells between them.
const closeBy = 3

// Claude accepts a claimed pid only if it is a close ancestor of the process that
// connected. Otherwise an agent could mark a person's own terminal as an agent, and so lock
// the person out. Without a claim there is no Claude Code: a person tries a hook by hand.
func (processes) Claude(ctx context.Context, claimed int) (int, uint64, bool) {
	conn, ok := httpd.LocalConn(ctx).(*net.UnixConn)
	if !ok || claimed == 0 {
		return 0, 0, false
	}
	hook, err := peer.Of(conn)
	if err != nil {
		return 0, 0, false
	}
	line, err := peer.Lineage(hook.PID)
	if err != nil || len(line) < 2 {
		return 0, 0, false
	}
	for _, a := range line[1:min(len(line), closeBy+1)] {
		if a.PID == claimed && a.PID > 1 {
			return a.PID, a.Start, true
		}
	}
	if parent := line[1]; parent.PID > 1 {
		return parent.PID, parent.Start, true
	}
	return 0, 0, false
}

func (processes) Alive(pid int, start uint64) bool {
	return peer.Alive(peer.Identity{PID: pid, Start: start})
}

// Under reports whether a process is ancestor, or was started below it.
func (processes) Under(pid, ancestor int) bool {
	line, err := peer.Lineage(pid)
	return err == nil && slices.ContainsFunc(line, func(a peer.Ancestor) bool { return a.PID == ancestor })
}
