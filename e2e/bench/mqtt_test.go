package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/sqlite"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
	"nod/internal/surface/voicepe"
)

const (
	mqttRounds  = 12
	mqttWarmups = 3
	// flashTime: after an answer the puck flashes, and only then asks again. What
	// is measured is a puck at rest.
	flashTime = 1100 * time.Millisecond
	// personTime is a pause before an answer: no person answers before the prompt is recorded.
	personTime = 50 * time.Millisecond
)

// BenchmarkMQTT is how soon a voice puck lights up, and how soon its answer
// releases a hook, beside what the broker itself takes from one client to
// another.
func BenchmarkMQTT(b *testing.B) {
	heading(b, "A voice puck over MQTT on this machine (SQLite)")
	for _, w := range []struct {
		name string
		own  bool
	}{{"own", true}, {"mosquitto", false}} {
		p := newPuckBench(b, w.own)
		lit, spoken, released, trip, commit := p.rounds()
		absolute(b, "mqtt-led-ms-"+w.name, w.name+": from an approval to the light, median", lit.median().Seconds()*1000, "ms", atMost(5))
		absolute(b, "mqtt-voice-ms-"+w.name, w.name+": from an approval to the voice, median", spoken.median().Seconds()*1000, "ms", atMost(5))
		absolute(b, "mqtt-release-ms-"+w.name, w.name+": from an answer to the release of the hook, median", released.median().Seconds()*1000, "ms", atMost(5))
		compare(b, "mqtt-release/trip-"+w.name, w.name+": the same against what cannot be less", ms(released.median()),
			fmt.Sprintf("%s of the broker, %s of the disk", ms(trip.median()), ms(commit.median())), ratio(released.median(), trip.median()+commit.median()), atMost(1.2))
		tell("95 %% within %s to the light, %s to the release; the broker alone %s", ms(lit.at(0.95)), ms(released.at(0.95)), ms(trip.at(0.95)))
		p.stop()
	}
}

// puckBench is a hub with a puck that nod runs, and the device beyond the broker.
type puckBench struct {
	b      *testing.B
	hub    *hub.Hub
	device *mqttd.Client
	led    chan time.Time
	voice  chan time.Time
	back   chan time.Time
	stop   func()
}

func puckConfig() (c voicepe.Config) {
	c.Defaults()
	return c
}

