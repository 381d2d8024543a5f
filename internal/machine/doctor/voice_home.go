package doctor

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/hass"
	"nod/internal/present/words"
	"nod/internal/sys/secretfile"
)

// homeAssistant: does it answer, and does it accept the token?
func (v *voicePath) homeAssistant(ctx context.Context) Finding {
	c := v.conf.HomeAssistant
	if c.URL == "" {
		return skip(v.Say(words.LegNoHome))
	}
	token, err := secretfile.Read(c.TokenFile)
	if err != nil {
		return fail(v.Say(words.LegTokenFile, c.TokenFile, lastCause(err)), v.Say(words.LegTokenFix, c.TokenFile))
	}
	if v.home, err = hass.New(hass.Options{URL: c.URL, Token: func() (string, error) { return token, nil }}); err != nil {
		return fail(nod.MessageOf(err), v.Say(words.LegHomeFix))
	}
	err = v.home.Once(ctx, v.home.Ping)
	switch {
	case nod.CodeOf(err) == nod.Unauthorized:
		return fail(v.Say(words.LegToken), v.Say(words.LegTokenFix, c.TokenFile))
	case err != nil:
		return fail(v.Say(words.LegHomeDown, c.URL, lastCause(err)), v.Say(words.LegHomeFix))
	}
	return fine(v.Say(words.LegHomeUp, c.URL, v.home.Version()))
}

// satellite is a voice assistant device of Home Assistant.
type satellite struct{ id, name string }

// homeMQTT: does what Home Assistant publishes arrive here?
func (v *voicePath) homeMQTT(ctx context.Context) Finding {
	switch {
	case !v.conf.MQTT.On():
		return skip(v.Say(words.LegNoMQTT))
	case v.home == nil:
		return skip(v.Say(words.LegNoHome))
	}
	topic := "nod/doctor/" + rand.Text()
	back := (<-chan struct{})(nil)
	if v.mqtt != nil {
		var err error
		if back, err = v.subscribe(ctx, topic); err != nil {
			return fail(v.Say(words.LegNoRound), v.Say(words.LegNoRoundFix))
		}
	}
	missing, arrived := false, false
	err := v.home.Once(ctx, func(ctx context.Context) error {
		conf, err := v.home.Config(ctx)
		if missing = err == nil && !slices.Contains(conf.Components, "mqtt"); missing || err != nil {
			return err
		}
		publish := func() error {
			_, err = v.home.Call(ctx, hass.Action{Domain: "mqtt", Name: "publish", Data: map[string]any{"topic": topic, "payload": "hello"}})
			return err
		}
		if back == nil {
			return publish()
		}
		arrived = retry(ctx, back, publish)
		return err
	})
	switch {
	case missing:
		return fail(v.Say(words.LegNoComponent), v.Say(words.LegComponentFix))
	case err != nil:
		return fail(v.Say(words.LegHomeDown, "MQTT", lastCause(err)), v.Say(words.LegComponentFix))
	case back == nil:
		return fine(v.Say(words.LegHomePublishes))
	case !arrived:
		return fail(v.Say(words.LegOtherBroker), v.Say(words.LegComponentFix))
	}
	return fine(v.Say(words.LegHomeRound))
}

func (v *voicePath) satellites(ctx context.Context) Finding {
	if v.home == nil {
		return skip(v.Say(words.LegNoHome))
	}
	var devices []hass.Device
	var entities []hass.Entity
	err := v.home.Once(ctx, func(ctx context.Context) (err error) {
		if entities, err = v.home.Entities(ctx); err == nil {
			devices, err = v.home.Devices(ctx)
		}
		return err
	})
	if err != nil {
		return fail(v.Say(words.LegHomeDown, v.conf.HomeAssistant.URL, lastCause(err)), v.Say(words.LegHomeFix))
	}
	var names []string
	for _, e := range entities {
		if !strings.HasPrefix(e.ID, "assist_satellite.") || e.Disabled != nil {
			continue
		}
		name := e.ID
		if i := slices.IndexFunc(devices, func(d hass.Device) bool { return d.ID == e.Device && d.Called() != "" }); i >= 0 {
			name = devices[i].Called()
		}
		v.speakers, names = append(v.speakers, satellite{e.ID, name}), append(names, name)
	}
	if len(names) == 0 {
		return fail(v.Say(words.LegNoneFound), v.Say(words.LegNoneFix))
	}
	return fine(v.Say(words.LegFound, strings.Join(names, ", ")))
}

// asked is the outcome of the test question.
type asked struct {
	text   string
	person bool // a person was asked first
}

// answerTimeout is how long Claude Code may take for the test question.
const answerTimeout = 2 * time.Minute

// testQuestion makes Claude Code use a tool, so that the policy is tested too.
const testQuestion = "Run the command `pwd` with your Bash tool, then answer with the name of that folder only, in one word. This is a test of the connection."

func (v *voicePath) answer(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	a, err := v.ask(ctx)
	switch {
	case err != nil:
		return fail(v.Say(words.LegNoAnswer, nod.OneLine(nod.MessageOf(err))), v.Say(words.LegNoAnswerFix))
	case a.person:
		return warn(v.Say(words.LegAskedPerson), v.Say(words.LegAskedFix))
	}
	return fine(v.Say(words.LegAsked, nod.Fold(nod.OneLine(a.text), 80)))
}

// askHub asks in a conversation of its own.
func (v *voicePath) askHub(ctx context.Context) (out asked, err error) {
	cl, err := v.Client("doctor")
	if err != nil {
		return out, err
	}
	before, err := cl.State(ctx)
	if err != nil {
		return out, err
	}
	agent, err := cl.Open(ctx, v1.NewConversation{Assistant: v.conf.HomeAssistant.Assistant, Name: "doctor", Context: 60})
	if err != nil {
		return out, err
	}
	defer func() { _ = cl.Leave(context.WithoutCancel(ctx), agent.ID) }() // if this fails, the conversation ends after a minute
	if _, err := cl.Say(ctx, agent.ID, v1.NewMessage{ID: nod.MessageID(rand.Text()), Text: testQuestion}); err != nil {
		return out, err
	}
	for e, err := range cl.Follow(ctx, before.Seq) {
		if err != nil {
			return out, err
		}
		if e.AgentID != agent.ID {
			continue
		}
		switch {
		case e.Kind == nod.RequestRaised && e.Request != nil && e.Request.Status == nod.Pending:
			_, err := cl.Decide(ctx, e.Request.ID, nod.Answer{Verdict: nod.VerdictDeny, Message: "This was only a test."})
			return asked{person: true}, err
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Trouble != "":
			return out, nod.Errorf(nod.Unavailable, "%s", v.SpokenTrouble(e.Turn.Trouble))
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnAgent:
			return asked{text: e.Turn.Text}, nil
		}
	}
	return out, nod.Errorf(nod.Unavailable, "%s", v.Say(words.LegSilent))
}

// speech: does a satellite speak?
func (v *voicePath) speech(ctx context.Context) Finding {
	if v.home == nil || len(v.speakers) == 0 {
		return skip(v.Say(words.LegNoHome))
	}
	first := v.speakers[0]
	err := v.home.Once(ctx, func(ctx context.Context) error {
		_, err := v.home.Call(ctx, hass.Action{
			Domain: "assist_satellite", Name: "announce", Entity: first.id, Data: map[string]any{"message": v.Say(words.LegHello)}, Patience: time.Minute,
		})
		return err
	})
	if err != nil {
		return fail(v.Say(words.LegMute, first.name, lastCause(err)), v.Say(words.LegMuteFix))
	}
	return fine(v.Say(words.LegSaid, first.name))
}
