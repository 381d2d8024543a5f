package homeassistant

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
	"nod/internal/net/hass"
	"nod/internal/net/hass/fakehass"
	"nod/internal/present/puck"
	"nod/internal/talk"
)

// stage is a hub, a Home Assistant with one Voice PE, and the surface between
// them, in a bubble.
type stage struct {
	*testing.T
	hub     *hub.Hub
	house   *fakehass.Server
	puck    *fakehass.Puck
	surface *Surface
	options Options
	wire    *fakehass.Wire
	log     lockedText
	end     func()
}

type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func onStage(t *testing.T, set func(*stage), f func(s *stage)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h, err := hub.Open(t.Context(), mem.New(), hub.Options{Version: "test", Assistants: []nod.Assistant{{Name: "claude", Kind: "claude", Host: "desk", Cwd: "/"}}})
		if err != nil {
			t.Fatal(err)
		}
		s := &stage{T: t, hub: h, house: fakehass.New("token")}
		s.wire = s.house.Connect()
		log := slog.New(slog.NewTextHandler(&s.log, nil))
		s.options = Options{Hub: h, Ring: true, Dial: DialVolume, File: filepath.Join(dir, "ha.json"), Log: log, Asker: talk.New(hub.Deps{Hub: h}, 0)}
		if set != nil {
			set(s)
		}
		if s.puck == nil {
			s.puck = s.house.VoicePE("09f5a3", true)
		}
		s.taught()
		s.start()
		defer func() {
			s.end()
			s.house.Drop()
			time.Sleep(10 * time.Second) // what is being said is said to its end
			s.wire.Close()
			if err := h.Close(context.Background()); err != nil {
				t.Error(err)
			}
			synctest.Wait()
			if t.Failed() {
				t.Log(s.log.String())
			}
		}()
		f(s)
	})
}

// taught: the introduction was heard long ago.
func (s *stage) taught() {
	openKeep(s.options.File, slog.New(slog.DiscardHandler)).change(s.puck.Satellite, func(r *record) { r.Taught = true })
}

// start is nod serve; end is its end.
func (s *stage) start() {
	s.Helper()
	client, err := hass.New(hass.Options{URL: s.wire.URL, HTTP: s.wire.Client, Token: func() (string, error) { return "token", nil }, Log: s.options.Log})
	if err != nil {
		s.Fatal(err)
	}
	s.options.Client = client
	s.surface = New(s.options)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.surface.Run(ctx) }()
	s.end = func() { cancel(); <-done }
	time.Sleep(time.Second)
}

func (s *stage) ask(id, command string, change func(*nod.Request)) nod.RequestID {
	s.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	r := nod.Request{
		ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, Kind: nod.KindApproval, Tool: "Bash",
		Title: command, Display: command, OneTap: true, Input: input,
	}
	if change != nil {
		change(&r)
	}
	link := s.hub.Link("test")
	err := link.Report(s.Context(), hub.Agent("a", func(a *nod.Agent, _ time.Time) {
		a.Kind, a.Name, a.Host, a.State = "claude", "shop", "desk", nod.AgentWorking
	}))
	if err == nil {
		_, err = link.Ask(s.Context(), r)
	}
	if err != nil {
		s.Fatal(err)
	}
	return r.ID
}

func (s *stage) request(id nod.RequestID) *nod.Request {
	s.Helper()
	r, err := s.hub.Link("test").Request(s.Context(), id)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// verdict is "pending", or what was decided and through which door.
func (s *stage) verdict(id nod.RequestID) string {
	s.Helper()
	synctest.Wait()
	r := s.request(id)
	if r.Decision == nil {
		return string(r.Status)
	}
	return string(r.Decision.Verdict) + " via " + r.Decision.Via
}

// hears is the next thing that the satellite says.
func (s *stage) hears(want string) fakehass.Spoken {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 30*time.Second)
	defer cancel()
	said, ok := s.puck.Next(ctx)
	if !ok {
		s.Fatalf("nothing is said, want %q", want)
	}
	if said.Text != want {
		s.Fatalf("it says %q, want %q", said.Text, want)
	}
	return said
}

func (s *stage) silent(d time.Duration) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), d)
	defer cancel()
	if said, ok := s.puck.Next(ctx); ok {
		s.Errorf("it says %+v", said)
	}
}

// says is a person who answers as soon as they are listened to.
func (s *stage) says(text string) {
	s.Helper()
	for range 100 {
		if s.puck.Answer(text) {
			synctest.Wait()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Fatalf("nobody listens to %q", text)
}

// ring is the light as a person sees it.
func (s *stage) ring() string {
	synctest.Wait()
	state := s.house.State(s.puck.Ring)
	if state.State != "on" {
		return state.State
	}
	text, _ := json.Marshal(state.Attributes["rgb_color"])
	for _, c := range []puck.Color{puck.Orange, puck.Green, puck.Red, puck.Blue} {
		rgb, _ := c.Bright()
		if name, _ := json.Marshal([]int{int(rgb.R), int(rgb.G), int(rgb.B)}); string(name) == string(text) {
			return string(c)
		}
	}
	return string(text)
}

func (s *stage) volume() float64 {
	v, _ := s.house.State(s.puck.Player).Attributes["volume_level"].(float64)
	return v
}

// pass lets the bubble's time go by.
func (s *stage) pass(d time.Duration) { time.Sleep(d) }

func (s *stage) eventually(what string, ok func() bool) {
	s.Helper()
	for range 300 {
		synctest.Wait()
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Errorf("never: %s", what)
}
