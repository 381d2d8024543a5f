package entities

import (
	"cmp"
	"strings"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// block is a part of an announcement, as Home Assistant names its fields.
type block map[string]any

// nothing is the only choice while there is none: Home Assistant wants a list.
const nothing = "-"

// config announces an agent: one device with all its entities.
func (s *Surface) config(d *device, v *view) []byte {
	state := s.topic(d.name, "state")
	id := s.node + "_" + d.name
	a := v.agent
	name := cmp.Or(cut(a.Name, mostName), string(a.ID))
	if host := cut(a.Host, mostName); host != "" {
		name = s.Say.Say(words.OnHost, name, host)
	}
	options := v.labels
	if len(options) == 0 {
		options = []string{nothing}
	}
	e := entities{s: s, id: id, thing: d.name, state: state}
	components := block{
		"state": e.sensor("state", words.EntityState, "mdi:robot", "{{ value_json.state }}", "about", block{
			"device_class": "enum", "options": []nod.AgentState{nod.AgentIdle, nod.AgentWorking, nod.AgentWaiting, nod.AgentLimited, nod.AgentError, nod.AgentEnded}}),
		"pending": e.sensor("pending", words.EntityPending, "mdi:tray-full", "{{ value_json.pending }}", "", block{"state_class": "measurement"}),
		"request": e.sensor("request", words.EntityRequest, "mdi:help-circle", "{{ value_json.request }}", "asked", nil),
		"answer":  e.sensor("answer", words.EntityAnswer, "mdi:message-reply-text", "{{ value_json.answer }}", "answered", nil),
		"event": block{
			"platform": "event", "availability": []block{{"topic": s.Status}}, "unique_id": id + "_event", "name": s.Say.Say(words.EntityEvent), "icon": "mdi:bell-ring",
			"state_topic": s.topic(d.name, "event"), "event_types": eventTypes[:],
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
		"device":     s.deviceBlock(block{"identifiers": []string{id}, "name": name, "manufacturer": "nod", "model": model(a), "via_device": s.node + "_" + hubName}),
		"origin":     s.origin(),
		"components": components, "qos": 1,
	})
}

// hubConfig announces the hub itself.
func (s *Surface) hubConfig() []byte {
	id := s.node + "_" + hubName
	e := entities{s: s, id: id, thing: hubName, state: s.topic(hubName, "state")}
	return marshal(block{
		"device": s.deviceBlock(block{"identifiers": []string{id}, "name": "nod", "manufacturer": "nod", "model": cut(s.ID, mostName), "sw_version": s.Version}),
		"origin": s.origin(),
		"components": block{
			"pending": e.sensor("pending", words.EntityPending, "mdi:tray-full", "{{ value_json.pending }}", "asked", block{"state_class": "measurement"}),
			"agents":  e.sensor("agents", words.EntityAgents, "mdi:robot", "{{ value_json.agents }}", "", block{"state_class": "measurement"}),
			"stop":    e.acts("stop", "button", words.EntityStopAll, "mdi:stop-circle", "stop", block{"payload_press": "PRESS"}),
			"online": block{
				"platform": "binary_sensor", "unique_id": id + "_online", "name": s.Say.Say(words.EntityOnline), "device_class": "connectivity", "entity_category": "diagnostic",
				"state_topic": s.Status, "payload_on": mqttd.Online, "payload_off": mqttd.Offline,
			},
		},
		"qos": 1,
	})
}

// hubState is what waits in all.
func (s *Surface) hubState() []byte {
	pending, agents := 0, 0
	var oldest *nod.Request
	s.Hub.Look(func(st *nod.State) {
		open := st.PendingOf("")
		if pending = len(open); pending > 0 {
			oldest = open[0]
		}
		for _, a := range st.Agents {
			if a.Alive() && (s.Conversations || a.Talk == nil) {
				agents++
			}
		}
	})
	asked := map[string]any{}
	if oldest != nil {
		asked = s.attributes(oldest)
	}
	return marshal(map[string]any{"pending": pending, "agents": agents, "asked": asked, "stop": true})
}

func (s *Surface) origin() block {
	return s.linked("support_url", block{"name": "nod", "sw_version": s.Version})
}

func (s *Surface) deviceBlock(b block) block { return s.linked("configuration_url", b) }

// linked adds the hub's address, if a browser can open it.
func (s *Surface) linked(key string, b block) block {
	if address := s.Address(); strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
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
	s     *Surface
	id    string
	thing string
	state string
}

func (e entities) sensor(key string, name words.Message, icon, value, attributes string, more block) block {
	b := block{
		"platform": "sensor", "unique_id": e.id + "_" + key, "name": e.s.Say.Say(name), "icon": icon,
		"state_topic": e.state, "value_template": value,
		"availability": []block{{"topic": e.s.Status}},
	}
	if attributes != "" {
		b["json_attributes_topic"], b["json_attributes_template"] = e.state, "{{ value_json."+attributes+" | tojson }}"
	}
	return with(b, more)
}

// button is about what was seen when it is pressed.
func (e entities) button(key string, name words.Message, icon string) block {
	return e.answers(key, "button", name, icon, key, "", block{"payload_press": "PRESS"})
}

// acts is an entity that does something, and is there while it can be done.
func (e entities) acts(key, platform string, name words.Message, icon, while string, more block) block {
	b := block{
		"platform": platform, "unique_id": e.id + "_" + key, "name": e.s.Say.Say(name), "icon": icon,
		"command_topic":     e.s.topic(e.thing, key+"/set"),
		"availability_mode": "all",
		"availability": []block{
			{"topic": e.s.Status},
			{"topic": e.state, "value_template": "{{ 'online' if value_json." + while + " else 'offline' }}"},
		},
	}
	return with(b, more)
}

// answers is an entity that answers the request that it has as an attribute, so
// that what is done is about what was seen.
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
