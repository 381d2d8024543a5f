// Package homeassistant speaks through the voice satellites of a Home Assistant
// without anything being written there: it finds them, asks and announces with
// them, lights their rings, and takes what their buttons, dials and microphones
// say as answers.
package homeassistant

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/hass"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
	"nod/internal/talk"
)

// via is the door as the log names it.
const via = "homeassistant"

// How the dial of a device is read.
const (
	DialVolume = "volume" // on a stock device it moves the volume, which is watched and set back
	DialEvent  = "event"  // only where it has an event of its own
	DialOff    = "off"
)

// Options are what the surface works with.
type Options struct {
	Hub        *hub.Hub
	Client     *hass.Client
	Asker      *talk.Asker // nil: nobody can be asked by voice
	Assistant  string      // who answers; empty: the first
	Satellites []string    // entities or names of devices; none: all
	Language   string      // en, pl or ja; empty: Home Assistant's, if nod speaks it
	Ring       bool        // light the rings
	Dial       string      // DialVolume, DialEvent or DialOff
	Agents     []string    // whose requests are told; none: everybody's
	Sentences  []string    // what begins a request by voice, with {query}; none: the usual ones
	Proof      []string    // levels of risk that take a passkey
	File       string      // what must be set right after an accident; empty: nothing is kept
	Now        func() time.Time
	Log        *slog.Logger
}

// Surface is all satellites of one Home Assistant.
type Surface struct {
	Options
	keep *keep

	mu      sync.Mutex
	devices map[string]*device // by satellite
	life    context.Context    // of Run; nil before and after
	running sync.WaitGroup
}

// New makes it. Run makes it live.
func New(o Options) *Surface {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Surface{Options: o, keep: openKeep(o.File, o.Log), devices: map[string]*device{}}
}

// farewell is how long rings and volumes may take to be set back at the end.
const farewell = 3 * time.Second

// Run lives until ctx ends. Then rings and volumes are as they were: the
// connection stays a moment longer for that.
func (s *Surface) Run(ctx context.Context) {
	line, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	s.lives(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		s.Client.Run(line, func(connected context.Context) { s.connected(ctx, connected) })
	})
	<-ctx.Done()
	s.ends()
	s.running.Wait()
	bye, cancel := context.WithTimeout(line, farewell)
	for _, d := range s.all() {
		d.farewell(bye)
	}
	cancel()
	hangUp()
	all.Wait()
}

func (s *Surface) lives(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = ctx
}

// ends lets nothing new begin.
func (s *Surface) ends() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = nil
}

// start lets f live beside others until the end, which waits for it.
func (s *Surface) start(f func(life context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if life := s.life; life != nil {
		s.running.Go(func() { f(life) })
	}
}

func (s *Surface) all() []*device {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*device
	for _, d := range s.devices {
		list = append(list, d)
	}
	return list
}

// lookAgain is how long to wait when the house could not be looked at, and for a
// registry that changes to come to rest.
const lookAgain = 5 * time.Second

// connected serves one connection, which lives as long as line.
func (s *Surface) connected(life, line context.Context) {
	ctx, cancel := context.WithCancel(line)
	defer cancel()
	stop := context.AfterFunc(life, cancel)
	defer stop()
	changed := make(chan struct{}, 1)
	if err := s.Client.Events(ctx, "entity_registry_updated", func(hass.Event) {
		select {
		case changed <- struct{}{}:
		default:
		}
	}); err != nil && ctx.Err() == nil {
		s.Log.Warn("Home Assistant does not tell of new devices", "err", err)
	}
	s.listen(ctx)
	for ctx.Err() == nil {
		round, end := context.WithCancel(ctx)
		if err := s.look(round); err != nil && ctx.Err() == nil {
			s.Log.Warn("the satellites of Home Assistant cannot be found", "err", err)
			poke(changed)
		}
		select {
		case <-ctx.Done():
		case <-changed:
			pause.For(ctx, lookAgain)
			drain(changed)
		}
		end()
	}
	<-line.Done() // until rings and volumes are set back
	for _, d := range s.all() {
		d.lose()
	}
}

// look finds the satellites and follows them until round ends.
func (s *Surface) look(round context.Context) error {
	house, err := s.Client.Config(round)
	if err != nil {
		return err
	}
	found, missing, err := s.find(round)
	if err != nil {
		return err
	}
	for _, name := range missing {
		s.Log.Warn("Home Assistant has no such satellite; look at the name in [homeassistant] satellites", "satellite", name)
	}
	if len(found) == 0 {
		s.Log.Warn("Home Assistant has no voice satellite")
	}
	for _, one := range found {
		d, fresh := s.device(one, house.Language)
		d.attended()
		if err := s.follow(round, d); err != nil {
			return err
		}
		if fresh {
			s.Log.Info("a voice satellite is attended", "satellite", one.id, "name", one.name, "ring", one.ring != "", "button", one.button != "", "dial", one.dial != "")
		}
		d.back(round)
	}
	return nil
}

// device is the one of a satellite.
func (s *Surface) device(one satellite, language string) (d *device, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d = s.devices[one.id]; d != nil {
		d.is(one)
		return d, false
	}
	if s.Language != "" {
		language = s.Language
	}
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	lang, ok := words.WebLang(language)
	if !ok {
		language = "en"
	}
	d = newDevice(s, one, words.In(lang), language)
	s.devices[one.id] = d
	return d, true
}

// wanted says whose requests are told.
func (s *Surface) wanted() func(*nod.Agent) bool {
	if len(s.Agents) == 0 {
		return nil
	}
	return func(a *nod.Agent) bool {
		return slices.ContainsFunc(s.Agents, func(name string) bool { return strings.EqualFold(name, a.Name) || name == string(a.ID) })
	}
}

// turn is held by one at a time, and nobody has to wait for it for ever.
type turn chan struct{}

func (t turn) take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t turn) give() { <-t }

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func drain(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}
