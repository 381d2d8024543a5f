package auth

import (
	"fmt"
	"net"
	"strings"

	"nod"
)

// Verdict is what is known about the process at the other end of the local
// socket.
type Verdict struct {
	Person bool
	Reason string // why it is not considered a person; short, safe to show
	PID    int
	User   string // the owner of the process
}

// Judge examines the process that opened a connection. In doubt it is not a
// person.
type Judge func(conn net.Conn) Verdict

// Local identifies callers on the local socket, where no token is needed.
type Local struct {
	Judge       Judge
	Host        string // the machine's name, for people
	DevicesOnly bool   // answer = "devices": no answers from this machine
}

// Actor identifies who opened a connection. An agent's process may only raise: the
// agent must not be able to answer itself.
func (l *Local) Actor(conn net.Conn, via string) nod.Actor {
	v := l.Judge(conn)
	a := nod.Actor{Via: ViaName(via, "terminal"), ID: fmt.Sprintf("pid %d", v.PID)}
	if !v.Person {
		a.Kind, a.Name, a.Rights = nod.ActorAgent, a.ID+": "+v.Reason, nod.RightsOf(nod.Raise)
		return a
	}
	a.Kind, a.Name = nod.ActorPerson, v.User+" at "+l.Host
	a.Rights = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)
	if l.DevicesOnly {
		a.Rights = nod.RightsOf(nod.Raise, nod.View)
	}
	return a
}

// UnidentifiedProcess is a process on this machine that was not examined. It may
// only raise.
func UnidentifiedProcess(via string) nod.Actor {
	return nod.Actor{Kind: nod.ActorAgent, Name: "a process on this machine", Via: ViaName(via, "hook"), Rights: nod.RightsOf(nod.Raise)}
}

// Explain adds help to a refusal whose cause is a setting.
func (l *Local) Explain(by nod.Actor, right nod.Right, what string, refusal error) error {
	if refusal == nil || !l.DevicesOnly || by.Kind != nod.ActorPerson {
		return refusal
	}
	switch right {
	case nod.Answering:
		return nod.Errorf(nod.Forbidden, "%s may not %s: this hub takes answers from paired devices only (answer = \"devices\" in nod.toml). Answer on your phone or another paired device", by.Name, what).Because(refusal)
	case nod.Admin:
		return nod.Errorf(nod.Forbidden, "%s may not %s: this hub is managed from paired devices only (answer = \"devices\" in nod.toml). Use a device with the right %q, or change that setting and restart nod", by.Name, what, nod.Admin).Because(refusal)
	}
	return refusal
}

const maxVia = 32

// ViaName returns the surface a caller claims to use if the name is harmless, and
// fallback otherwise.
func ViaName(claimed, fallback string) string {
	if claimed == "" || len(claimed) > maxVia || strings.Trim(claimed, viaCharacters) != "" {
		return fallback
	}
	return claimed
}

const viaCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-_."
