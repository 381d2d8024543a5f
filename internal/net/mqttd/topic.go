package mqttd

import (
	"strings"
	"unicode/utf8"

	"nod"
)

// Matches reports whether a topic matches a filter.
func Matches(filter, topic string) bool {
	if strings.HasPrefix(topic, "$") != strings.HasPrefix(filter, "$") {
		return false // wildcards do not match the brokers' own topics
	}
	for {
		f, restF, moreF := strings.Cut(filter, "/")
		if f == "#" {
			return true
		}
		t, restT, moreT := strings.Cut(topic, "/")
		if f != "+" && f != t {
			return false
		}
		if !moreT {
			return !moreF || restF == "#" // "a/#" matches "a" too
		}
		if !moreF {
			return false
		}
		filter, topic = restF, restT
	}
}

// CheckTopic says what is wrong with a topic to publish to.
func CheckTopic(topic string) error {
	switch {
	case topic == "", len(topic) > 65535, !utf8.ValidString(topic), strings.ContainsAny(topic, "+#\x00"):
		return nod.Errorf(nod.Invalid, "%.80q is not a topic that can be published to: it must not be empty, nor contain + or #", topic)
	}
	return nil
}

// checkFilter says what is wrong with a filter.
func checkFilter(filter string) error {
	parts := strings.Split(filter, "/")
	for i, p := range parts {
		wild := strings.ContainsAny(p, "+#")
		if wild && p != "+" && (p != "#" || i != len(parts)-1) {
			return nod.Errorf(nod.Invalid, "%.80q is not a topic filter: + and # stand alone between slashes, and # comes last", filter)
		}
	}
	if filter == "" || len(filter) > 65535 || !utf8.ValidString(filter) || strings.ContainsRune(filter, 0) {
		return nod.Errorf(nod.Invalid, "a topic filter must be text and not empty")
	}
	return nil
}
