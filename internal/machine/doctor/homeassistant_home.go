package doctor

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"os"
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/client"
	"nod/internal/net/hass"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// secureBroker trusts the system's CAs, or the one in a file.
func secureBroker(o *mqttd.Options, file string) error {
	o.TLS = &tls.Config{ServerName: o.URL.Hostname(), MinVersion: tls.VersionTLS12}
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	o.TLS.RootCAs = x509.NewCertPool()
	if !o.TLS.RootCAs.AppendCertsFromPEM(text) {
		return nod.Errorf(nod.Invalid, "there is no certificate in %s", file)
	}
	return nil
}

// homeAssistant: does it answer, and does it know the token?
func (h *housecall) homeAssistant(ctx context.Context) finding {
	c := h.conf.HomeAssistant
	if c.URL == "" {
		return skip(h.Say(words.LegNoHome))
	}
	text, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return fail(h.Say(words.LegTokenFile, c.TokenFile, lastCause(err)), h.Say(words.LegTokenFix, c.TokenFile))
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if h.home, err = hass.New(hass.Options{URL: c.URL, Token: func() (string, error) { return first, nil }}); err != nil {
		return fail(nod.MessageOf(err), h.Say(words.LegHomeFix))
	}
	err = h.home.Once(ctx, h.home.Ping)
	switch {
	case nod.CodeOf(err) == nod.Unauthorized:
		return fail(h.Say(words.LegToken), h.Say(words.LegTokenFix, c.TokenFile))
	case err != nil:
		return fail(h.Say(words.LegHomeDown, c.URL, lastCause(err)), h.Say(words.LegHomeFix))
	}
	return fine(h.Say(words.LegHomeUp, c.URL, h.home.Version()))
}

// homeMQTT: does what Home Assistant publishes arrive here?
func (h *housecall) homeMQTT(ctx context.Context) finding {
	switch {
	case !h.conf.MQTT.On():
		return skip(h.Say(words.LegNoMQTT))
	case h.home == nil:
		return skip(h.Say(words.LegNoHome))
	}
	topic := "nod/doctor/" + rand.Text()
	back := (<-chan struct{})(nil)
	if h.bus != nil {
		var err error
		if back, err = h.listenFor(ctx, topic); err != nil {
			return fail(h.Say(words.LegNoRound), h.Say(words.LegNoRoundFix))
		}
	}
	missing, arrived := false, false
	err := h.home.Once(ctx, func(ctx context.Context) error {
		conf, err := h.home.Config(ctx)
		if missing = err == nil && !slices.Contains(conf.Components, "mqtt"); missing || err != nil {
			return err
		}
		publish := func() error {
			_, err = h.home.Call(ctx, hass.Action{Domain: "mqtt", Name: "publish", Data: map[string]any{"topic": topic, "payload": "hello"}})
			return err
		}
		if back == nil {
			return publish()
		}
		arrived = again(ctx, back, publish)
		return err
	})
	switch {
	case missing:
		return fail(h.Say(words.LegNoComponent), h.Say(words.LegComponentFix))
	case err != nil:
		return fail(h.Say(words.LegHomeDown, "MQTT", lastCause(err)), h.Say(words.LegComponentFix))
	case back == nil:
		return fine(h.Say(words.LegHomePublishes))
	case !arrived:
		return fail(h.Say(words.LegOtherBroker), h.Say(words.LegComponentFix))
	}
	return fine(h.Say(words.LegHomeRound))
}

func (h *housecall) satellites(ctx context.Context) finding {
	if h.home == nil {
		return skip(h.Say(words.LegNoHome))
	}
	var devices []hass.Device
	var entities []hass.Entity
	err := h.home.Once(ctx, func(ctx context.Context) (err error) {
		if entities, err = h.home.Entities(ctx); err == nil {
			devices, err = h.home.Devices(ctx)
		}
		return err
	})
	if err != nil {
		return fail(h.Say(words.LegHomeDown, h.conf.HomeAssistant.URL, lastCause(err)), h.Say(words.LegHomeFix))
	}
	h.names = map[string]string{}
	var found []string
	for _, e := range entities {
		if !strings.HasPrefix(e.ID, "assist_satellite.") || e.Disabled != nil {
			continue
		}
		name := e.ID
		if i := slices.IndexFunc(devices, func(d hass.Device) bool { return d.ID == e.Device && d.Called() != "" }); i >= 0 {
			name = devices[i].Called()
		}
		h.speaks, h.names[e.ID], found = append(h.speaks, e), name, append(found, name)
	}
	if len(found) == 0 {
		return fail(h.Say(words.LegNoneFound), h.Say(words.LegNoneFix))
	}
	return fine(h.Say(words.LegFound, strings.Join(found, ", ")))
}

// asked is what came of a question.
type asked struct {
	text   string
	person bool // it waits for one
}

// answerTime is how long Claude Code may take for a small question.
const answerTime = 2 * time.Minute

// testQuestion makes Claude Code read something, so that the policy is on the way too.
const testQuestion = "Run the command `pwd` with your Bash tool, then answer with the name of that folder only, in one word. This is a test of the connection."

func (h *housecall) answer(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	a, err := h.ask(ctx)
	switch {
	case err != nil:
		return fail(h.Say(words.LegNoAnswer, nod.OneLine(nod.MessageOf(err))), h.Say(words.LegNoAnswerFix))
	case a.person:
		return warn(h.Say(words.LegAskedPerson), h.Say(words.LegAskedFix))
	}
	return fine(h.Say(words.LegAsked, nod.Fold(nod.OneLine(a.text), 80)))
}

// askHub opens a conversation, asks, and leaves.
func (h *housecall) askHub(ctx context.Context) (out asked, err error) {
	cl, err := h.Client("doctor")
	if err != nil {
		return out, err
	}
	before, err := cl.State(ctx)
	if err != nil {
		return out, err
	}
	agent, err := cl.Open(ctx, client.NewConversation{Assistant: h.conf.HomeAssistant.Assistant, Name: "doctor", Context: 60})
	if err != nil {
		return out, err
	}
	defer func() { _ = cl.Leave(context.WithoutCancel(ctx), agent.ID) }() // it ends by itself after a minute
	if _, err := cl.Say(ctx, agent.ID, client.NewMessage{ID: nod.MessageID(rand.Text()), Text: testQuestion}); err != nil {
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
			return out, nod.Errorf(nod.Unavailable, "%s", h.SpokenTrouble(e.Turn.Trouble))
		case e.Kind == nod.TurnTaken && e.Turn != nil && e.Turn.Role == nod.TurnAgent:
			return asked{text: e.Turn.Text}, nil
		}
	}
	return out, nod.Errorf(nod.Unavailable, "%s", h.Say(words.LegSilent))
}

// speech is the end of the way: somebody in the house hears it.
func (h *housecall) speech(ctx context.Context) finding {
	if h.home == nil || len(h.speaks) == 0 {
		return skip(h.Say(words.LegNoHome))
	}
	id := h.speaks[0].ID
	err := h.home.Once(ctx, func(ctx context.Context) error {
		_, err := h.home.Call(ctx, hass.Action{
			Domain: "assist_satellite", Name: "announce", Entity: id, Data: map[string]any{"message": h.Say(words.LegHello)}, Patience: time.Minute,
		})
		return err
	})
	if err != nil {
		return fail(h.Say(words.LegMute, h.names[id], lastCause(err)), h.Say(words.LegMuteFix))
	}
	return fine(h.Say(words.LegSaid, h.names[id]))
}