func newPuckBench(b *testing.B, own bool) *puckBench {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(temp(b), "nod.db"))
	if err != nil {
		b.Fatal(err)
	}
	h, err := hub.Open(b.Context(), store, hub.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := &puckBench{b: b, hub: h, led: make(chan time.Time, 1000), voice: make(chan time.Time, 1000), back: make(chan time.Time, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	p.stop = func() { cancel(); all.Wait(); _ = h.Close(context.Background()); _ = store.Close() }
	run := func(f func(context.Context)) { all.Go(func() { f(ctx) }) }
	var bus mqttd.Bus
	var at *url.URL
	if own {
		bus, at = p.ownBroker(run)
	} else {
		at = mosquitto.Start(b).URL()
		bus = p.client(at, "hub", run)
	}
	run(voicepe.New(puckConfig(), adapter.Deps{Deps: hub.Deps{Hub: h, Now: time.Now}}, voicepe.Needs{Bus: bus, Trusted: true}).Run)
	p.device = p.client(at, "device", run)
	for topic, into := range map[string]chan time.Time{"claude/led": p.led, "claude/voice": p.voice, "nod/bench/set": p.back} {
		err := p.client(at, "listens to "+filepath.Base(topic), run).Subscribe(ctx, topic, func(mqttd.Message) { into <- time.Now() })
		if err != nil {
			b.Fatal(err)
		}
	}
	return p
}

func (p *puckBench) ownBroker(run func(func(context.Context))) (mqttd.Bus, *url.URL) {
	who := nod.Actor{Kind: nod.ActorDevice, Name: "bench", ID: "bench", Rights: nod.RightsOf(nod.View, nod.Answering)}
	broker := mqttd.NewBroker(mqttd.BrokerOptions{
		Listen: "127.0.0.1:0", Rules: puckConfig().Rules(),
		Admit: func(ctx context.Context, _, _ string) (context.Context, nod.Actor, func(), error) {
			return ctx, who, func() {}, nil
		},
	})
	addr, err := broker.Listen()
	if err != nil {
		p.b.Fatal(err)
	}
	run(broker.Run)
	p.up(broker)
	return broker, &url.URL{Scheme: "mqtt", Host: addr.String()}
}

func (p *puckBench) client(at *url.URL, id string, run func(func(context.Context))) *mqttd.Client {
	p.b.Helper()
	c, err := mqttd.NewClient(mqttd.Options{URL: at, ClientID: id, Username: "bench", Password: "bench"})
	if err != nil {
		p.b.Fatal(err)
	}
	run(c.Run)
	p.up(c)
	return c
}

func (p *puckBench) up(bus mqttd.Bus) {
	ctx, cancel := context.WithCancel(p.b.Context())
	defer cancel()
	ready := make(chan struct{})
	var once sync.Once
	bus.Watch(ctx, func(up bool) {
		if up {
			once.Do(func() { close(ready) })
		}
	})
	<-ready
}

// rounds asks, looks at the light, answers, and measures the broker beside it.
func (p *puckBench) rounds() (lit, spoken, released, trip, commit sample) {
	p.b.Helper()
	link := p.hub.Link("bench")
	input, _ := json.Marshal(map[string]string{"command": "ls"})
	for i := range mqttRounds + mqttWarmups {
		// A new agent each time: the puck is at rest before every question.
		agent := nod.AgentID(fmt.Sprintf("agent-%d", i))
		if err := link.Report(p.b.Context(), hub.Agent(agent, func(a *nod.Agent, now time.Time) { a.Enter(nod.AgentWorking, now) })); err != nil {
			p.b.Fatal(err)
		}
		id := fmt.Sprintf("r%d", i)
		r := nod.Request{ID: nod.RequestID(id), Agent: nod.AgentRef{ID: agent}, Kind: nod.KindApproval, Tool: "Bash", Title: "ls", Input: input, OneTap: true}
		if _, err := link.Ask(p.b.Context(), r); err != nil {
			p.b.Fatal(err)
		}
		asked := time.Now() // it is on disk, and followers hear of it
		light, voice := p.next(p.led), p.next(p.voice)
		<-time.After(personTime)
		settled := link.Settled(r.ID)
		at := time.Now()
		p.send("claude/approval-response", fmt.Sprintf(`{"requestId":%q,"type":"approved"}`, id))
		<-settled
		release := time.Since(at)
		at = time.Now()
		p.send("nod/bench/set", "x")
		back := p.next(p.back).Sub(at)
		alone := p.decide(link, nod.RequestID(id+"-alone"))
		if err := link.Report(p.b.Context(), hub.EndOf(agent, "")); err != nil {
			p.b.Fatal(err)
		}
		p.calm()
		if i >= mqttWarmups {
			lit, spoken = append(lit, max(0, light.Sub(asked))), append(spoken, max(0, voice.Sub(asked)))
			released, trip, commit = append(released, release), append(trip, back), append(commit, alone)
		}
	}
	return lit, spoken, released, trip, commit
}

// decide is what a decision takes without any wire: it is on disk before anybody
// is released.
func (p *puckBench) decide(link hub.Link, id nod.RequestID) time.Duration {
	p.b.Helper()
	form := nod.Request{ID: id, Kind: nod.KindElicitation, Title: "a form", Questions: []nod.Question{{ID: "a", Text: "a?", FreeText: true}}} // which no puck shows
	if _, err := link.Ask(p.b.Context(), form); err != nil {
		p.b.Fatal(err)
	}
	settled := link.Settled(id)
	at := time.Now()
	if _, err := p.hub.Desk(anna).Decide(p.b.Context(), id, nod.Answer{Verdict: nod.VerdictDeny}); err != nil {
		p.b.Fatal(err)
	}
	<-settled
	return time.Since(at)
}

// next fails where nothing comes: benchmarks have no time limit of their own.
func (p *puckBench) next(c chan time.Time) time.Time {
	p.b.Helper()
	select {
	case at := <-c:
		return at
	case <-time.After(20 * time.Second):
		p.b.Fatal("nothing came over MQTT")
		return time.Time{}
	}
}

// send does not wait for the broker's word: that is no part of the way.
func (p *puckBench) send(topic, text string) {
	m := mqttd.Message{Topic: topic, Payload: []byte(text), QoS: 1}
	go func() {
		if err := p.device.Publish(p.b.Context(), m); err != nil && p.b.Context().Err() == nil {
			p.b.Error(err)
		}
	}()
}

// calm waits until the puck is dark: what is shown of an answer must not be
// taken for the next question.
func (p *puckBench) calm() {
	for quiet := time.NewTimer(flashTime); ; {
		select {
		case <-p.led:
		case <-p.voice:
		case <-quiet.C:
			return
		}
		quiet.Reset(flashTime)
	}
}
