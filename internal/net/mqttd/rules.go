package mqttd

import (
	"strings"

	"nod"
)

// Rules say who may read and write which topics at nod's own broker. Only nod writes
// what nod says, and whatever decides something needs the right to answer.
type Rules struct {
	Read  []string // filters of topics that the right to view lets a client read
	Write []string // filters of topics that the right to answer lets a client write
	// Discovery is the prefix of Home Assistant's discovery; empty: homeassistant.
	Discovery string
}

// nod's own topics.
const (
	ownTopics     = "nod/#"
	commandSuffix = "/set"
)

func (r Rules) discovery() string {
	if r.Discovery != "" {
		return r.Discovery
	}
	return "homeassistant"
}

// birthTopic is where Home Assistant says that it has started.
func (r Rules) birthTopic() string { return r.discovery() + "/status" }

// isDiscovery reports whether a topic belongs to Home Assistant's discovery.
func (r Rules) isDiscovery(topic string) bool { return Matches(r.discovery()+"/#", topic) }

// mayRead lets a client with the right to view read what nod says. A filter with
// wildcards passes: each message that it brings is checked by itself.
func (r Rules) mayRead(who nod.Actor, topic string) bool {
	if !who.Can(nod.View) {
		return false
	}
	if strings.ContainsAny(topic, "+#") {
		return !strings.HasPrefix(topic, "$")
	}
	return r.isDiscovery(topic) || Matches(ownTopics, topic) || anyMatches(r.Read, topic)
}

func (r Rules) mayWrite(who nod.Actor, topic string) bool {
	if topic == r.birthTopic() { // Home Assistant's own sign of life
		return who.Can(nod.View) || who.Can(nod.Answering)
	}
	command := Matches(ownTopics, topic) && strings.HasSuffix(topic, commandSuffix)
	return who.Can(nod.Answering) && (command || anyMatches(r.Write, topic))
}

// mayRetain lets through what later subscribers should find, and never a command or an
// answer, which would be carried out again at every start.
func (r Rules) mayRetain(topic string) bool {
	return !strings.HasSuffix(topic, commandSuffix) && (r.isDiscovery(topic) || Matches(ownTopics, topic))
}

func anyMatches(filters []string, topic string) bool {
	for _, f := range filters {
		if Matches(f, topic) {
			return true
		}
	}
	return false
}
