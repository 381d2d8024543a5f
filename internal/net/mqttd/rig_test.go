package mqttd_test

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/net/mqttd"
	"nod/internal/net/mqttd/mosquitto"
)

const patience = 20 * time.Second

var versions = []mqttd.Version{mqttd.V5, mqttd.V311}

// tokens are the passwords of a test's broker, and whom each admits.
type tokens struct {
	mu   sync.Mutex
	who  map[string]nod.Actor
	ends map[string][]context.CancelFunc
}

func newTokens() *tokens {
	device := func(name string, rs ...nod.Right) nod.Actor {
		return nod.Actor{Kind: nod.ActorDevice, Name: name, ID: "id of " + name, Via: "mqtt", Rights: nod.RightsOf(rs...)}
	}
	room := device("guest", nod.View, nod.Answering)
	room.Room = "attic"
	return &tokens{ends: map[string][]context.CancelFunc{}, who: map[string]nod.Actor{
		"answers": device("kitchen", nod.View, nod.Answering), "second": device("bedroom", nod.View, nod.Answering),
		"views": device("wall", nod.View), "raises": device("hook", nod.Raise), "room": room,
	}}
}

func (k *tokens) admit(ctx context.Context, _, password string) (context.Context, nod.Actor, func(), error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	who, ok := k.who[password]
	if !ok {
		return nil, nod.Actor{}, nil, nod.Errorf(nod.Unauthorized, "unknown")
	}
	in, cancel := context.WithCancel(ctx)
	k.ends[password] = append(k.ends[password], cancel)
	return in, who, cancel, nil
}

func (k *tokens) revoke(password string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.who, password)
	for _, end := range k.ends[password] {
		end()
	}
}

type refusal struct {
	name, topic string
}

// own is nod's broker as it runs in a test.
type own struct {
	*mqttd.Broker
	url     *url.URL
	keys    *tokens
	refused chan refusal
	stop    func()
}

func ownBroker(t testing.TB) *own {
	t.Helper()
	b := &own{keys: newTokens(), refused: make(chan refusal, 100)}
	b.Broker = mqttd.NewBroker(mqttd.BrokerOptions{
		Listen: "127.0.0.1:0", Admit: b.keys.admit, Log: logOf(t),
		Rules:   mqttd.Rules{Read: []string{"claude/response"}, Write: []string{"claude/request", "claude/approval-response"}},
		Refused: func(by nod.Actor, topic string) { b.refused <- refusal{by.Name, topic} },
	})
	addr, err := b.Listen()
	if err != nil {
		t.Fatal(err)
	}
	b.url = &url.URL{Scheme: "mqtt", Host: addr.String()}
	b.stop = running(t, b.Run)
	awaitUp(t, b, true)
	return b
}

func running(t testing.TB, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { run(ctx) })
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return stop
}

// connect is a client that is up.
func connect(t testing.TB, o mqttd.Options) (*mqttd.Client, func()) {
	t.Helper()
	c, stop := begin(t, o)
	awaitUp(t, c, true)
	return c, stop
}

func begin(t testing.TB, o mqttd.Options) (*mqttd.Client, func()) {
	t.Helper()
	o.Log, o.Retry, o.Username = logOf(t), 300*time.Millisecond, "device" // 3.1.1 knows no password without a name
	if o.ClientID == "" {
		o.ClientID = "test-" + strings.Map(func(r rune) rune {
			if r == '/' || r == '.' {
				return '-'
			}
			return r
		}, t.Name())
	}
	c, err := mqttd.NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, running(t, c.Run)
}

func awaitUp(t testing.TB, b mqttd.Bus, want bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := make(chan struct{})
	var once sync.Once
	b.Watch(ctx, func(up bool) {
		if up == want {
			once.Do(func() { close(seen) })
		}
	})
	within(t, seen, "the connection to be up: %v", want)
}

func within[T any](t testing.TB, c <-chan T, format string, args ...any) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf("waited in vain for "+format, args...)
	}
	return v
}

// listen collects the messages of a filter.
func listen(t testing.TB, b mqttd.Bus, filter string) <-chan mqttd.Message {
	t.Helper()
	got := make(chan mqttd.Message, 20_000)
	if err := b.Subscribe(t.Context(), filter, func(m mqttd.Message) { got <- m }); err != nil {
		t.Fatal(err)
	}
	return got
}

func publish(t testing.TB, b mqttd.Bus, topic, text string) {
	t.Helper()
	if err := b.Publish(t.Context(), mqttd.Message{Topic: topic, Payload: []byte(text), QoS: 1}); err != nil {
		t.Fatalf("publish to %s: %v", topic, err)
	}
}

// logOf keeps quiet: background goroutines may outlive a test's log.
func logOf(testing.TB) *slog.Logger { return slog.New(slog.DiscardHandler) }

func startMosquitto(t testing.TB) *mosquitto.Broker { return mosquitto.Start(t) }
