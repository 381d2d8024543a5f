package entities

import "strings"

// topics are those of one hub.
type topics struct{ prefix, node string }

// config is where a device is announced.
func (t topics) config(name string) string {
	return t.prefix + "/device/" + t.node + "/" + name + "/config"
}

// of is where something of a device is published.
func (t topics) of(name, what string) string { return "nod/" + t.node + "/" + name + "/" + what }

// announced is the name of the device that a topic announces.
func (t topics) announced(topic string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(topic, t.prefix+"/device/"+t.node+"/")
	name, cut := strings.CutSuffix(rest, "/config")
	return name, ok && cut && name != "" && !strings.Contains(name, "/")
}

// command is the device that a topic is for, and what it should do.
func (t topics) command(topic string) (name, verb string, ok bool) {
	rest, ok := strings.CutPrefix(topic, "nod/"+t.node+"/")
	name, rest, cut := strings.Cut(rest, "/")
	verb, set := strings.CutSuffix(rest, "/set")
	return name, verb, ok && cut && set
}
