package mqttd

import (
	"strings"

	"nod"
)

// Rules are who may read and write what at nod's own broker. Nobody who is not
// nod can write what nod says, and nothing that decides can be written without
// the right to answer.
type Rules struct {
	Read  []string // filters of what those may read who may view
	Write []string // filters of what those may write who may answer
	// Discovery is the prefix of Home Assistant's discovery; empty: homeassistant.
	Discovery string
}

// What is nod's own.
const (
	ours       = "nod/#"
	commandEnd = "/set"
)

func (r Rules) discovery() string {
	if r.Discovery != "" {
		return r.Discovery
	}
	return "homeassistant"
}

// birth is where Home Assistant tells that it has started.
func (r Rules) birth() string { return r.discovery() + "/status" }

// announced reports whether a topic is one of discovery.
func (r Rules) announced(topic string) bool { return Matches(r.discovery()+"/#", topic) }

// mayRead: whoever may view reads what nod says. A filter with wildcards is
// let through; what comes by it is looked at one by one.
func (r Rules) mayRead(who nod.Actor, topic string) bool {
	if !who.Can(nod.View) {
		return false
	}
	if strings.ContainsAny(topic, "+#") {
		return !strings.HasPrefix(topic, "$")
	}
	return r.announced(topic) || Matches(ours, topic) || anyMatches(r.Read, topic)
}

func (r Rules) mayWrite(who nod.Actor, topic string) bool {
	if topic == r.birth() { // Home Assistant's own sign of life
		return who.Can(nod.View) || who.Can(nod.Answering)
	}
	command := Matches(ours, topic) && strings.HasSuffix(topic, commandEnd)
	return who.Can(nod.Answering) && (command || anyMatches(r.Write, topic))
}

// mayKeep: only what is found by whoever comes later is retained, never an
// order or an answer: those would be carried out again at every start.
func (r Rules) mayKeep(topic string) bool {
	return !strings.HasSuffix(topic, commandEnd) && (r.announced(topic) || Matches(ours, topic))
}

func anyMatches(filters []string, topic string) bool {
	for _, f := range filters {
		if Matches(f, topic) {
			return true
		}
	}
	return false
}
