package mdns

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/brutella/dnssd"

	"nod"
)

const (
	lookAround  = 10 * time.Second // how often to check for network changes
	goodbyeTime = time.Second      // time limit of the goodbye at shutdown
	longestHost = 30               // of a machine's name inside a longer name
)

// Service is something to announce.
type Service struct {
	Name string // for display: "nod on desk"
	Type string // HTTP, Nod
	Host string // as NAME.local; empty: this machine's own name
	Port int
	Text map[string]string // TXT record
}

// Self describes a hub for its announcements.
type Self struct {
	Host    string // the machine's name
	Version string
	Port    int
	Path    string // path of its web app; empty: /
	TLS     bool
	Also    map[string]int // further host names, such as "prompt-relay", and the port behind each
}

// Services are the announcements of a hub.
func (s Self) Services() []Service {
	host := label(s.Host)
	name, text := "nod on "+host[:min(len(host), longestHost)], map[string]string{"version": s.Version, "path": s.Path}
	if s.Path == "" {
		text["path"] = "/"
	}
	if s.TLS {
		text["tls"] = "1"
	}
	list := []Service{{Name: name, Type: Nod, Port: s.Port, Text: text}}
	if !s.TLS { // clients that look for _http._tcp speak plain HTTP
		list = append(list, Service{Name: name, Type: HTTP, Port: s.Port, Text: text})
	}
	for _, host := range sorted(s.Also) {
		list = append(list, Service{Name: name + " as " + host, Type: HTTP, Host: host, Port: s.Also[host], Text: text})
	}
	return list
}

// Talk is the announcement of a conversation agent. Home Assistant recognizes it by its name, so the name must not
// change.
func (s Self) Talk(port int) Service {
	host := label(s.Host)
	return Service{Name: "nod on " + host[:min(len(host), longestHost)], Type: Wyoming, Port: port, Text: map[string]string{"version": s.Version}}
}

func sorted(m map[string]int) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Announce announces services until ctx ends, then says goodbye. When this machine joins another network it starts
// again there. A name that is already taken gets a number appended.
func Announce(ctx context.Context, services []Service) error {
	quiet()
	for _, s := range services {
		if _, err := s.config(nil); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		if err := announce(ctx, services, networks()); err != nil && ctx.Err() == nil {
			return nod.Errorf(nod.Unavailable, "this machine cannot announce nod on the network: other devices need its address typed in").Because(err)
		}
	}
	return nil
}

// announce runs as long as these networks exist. Every service has its own responder: with a shared one each service
// would wait until the others' names are probed, and there would be no goodbye before that.
func announce(ctx context.Context, services []Service, on []string) error {
	if len(on) == 0 { // no one could receive it
		changed(ctx, on)
		return nil
	}
	round, end := cancelled(ctx)
	defer end()
	ended := make(chan error, len(services))
	for _, s := range services {
		go func() { ended <- s.respond(round, on) }()
	}
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		changed(round, on)
	}()
	var failed error
	left := len(services)
	select {
	case failed = <-ended:
		left--
	case <-moved:
	}
	end()
	// A goodbye takes a moment per network: enough for a few, but do not wait for thirty bridges.
	timer := time.NewTimer(goodbyeTime)
	defer timer.Stop()
	for ; left > 0; left-- {
		select {
		case <-ended:
		case <-timer.C:
			return failed
		}
	}
	return failed
}

func (s Service) respond(ctx context.Context, on []string) error {
	c, err := s.config(on)
	if err != nil {
		return err
	}
	responder, err := dnssd.NewResponder()
	if err != nil {
		return err
	}
	if _, err := responder.Add(c); err != nil {
		return err
	}
	if err := responder.Respond(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (s Service) config(on []string) (dnssd.Service, error) {
	name := label(s.Name)
	if name == "" || s.Type == "" || s.Port < 1 || s.Port > 65535 {
		return dnssd.Service{}, nod.Errorf(nod.Invalid, "%q cannot be announced: it takes a name, a type and a port", s.Name)
	}
	return dnssd.NewService(dnssd.Config{Name: name, Type: s.Type, Host: label(s.Host), Port: s.Port, Text: s.Text, Ifaces: on})
}

// changed waits until the networks change, or ctx ends.
func changed(ctx context.Context, on []string) {
	tick := time.NewTicker(lookAround)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !slices.Equal(networks(), on) {
				return
			}
		}
	}
}

// cancelled returns a context that ends when ctx does, but never by a deadline: the library's readers check only for
// cancellation and would read a closed socket for ever.
func cancelled(ctx context.Context) (context.Context, context.CancelFunc) {
	plain, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	return plain, func() { stop(); cancel() }
}
