// Package homeassistant uses the voice satellites of a Home Assistant without anything
// being set up there: it finds them, asks and announces through them, lights their
// rings, and takes answers from their buttons, dials and microphones.
package homeassistant

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/hass"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
	"nod/internal/sys/secretfile"
	"nod/internal/talk"
)

// via is this surface's name in the log.
const via = "homeassistant"

// How the dial of a device is read.
const (
	dialVolume = "volume" // on a stock device it moves the volume, which is watched and set back
	dialOff    = "off"    // the third is "event": only a dial with an event of its own
)

// Needs is what the surface needs of others.
type Needs struct {
	Turn time.Duration // how long an assistant's answer may take
	HTTP *http.Client  // to Home Assistant; nil: one that knows the system's certificates
}

// Surface is all satellites of one Home Assistant.
type Surface struct {
	Config
	adapter.Deps
	client  *hass.Client
	asker   *talk.Asker // nil: there is no assistant
	records *records

	mu       sync.Mutex
	devices  map[string]*device // by satellite
	attended int                // satellites that were found and are followed
	life     context.Context    // of Run; nil before and after
	running  sync.WaitGroup
}

// New makes a surface; Run connects it.
func New(c Config, d adapter.Deps, n Needs) (*Surface, error) {
	d.Fill()
	s := &Surface{Config: c, Deps: d, records: openRecords(d.File("homeassistant.json"), d.Log), devices: map[string]*device{}}
	if !d.Demo {
		s.asker = talk.New(d.Deps, n.Turn)
	}
	var err error
	s.client, err = hass.New(hass.Options{URL: c.URL, Token: s.token, HTTP: n.HTTP, Log: d.Log})
	return s, err
}

// token is read at every connection, so that a new one needs no restart.
func (s *Surface) token() (string, error) {
	text, err := secretfile.Read(s.TokenFile)
	if err != nil {
		return "", nod.Errorf(nod.Unauthorized, "the file with the token of Home Assistant cannot be read").Because(err)
	}
	return text, nil
}

// warnOfReaders warns if other users of this machine can read the token.
func (s *Surface) warnOfReaders() {
	if info, err := os.Stat(s.TokenFile); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		s.Log.Warn("others on this machine can read the token of Home Assistant; chmod 600 helps", "file", s.TokenFile)
	}
}

// Health reports that Home Assistant is not connected, or has no satellite for nod.
func (s *Surface) Health() error {
	s.mu.Lock()
	attended := s.attended
	s.mu.Unlock()
	switch {
	case s.client.Connected() && attended > 0:
		return nil
	case s.client.Connected():
		return nod.Errorf(nod.Unavailable, "Home Assistant at %s has no voice satellite that nod can use; is one set up there, and does [homeassistant] satellites name it?", s.URL)
	}
	return nod.Errorf(nod.Unavailable, "Home Assistant at %s is not connected; does it run, and is the token in %s still good?", s.URL, s.TokenFile)
}

// restoreTime is how long resetting rings and volumes may take at the end.
const restoreTime = 3 * time.Second

// Run serves until ctx ends. Then it sets rings and volumes back, for which the
// connection stays a moment longer.
func (s *Surface) Run(ctx context.Context) {
	s.warnOfReaders()
	line, disconnect := context.WithCancel(context.WithoutCancel(ctx))
	defer disconnect()
	s.setLife(ctx)
	var all sync.WaitGroup
	all.Go(func() {
		s.client.Run(line, func(connected context.Context) { s.connected(ctx, connected) })
	})
	<-ctx.Done()
	s.endLife()
	s.running.Wait()
	last, cancel := context.WithTimeout(line, restoreTime)
	for _, d := range s.all() {
		d.restore(last)
	}
	cancel()
	disconnect()
	all.Wait()
}

// setLife sets the context of tasks.
func (s *Surface) setLife(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = ctx
}

// endLife lets no new task start.
func (s *Surface) endLife() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = nil
}

// start runs a task in the background. Run waits for it.
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

// searchPause is how long to wait after a failed search, and until a registry that
// changes has settled.
const searchPause = 5 * time.Second

// connected serves one connection, which lasts as long as line.
func (s *Surface) connected(life, line context.Context) {
	ctx, cancel := context.WithCancel(line)
	defer cancel()
	stop := context.AfterFunc(life, cancel)
	defer stop()
	changed := make(chan struct{}, 1)
	if err := s.client.Events(ctx, "entity_registry_updated", func(hass.Event) {
		notify(changed)
	}); err != nil && ctx.Err() == nil {
		s.Log.Warn("Home Assistant does not tell of new devices", "err", err)
	}
	s.listen(ctx)
	for ctx.Err() == nil {
		round, end := context.WithCancel(ctx)
		if err := s.search(round); err != nil && ctx.Err() == nil {
			s.Log.Warn("the satellites of Home Assistant cannot be found", "err", err)
			notify(changed)
		}
		select {
		case <-ctx.Done():
		case <-changed:
			pause.For(ctx, searchPause)
			drain(changed)
		}
		end()
	}
	<-line.Done() // until rings and volumes are set back
	for _, d := range s.all() {
		d.disconnected()
	}
}

// search finds the satellites and follows them until round ends.
func (s *Surface) search(round context.Context) error {
	settings, err := s.client.Config(round)
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
		d, fresh := s.device(one, settings.Language)
		d.attend()
		if err := s.follow(round, d); err != nil {
			return err
		}
		if fresh {
			s.Log.Info("a voice satellite is attended", "satellite", one.id, "name", one.name, "ring", one.ring != "", "button", one.button != "", "dial", one.dial != "")
		}
		d.resume(round)
	}
	s.mu.Lock()
	s.attended = len(found)
	s.mu.Unlock()
	return nil
}

// device returns the device of a satellite; fresh is true for a new one.
func (s *Surface) device(one satellite, language string) (d *device, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d = s.devices[one.id]; d != nil {
		d.setSatellite(one)
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

// wanted selects agents whose requests are spoken; nil: all.
func (s *Surface) wanted() func(*nod.Agent) bool {
	if len(s.Agents) == 0 {
		return nil
	}
	return func(a *nod.Agent) bool {
		return slices.ContainsFunc(s.Agents, func(name string) bool { return strings.EqualFold(name, a.Name) || name == string(a.ID) })
	}
}

// lock is a mutex whose acquire ends with a ctx.
type lock chan struct{}

func (t lock) acquire(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t lock) release() { <-t }

// notify wakes the reader of c, unless it has been woken already.
func notify(c chan struct{}) {
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
