package doctor

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/app"
	"nod/internal/net/hass"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// voicePath checks the whole way from a voice to an answer, in the order in which
// one step needs the other.
type voicePath struct {
	*Doctor
	hub      *hubChecks
	conf     app.Config
	mqtt     *mqttd.Client // of another broker; nil: none, or nod's own
	home     *hass.Client
	speakers []satellite
	ask      func(context.Context) (asked, error) // a question to the hub
	failed   map[string]string                    // titles of the steps that failed, by the id of those that wait for them
}

func newVoicePath(d *Doctor) *voicePath {
	v := &voicePath{Doctor: d, hub: &hubChecks{Doctor: d}, failed: map[string]string{}}
	v.ask = v.askHub
	return v
}

// step is one part of the way.
type step struct {
	check
	needs []string // ids of the steps that must not have failed
}

// stepTimeout is for one step; the one with Claude Code has its own.
const stepTimeout = 10 * time.Second

func (v *voicePath) steps() []step {
	return []step{
		{v.check("settings", words.LegSettings, v.settings), nil},
		{v.check("broker", words.LegBroker, v.broker), []string{"settings"}},
		{v.check("messages", words.LegMessages, v.messages), []string{"settings", "broker"}},
		{v.check("home_assistant", words.LegHome, v.homeAssistant), []string{"settings"}},
		{v.check("home_assistant_mqtt", words.LegHomeMQTT, v.homeMQTT), []string{"settings", "messages", "home_assistant"}},
		{v.check("satellites", words.LegSatellites, v.satellites), []string{"settings", "home_assistant"}},
		{v.check("hub", words.LegHub, v.hub.reach), []string{"settings"}},
		{v.check("answer", words.LegClaude, v.answer), []string{"settings", "hub"}},
		{v.check("speech", words.LegSpeech, v.speech), []string{"settings", "home_assistant", "satellites"}},
	}
}

// Check skips what needs a step that failed, so the first failure is the one to fix.
func (v *voicePath) Check(ctx context.Context) (all []Finding) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for _, s := range v.steps() {
		all = append(all, v.try(ctx, s)...)
	}
	return all
}

func (v *voicePath) try(ctx context.Context, s step) []Finding {
	for _, need := range s.needs {
		if title, ok := v.failed[need]; ok {
			v.failed[s.id] = title
			s.look = func(context.Context) Finding { return skip(v.Say(words.LegBehind, title)) }
			break
		}
	}
	found := s.Check(ctx)
	if found[0].State == Fail {
		v.failed[s.id] = s.title
	}
	return found
}

func (v *voicePath) settings(context.Context) Finding {
	conf, _, err := v.Load(v.DataDir, "")
	if err != nil {
		return fail(nod.MessageOf(err), v.Say(words.LegConfigFix))
	}
	v.conf = conf
	var set []string
	if conf.HomeAssistant.URL != "" {
		set = append(set, "[homeassistant] "+conf.HomeAssistant.URL)
	}
	if conf.MQTT.URL != "" {
		set = append(set, "[mqtt] "+conf.MQTT.URL)
	} else if conf.MQTT.Embedded {
		set = append(set, "[mqtt] embedded "+conf.MQTT.Listen)
	}
	if len(set) == 0 {
		return fail(v.Say(words.LegNothing), v.Say(words.LegNothingFix))
	}
	return fine(v.Say(words.LegSet, strings.Join(set, ", ")))
}
