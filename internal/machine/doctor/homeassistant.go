package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"nod"
	"nod/internal/app"
	"nod/internal/net/hass"
	"nod/internal/net/mqttd"
	"nod/internal/present/words"
)

// housecall walks the way that a question takes from a voice to an answer, in
// the order in which one leg needs the other.
type housecall struct {
	*checkup
	conf   app.Config
	bus    *mqttd.Client // somebody's broker; nil: none, or nod's own
	home   *hass.Client
	speaks []hass.Entity // satellites
	names  map[string]string
	ask    func(context.Context) (asked, error) // a question to the hub
	failed map[string]words.Message             // legs that do not work, by id
}

// leg is one part of the way; it is tried when all that it needs works.
type leg struct {
	question
	needs []string
}

// legTime is how long one leg may take; the one with Claude Code has its own.
const legTime = 10 * time.Second

func (h *housecall) legs() []leg {
	return []leg{
		{question{"settings", words.LegSettings, h.settings}, nil},
		{question{"broker", words.LegBroker, h.broker}, []string{"settings"}},
		{question{"messages", words.LegMessages, h.messages}, []string{"settings", "broker"}},
		{question{"home_assistant", words.LegHome, h.homeAssistant}, []string{"settings"}},
		{question{"home_assistant_mqtt", words.LegHomeMQTT, h.homeMQTT}, []string{"settings", "messages", "home_assistant"}},
		{question{"satellites", words.LegSatellites, h.satellites}, []string{"settings", "home_assistant"}},
		{question{"hub", words.LegHub, h.reach}, []string{"settings"}},
		{question{"answer", words.LegClaude, h.answer}, []string{"settings", "hub"}},
		{question{"speech", words.LegSpeech, h.speech}, []string{"settings", "home_assistant", "satellites"}},
	}
}

// visit walks the whole way. What lies behind a leg that fails is not tried, so
// the first that fails is the one to mend.
func (m *Doctor) visit(ctx context.Context) []Check {
	h := &housecall{checkup: &checkup{Doctor: m}, failed: map[string]words.Message{}}
	h.ask = h.askHub
	return h.walk(ctx)
}

func (h *housecall) walk(ctx context.Context) []Check {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var all []Check
	for _, l := range h.legs() {
		f := h.try(ctx, l)
		if f.state == Fail {
			h.failed[l.id] = l.title
		}
		all = append(all, Check{ID: l.id, Title: h.Say(l.title), State: f.state, Found: f.found, Fix: f.fix})
	}
	return all
}

func (h *housecall) try(ctx context.Context, l leg) finding {
	for _, need := range l.needs {
		if title, ok := h.failed[need]; ok {
			h.failed[l.id] = title // whatever needs this waits for the same
			return skip(h.Say(words.LegBehind, h.Say(title)))
		}
	}
	return l.look(ctx)
}

func (h *housecall) settings(context.Context) finding {
	conf, _, err := h.Load(h.DataDir, "")
	if err != nil {
		return fail(nod.MessageOf(err), h.Say(words.LegConfigFix))
	}
	h.conf = conf
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
		return fail(h.Say(words.LegNothing), h.Say(words.LegNothingFix))
	}
	return fine(h.Say(words.LegSet, strings.Join(set, ", ")))
}

// broker: is anybody there, and are we let in?
func (h *housecall) broker(ctx context.Context) finding {
	c := h.conf.MQTT
	if !c.On() {
		return skip(h.Say(words.LegNoMQTT))
	}
	if c.Embedded {
		return h.ownBroker(ctx, c.Listen)
	}
	down := func(why string) finding {
		return fail(h.Say(words.LegBrokerDown, c.URL, why), h.Say(words.LegBrokerFix))
	}
	o, err := brokerOptions(c)
	if err != nil {
		return down(lastCause(err))
	}
	// A refusal is told at once by the network, and by the client only in its log.
	port := map[string]string{"mqtt": "1883", "mqtts": "8883"}[o.URL.Scheme]
	dial := net.Dialer{Timeout: legTime}
	conn, err := dial.DialContext(ctx, "tcp", net.JoinHostPort(o.URL.Hostname(), cmp.Or(o.URL.Port(), port)))
	if err != nil {
		return down(lastCause(err))
	}
	_ = conn.Close()
	if h.bus, err = h.enter(ctx); err != nil {
		return down(lastCause(err))
	}
	return fine(h.Say(words.LegBrokerUp, c.URL))
}

