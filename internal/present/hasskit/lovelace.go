package hasskit

import (
	"strings"

	"nod"
	"nod/internal/present/words"
)

// cards is everything that the dashboard's template names.
type cards struct {
	ID, Hub string
	Puck    bool // Home Assistant runs it, so there is a sensor
	Agents  []string

	Pending, AgentCount, Online, StopAll                         string
	State, Request, Answer, Allow, Deny, StopOne, Choice, Prompt string
}

// Lovelace is a list of cards for what nod announces over MQTT: the hub, and each
// agent by the name that its entities begin with, such as shop_on_desk.
func Lovelace(o Options, agents []string) ([]File, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if o.Say.Lang() == words.Japanese { // Home Assistant romanizes names in a way of its own
		return nil, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.HasskitLovelaceLanguage))
	}
	c := cards{ID: o.id(), Hub: "nod", Puck: o.Owner == ByHomeAssistant}
	for _, a := range agents {
		name := slug(a)
		if name == "" {
			return nil, nod.Errorf(nod.Invalid, "%s", o.Say.Say(words.HasskitAgent, a))
		}
		c.Agents = append(c.Agents, name)
	}
	for _, e := range []struct {
		into *string
		name words.Message
	}{
		{&c.Pending, words.EntityPending}, {&c.AgentCount, words.EntityAgents}, {&c.Online, words.EntityOnline}, {&c.StopAll, words.EntityStopAll},
		{&c.State, words.EntityState}, {&c.Request, words.EntityRequest}, {&c.Answer, words.EntityAnswer}, {&c.Allow, words.EntityAllow},
		{&c.Deny, words.EntityDeny}, {&c.StopOne, words.EntityStop}, {&c.Choice, words.EntityChoice}, {&c.Prompt, words.EntityPrompt},
	} {
		*e.into = slug(o.Say.Say(e.name))
	}
	text, err := fill("lovelace.yaml", 0, c)
	if err != nil {
		return nil, err
	}
	return []File{{Name: "nod_cards.yaml", Data: []byte(text)}}, nil
}

// slug is a name as Home Assistant makes a part of an entity's id of it.
func slug(name string) string {
	plain := strings.NewReplacer("ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ó", "o", "ś", "s", "ź", "z", "ż", "z").Replace(strings.ToLower(name))
	words := strings.FieldsFunc(plain, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "_")
}
