// Package risk says how something risky may be allowed on which kind of surface. It is
// the only place that decides this: surfaces ask On. docs/allowing.md has the table.
package risk

import (
	"encoding/json"
	"slices"
	"strings"

	"nod"
)

// Surface is a way in which a person answers.
type Surface string

const (
	Keys         Surface = "keys"         // keys with small screens
	Screen       Surface = "screen"       // a display with buttons, which shows the whole request
	Puck         Surface = "puck"         // a dial or a button, after the request was read out
	Voice        Surface = "voice"        // spoken words, which can be misheard
	Watch        Surface = "watch"        // a button below a few words
	Phone        Surface = "phone"        // nod's own page: the whole request, and a button that can be held
	Notification Surface = "notification" // a button on a lock screen
	Terminal     Surface = "terminal"     // nod's commands
)

// Way is what it takes to allow something.
type Way string

const (
	Once  Way = "once"  // one press, one word
	Twice Way = "twice" // press twice or hold; by voice: a second yes, after it was read back
	Never Way = "never" // not here: the person opens nod. Refusing is possible everywhere.
)

// The levels of nod.Risk, and one more: something of unknown risk that is a plain
// sentence, or an action of somebody's home, so that hearing it is knowing it.
const (
	read        = "read"
	write       = "write"
	network     = "network"
	sentence    = "sentence"
	unknown     = "unknown"
	destructive = "destructive"
	secret      = "secret"
)

// levels and surfaces are in the order in which the documentation has them.
var (
	levels   = []string{read, write, network, sentence, unknown, destructive, secret}
	surfaces = []Surface{Keys, Screen, Puck, Voice, Watch, Phone, Notification, Terminal}
)

// easy is what one press may do everywhere.
var easy = map[Surface]Way{Keys: Once, Screen: Once, Puck: Once, Voice: Once, Watch: Once, Phone: Once, Notification: Once, Terminal: Once}

var table = map[string]map[Surface]Way{
	read:        easy,
	write:       easy,
	network:     easy,
	sentence:    {Keys: Twice, Screen: Twice, Puck: Once, Voice: Once, Watch: Never, Phone: Twice, Notification: Never, Terminal: Once},
	unknown:     {Keys: Twice, Screen: Twice, Puck: Twice, Voice: Twice, Watch: Never, Phone: Twice, Notification: Never, Terminal: Once},
	destructive: {Keys: Never, Screen: Twice, Puck: Never, Voice: Never, Watch: Never, Phone: Twice, Notification: Never, Terminal: Twice},
	secret:      {Keys: Never, Screen: Twice, Puck: Never, Voice: Never, Watch: Never, Phone: Twice, Notification: Never, Terminal: Twice},
}

// On is how a request may be allowed on a surface. Questions and plans have no risk
// unless somebody judged them; whether they fit a surface is the surface's to know.
func On(s Surface, r *nod.Request) Way {
	if r.Kind != nod.KindApproval && r.Risk == nil {
		return Once
	}
	if way, ok := table[levelOf(r)][s]; ok {
		return way
	}
	return Never
}

// levelOf is the row of the table. What nobody judged is unknown.
func levelOf(r *nod.Request) string {
	if r.Risk != nil && r.Risk.Level != sentence && slices.Contains(levels, r.Risk.Level) && r.Risk.Level != unknown {
		return r.Risk.Level
	}
	if isSentence(r.Tool) {
		return sentence
	}
	return unknown
}

// isSentence reports whether a tool's request is a sentence to confirm, or an action of
// Home Assistant.
func isSentence(tool string) bool {
	parts := strings.Split(tool, "__") // as in mcp__home__HassTurnOff
	return tool == "Confirm" || strings.HasPrefix(parts[len(parts)-1], "Hass")
}

// OnNamed is On for a person who named commands that may also be allowed here, with a
// second yes, although they are destructive.
func OnNamed(s Surface, r *nod.Request, commands []string) Way {
	way := On(s, r)
	if way == Never && levelOf(r) == destructive && Named(r, commands) {
		return Twice
	}
	return way
}

// Named reports whether a request is one plain command that begins with one of the given
// words, such as "kubectl apply". A command line that does more than that one command is none
// of them.
func Named(r *nod.Request, commands []string) bool {
	var input struct {
		Command string `json:"command"`
	}
	if r.Kind != nod.KindApproval || strings.HasPrefix(r.Tool, "mcp__") || json.Unmarshal(r.Input, &input) != nil || strings.ContainsAny(input.Command, "\n\r;&|<>$`(){}[]*?~\\'\"#!=") {
		return false
	}
	said := strings.Fields(input.Command)
	return slices.ContainsFunc(commands, func(name string) bool {
		want := strings.Fields(name)
		return len(want) > 0 && len(said) >= len(want) && slices.Equal(said[:len(want)], want)
	})
}
