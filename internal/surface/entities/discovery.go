package entities

import (
	"cmp"
	"strings"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// block is a part of an announcement, as Home Assistant names its fields.
type block map[string]any

// nothing is the only option while there is no choice: Home Assistant wants a list.
const nothing = "-"

// announcer writes the announcements of devices.
type announcer struct {
	adapter.Deps
	topics topics
	id     string // of this hub among others on the same broker
	status string // the topic that says whether this hub is online
}

// config announces an agent: one device with all its entities.
func (n announcer) config(d *device, v *view) []byte {
	state := n.topics.of(d.name, "state")
	id := n.topics.node + "_" + d.name
	a := v.agent
	name := cmp.Or(cut(a.Name, mostName), string(a.ID))
	if host := cut(a.Host, mostName); host != "" {
		name = n.Say.Say(words.OnHost, name, host)
	}
	options := v.labels
	if len(options) == 0 {
		options = []string{nothing}
	}
	e := entities{n, id, d.name, state}
	components := block{
		"state": e.sensor("state", words.EntityState, "mdi:robot", "{{ value_json.state }}", "about", block{
			"device_class": "enum", "options": []nod.AgentState{nod.AgentIdle, nod.AgentWorking, nod.AgentWaiting, nod.AgentLimited, nod.AgentError, nod.AgentEnded}}),
		"pending": e.sensor("pending", words.EntityPending, "mdi:tray-full", "{{ value_json.pending }}", "", block{"state_class": "measurement"}),
		"request": e.sensor("request", words.EntityRequest, "mdi:help-circle", "{{ value_json.request }}", "asked", nil),
		"answer":  e.sensor("answer", words.EntityAnswer, "mdi:message-reply-text", "{{ value_json.answer }}", "answered", nil),
		"event": block{
			"platform": "event", "availability": []block{{"topic": n.status}}, "unique_id": id + "_event", "name": n.Say.Say(words.EntityEvent), "icon": "mdi:bell-ring",
			"state_topic": n.topics.of(d.name, "event"), "event_types": eventTypes[:],
		},
		"allow": e.button("allow", words.EntityAllow, "mdi:check-circle"),
		"deny":  e.button("deny", words.EntityDeny, "mdi:close-circle"),
		"stop":  e.button("stop", words.EntityStop, "mdi:stop-circle"),
		"choice": e.answers("choice", "select", words.EntityChoice, "mdi:format-list-bulleted", "choose", ", 'option': value", block{
			"options": options, "state_topic": state, "value_template": "{{ value_json.choice }}",
		}),
		"prompt": e.acts("prompt", "text", words.EntityPrompt, "mdi:message-text", "say", block{"max": mostState}),
		"notify": e.acts("notify", "notify", words.EntityPrompt, "mdi:message-text", "say", nil),
	}
	return marshal(block{
		"device":     n.deviceBlock(block{"identifiers": []string{id}, "name": name, "manufacturer": "nod", "model": model(a), "via_device": n.topics.node + "_" + hubName}),
		"origin":     n.origin(),
		"components": components, "qos": 1,
	})
}

// hubConfig announces the hub itself.
func (n announcer) hubConfig() []byte {
	id := n.topics.node + "_" + hubName
	e := entities{n, id, hubName, n.topics.of(hubName, "state")}
	return marshal(block{
		"device": n.deviceBlock(block{"identifiers": []string{id}, "name": "nod", "manufacturer": "nod", "model": cut(n.id, mostName), "sw_version": n.Version}),
		"origin": n.origin(),
		"components": block{
			"pending": e.sensor("pending", words.EntityPending, "mdi:tray-full", "{{ value_json.pending }}", "asked", block{"state_class": "measurement"}),
			"agents":  e.sensor("agents", words.EntityAgents, "mdi:robot", "{{ value_json.agents }}", "", block{"state_class": "measurement"}),
			"stop":    e.acts("stop", "button", words.EntityStopAll, "mdi:stop-circle", "stop", block{"payload_press": "PRESS"}),
			"online": block{
				"platform": "binary_sensor", "unique_id": id + "_online", "name": n.Say.Say(words.EntityOnline), "device_class": "connectivity", "entity_category": "diagnostic",
				"state_topic": n.status, "payload_on": mqttd.Online, "payload_off": mqttd.Offline,
			},
		},
		"qos": 1,
	})
}

func (n announcer) origin() block {
	return n.linked("support_url", block{"name": "nod", "sw_version": n.Version})
}

func (n announcer) deviceBlock(b block) block { return n.linked("configuration_url", b) }

// linked adds the hub's address, if a browser can open it.
func (n announcer) linked(key string, b block) block {
	if address := n.Address(); strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		b[key] = address
	}
	return b
}

func model(a *nod.Agent) string {
	if a.Kind == "claude" {
		return "Claude Code"
	}
	return cut(a.Kind, mostName)
}

// entities makes the entities of one device.
type entities struct {
	announcer
	device string // its id
	name   string // its name in topics
	state  string // the topic of its state
}

func (e entities) sensor(key string, name words.Message, icon, value, attributes string, more block) block {
	b := block{
		"platform": "sensor", "unique_id": e.device + "_" + key, "name": e.Say.Say(name), "icon": icon,
		"state_topic": e.state, "value_template": value,
		"availability": []block{{"topic": e.status}},
	}
	if attributes != "" {
		b["json_attributes_topic"], b["json_attributes_template"] = e.state, "{{ value_json."+attributes+" | tojson }}"
	}
	return with(b, more)
}

// button answers the request that was shown when it is pressed.
func (e entities) button(key string, name words.Message, icon string) block {
	return e.answers(key, "button", name, icon, key, "", block{"payload_press": "PRESS"})
}

// acts is an entity that does something; it is available while it can.
func (e entities) acts(key, platform string, name words.Message, icon, while string, more block) block {
	b := block{
		"platform": platform, "unique_id": e.device + "_" + key, "name": e.Say.Say(name), "icon": icon,
		"command_topic":     e.topics.of(e.name, key+"/set"),
		"availability_mode": "all",
		"availability": []block{
			{"topic": e.status},
			{"topic": e.state, "value_template": "{{ 'online' if value_json." + while + " else 'offline' }}"},
		},
	}
	return with(b, more)
}

// answers is an entity that has the request as an attribute and sends it back, so that
// the answer is about what was seen.
func (e entities) answers(key, platform string, name words.Message, icon, while, order string, more block) block {
	return with(e.acts(key, platform, name, icon, while, block{
		"json_attributes_topic": e.state, "json_attributes_template": "{{ {'request': value_json.id} | tojson }}",
		"command_template": "{{ {'request': this.attributes.get('request', '')" + order + "} | tojson }}",
	}), more)
}

func with(b, more block) block {
	for k, v := range more {
		b[k] = v
	}
	return b
}
