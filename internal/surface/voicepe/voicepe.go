// Package voicepe is the wire of voice pucks over MQTT: what waits for an answer
// goes out, what a person said or chose comes in. Either Home Assistant runs the
// puck and speaks with nod in requests and answers, or nod runs it and Home
// Assistant only carries its light, its voice and its buttons.
package voicepe

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/mqttd"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// Owner is who runs the puck.
type Owner string

// The owners.
const (
	ByNod           Owner = "nod"
	ByHomeAssistant Owner = "homeassistant"
)

// via is the name of this door.
const via = "voicepe"

// Options are what the surface works with.
type Options struct {
	Hub           *hub.Hub
	Bus           mqttd.Bus
	Asker         *talk.Asker   // nil: nobody to talk to
	Assistant     string        // empty: the first one
	Prefix        string        // of all topics; empty: claude
	Homelab       bool          // the older topics too
	Owner         Owner         // empty: ByNod
	Trusted       bool          // whoever may publish at somebody else's broker may answer
	TimeoutDenies bool          // a puck that gave up means no
	Language      string        // empty: that of what is said
	Context       time.Duration // how long a conversation remembers; 0: a minute
	Turns         int           // how many there are in one conversation; 0: 20
	Patience      time.Duration // how long an answer may take; 0: ten minutes
	Proof         []string      // levels of risk that take a passkey
	Rate          int           // how often a minute somebody may ask; 0: any number
	Now           func() time.Time
	Log           *slog.Logger
}

// The topics below a prefix.
const (
	topicRequest  = "/request"
	topicResponse = "/response"
	topicAnswer   = "/approval-response"
	topicInput    = "/input"
	topicLED      = "/led"
	topicVoice    = "/voice"
)

// Rules are who may read and write what of this wire at nod's own broker.
func Rules(prefix string, homelab bool) mqttd.Rules {
	r := mqttd.Rules{
		Read:  []string{prefix + topicResponse, prefix + topicLED, prefix + topicVoice},
		Write: []string{prefix + topicRequest, prefix + topicAnswer, prefix + topicInput},
	}
	if homelab {
		r.Read = append(r.Read, prefix+homelabResponse, prefix+homelabRequest)
		r.Write = append(r.Write, prefix+homelabCommand)
	}
	return r
}

// Surface is the wire of one prefix.
type Surface struct {
	Options
	rate  talk.Rate
	board pendingList
	seen  seen
	errs  pace // of error messages that go out
	logs  pace // of log lines about what came in

	mu    sync.Mutex
	over  bool // nothing new is begun
	tasks sync.WaitGroup
	puck  *attend.Puck // where nod runs it
	going going
}

// New makes one. Run makes it live.
func New(o Options) *Surface {
	if o.Prefix == "" {
		o.Prefix = "claude"
	}
	if o.Owner == "" {
		o.Owner = ByNod
	}
	if o.Context <= 0 {
		o.Context = time.Minute
	}
	if o.Turns <= 0 {
		o.Turns = 20
	}
	if o.Patience <= 0 {
		o.Patience = 10 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Surface{Options: o, rate: talk.Rate{Most: o.Rate}, errs: pace{most: 5, each: time.Second}, logs: pace{most: 3, each: 10 * time.Second}}
	s.board.init()
	return s
}

// attended is the puck where nod runs it.
func (s *Surface) attended() *attend.Puck {
	return attend.New(attend.Options{
		Deps: hub.Deps{Hub: s.Hub, Log: s.Log, Now: s.Now}, By: s.self(), Asker: s.Asker, Assistant: s.Assistant, Device: device{s},
		Language: s.Language, Via: via, Name: s.Prefix, Denies: s.TimeoutDenies,
	})
}

// spawn begins something that ends with the run.
func (s *Surface) spawn(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.tasks.Go(f)
	}
}

func (s *Surface) end(over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = over
}

// self is the puck as somebody who answers, where nod runs it: whoever turns it
// was let in by the broker, and looked at before.
func (s *Surface) self() nod.Actor {
	return nod.Actor{Kind: nod.ActorDevice, Name: "voice puck", Via: via, ID: s.Prefix, Rights: nod.RightsOf(nod.View, nod.Answering)}
}

// watcher follows the log. It cannot answer: that a broker runs does not mean
// that a person is there.
func (s *Surface) watcher() hub.Desk {
	return s.Hub.Desk(nod.Actor{Kind: nod.ActorSystem, Name: "voice puck", Via: via, Rights: nod.RightsOf(nod.View)})
}

// Run listens and tells until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	s.end(false)
	in := map[string]func(context.Context, mqttd.Message){
		s.Prefix + topicAnswer: s.answered, s.Prefix + topicRequest: s.asked,
	}
	if s.Homelab {
		in[s.Prefix+homelabCommand] = s.asked
	}
	if s.Owner == ByNod {
		s.puck = s.attended()
		in[s.Prefix+topicInput] = s.input
		s.spawn(func() { s.puck.Run(ctx) })
	}
	for topic, f := range in {
		if err := s.Bus.Subscribe(ctx, topic, func(m mqttd.Message) { s.receive(ctx, m, f) }); err != nil {
			s.Log.Error("the voice puck cannot listen", "topic", topic, "err", err)
		}
	}
	s.Bus.Watch(ctx, s.board.connected)
	s.spawn(func() { s.follow(ctx) })
	s.tell(ctx)
	s.end(true)
	s.tasks.Wait()
}

// receive keeps away what is nobody's message: what a broker kept from before
// must not be carried out now, and an empty message only clears that.
func (s *Surface) receive(ctx context.Context, m mqttd.Message, f func(context.Context, mqttd.Message)) {
	switch {
	case len(m.Payload) == 0:
	case m.Retain:
		s.note("a retained message was ignored: requests and answers must not be retained", m)
	default:
		f(ctx, m)
	}
}

// note is one line in the log about something that came in, but not as many as
// somebody cares to send.
func (s *Surface) note(text string, m mqttd.Message, more ...any) {
	if s.logs.may(s.Now()) {
		s.Log.Warn(text, append([]any{"topic", m.Topic, "from", m.By.Name}, more...)...)
	}
}

// send publishes a message below the prefix.
func (s *Surface) send(ctx context.Context, topic string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.Bus.Publish(ctx, mqttd.Message{Topic: s.Prefix + topic, Payload: text, QoS: 1})
}

// say publishes a response, and what the older topics make of it.
func (s *Surface) say(ctx context.Context, r response) error {
	err := s.send(ctx, topicResponse, r)
	if s.Homelab && err == nil {
		err = s.sayOlder(ctx, r)
	}
	if err != nil && ctx.Err() == nil && s.logs.may(s.Now()) {
		s.Log.Warn("a message for the voice puck was not sent", "type", r.Type, "err", err)
	}
	return err
}

// printer speaks the language that is wanted, or that of a text.
func (s *Surface) printer(language, text string) (words.Printer, string) {
	language = firstOf(language, s.Language, guess(text))
	say, _ := words.Speaks(language)
	return say, language
}
