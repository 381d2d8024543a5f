package nod

import (
	"fmt"
	"slices"
	"strings"
)

// Actor is the party behind an action: a person at some surface, a paired device, an agent's own process, a policy,
// or nod itself.
type Actor struct {
	Kind   ActorKind `json:"kind"`
	Name   string    `json:"name"`           // for display: "anna at desk", "kitchen phone"
	Via    string    `json:"via,omitempty"`  // the surface it came through: "terminal", "api", "watch"
	ID     string    `json:"id,omitempty"`   // for searching logs: a token's id, "pid 4711"
	Room   string    `json:"room,omitempty"` // the only room it has access to; empty: all of them
	Rights Rights    `json:"-"`              // never recorded: rights apply to the moment, not to history
	Proven RequestID `json:"-"`              // the one request that was just confirmed with a passkey
}

// ActorKind says what sort of party an Actor is.
type ActorKind string

const (
	ActorPerson ActorKind = "person"
	ActorDevice ActorKind = "device"
	ActorAgent  ActorKind = "agent" // a process that is an agent, or was started by one
	ActorPolicy ActorKind = "policy"
	ActorSystem ActorKind = "system"
)

// LinkRoom is the prefix of the room of a link's token; the host follows. Such a token works only for the link of
// that host.
const LinkRoom = "link:"

// LinkOf returns the host whose link this actor is, if it is one.
func (a Actor) LinkOf() (host string, ok bool) { return strings.CutPrefix(a.Room, LinkRoom) }

// Can reports whether the actor holds a right.
func (a Actor) Can(r Right) bool { return a.Rights.Has(r) }

// Right is one of the four things a party may be allowed to do.
type Right uint8

// The four rights. None implies another: a hook that raises cannot view, a
// screen that views cannot answer, a phone that answers cannot make tokens.
const (
	Raise Right = 1 << iota
	View
	Answering
	Admin
)

var rightNames = [...]struct {
	right Right
	name  string
}{{Raise, "raise"}, {View, "view"}, {Answering, "answer"}, {Admin, "admin"}}

func (r Right) String() string {
	for _, n := range rightNames {
		if n.right == r {
			return n.name
		}
	}
	return "none"
}

// Rights is a set of rights.
type Rights uint8

// RightsOf makes a set.
func RightsOf(rs ...Right) Rights {
	var set Rights
	for _, r := range rs {
		set |= Rights(r)
	}
	return set
}

// Has reports whether the set holds r.
func (rs Rights) Has(r Right) bool { return rs&Rights(r) != 0 }

// Within reports whether every right of rs is also in other: an actor cannot grant more than it has.
func (rs Rights) Within(other Rights) bool { return rs&^other == 0 }

// Names lists the rights in their fixed order.
func (rs Rights) Names() []string {
	names := make([]string, 0, len(rightNames))
	for _, n := range rightNames {
		if rs.Has(n.right) {
			names = append(names, n.name)
		}
	}
	return names
}

func (rs Rights) String() string { return strings.Join(rs.Names(), ",") }

// ParseRights reads a comma-separated list such as "view,answer".
func ParseRights(s string) (Rights, error) {
	var set Rights
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		i := slices.IndexFunc(rightNames[:], func(n struct {
			right Right
			name  string
		}) bool {
			return n.name == word
		})
		if i < 0 {
			return 0, Errorf(Invalid, "unknown right %q: choose from raise, view, answer, admin", word)
		}
		set |= Rights(rightNames[i].right)
	}
	return set, nil
}

// MarshalText writes the set in the format that ParseRights reads.
func (rs Rights) MarshalText() ([]byte, error) { return []byte(rs.String()), nil }

func (rs *Rights) UnmarshalText(b []byte) error {
	if len(b) == 0 { // the empty set, as MarshalText writes it
		*rs = 0
		return nil
	}
	set, err := ParseRights(string(b))
	if err != nil {
		return fmt.Errorf("rights: %w", err)
	}
	*rs = set
	return nil
}