// enter connects to somebody's broker under a name of its own.
func (h *housecall) enter(ctx context.Context) (*mqttd.Client, error) {
	o, err := brokerOptions(h.conf.MQTT)
	if err != nil {
		return nil, err
	}
	bus, err := mqttd.NewClient(o)
	if err != nil {
		return nil, err
	}
	go bus.Run(ctx)
	up := make(chan struct{}, 1)
	bus.Watch(ctx, func(on bool) {
		if on {
			select {
			case up <- struct{}{}:
			default:
			}
		}
	})
	if !arrives(ctx, legTime, up) {
		return nil, nod.Errorf(nod.Unavailable, "%s", h.Say(words.LegSilent))
	}
	return bus, nil
}

func (h *housecall) ownBroker(ctx context.Context, listen string) finding {
	host, port, _ := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	dial := net.Dialer{Timeout: legTime}
	conn, err := dial.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return fail(h.Say(words.LegBrokerDown, listen, lastCause(err)), h.Say(words.LegOwnFix))
	}
	_ = conn.Close()
	return fine(h.Say(words.LegBrokerOwn, listen))
}

func brokerOptions(c mqttd.Config) (mqttd.Options, error) {
	o := mqttd.Options{
		URL: c.Broker(), Version: mqttd.Version(c.Version), Username: c.Username, ClientID: "nod-doctor-" + rand.Text()[:8], Log: slog.New(slog.DiscardHandler),
	}
	if c.PasswordFile != "" {
		text, err := os.ReadFile(c.PasswordFile)
		if err != nil {
			return o, err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		o.Password = strings.TrimSpace(first)
	}
	if o.URL.Scheme == "mqtts" {
		return o, secureBroker(&o, c.CA)
	}
	return o, nil
}

// messages: one goes out and comes back.
func (h *housecall) messages(ctx context.Context) finding {
	if h.bus == nil {
		if h.conf.MQTT.Embedded {
			return fine(h.Say(words.LegOwnRound))
		}
		return skip(h.Say(words.LegNoMQTT))
	}
	topic := "nod/doctor/" + rand.Text()
	lost := fail(h.Say(words.LegNoRound), h.Say(words.LegNoRoundFix))
	back, err := h.listenFor(ctx, topic)
	if err != nil {
		return lost
	}
	other, err := h.enter(ctx) // nobody hears what they said themselves
	if err != nil {
		return lost
	}
	if !again(ctx, back, func() error {
		return other.Publish(ctx, mqttd.Message{Topic: topic, Payload: []byte("hello"), QoS: 1})
	}) {
		return lost
	}
	return fine(h.Say(words.LegRound))
}

// again sends until it is back: a subscription takes a moment, and nobody says when.
func again(ctx context.Context, back <-chan struct{}, send func() error) bool {
	for range 10 {
		if send() == nil && arrives(ctx, legTime/10, back) {
			return true
		}
	}
	return false
}

func (h *housecall) listenFor(ctx context.Context, topic string) (<-chan struct{}, error) {
	back := make(chan struct{}, 1)
	err := h.bus.Subscribe(ctx, topic, func(mqttd.Message) {
		select {
		case back <- struct{}{}:
		default:
		}
	})
	return back, err
}

func arrives(ctx context.Context, limit time.Duration, happened <-chan struct{}) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-happened:
		return true
	case <-ctx.Done():
		return false
	}
}
