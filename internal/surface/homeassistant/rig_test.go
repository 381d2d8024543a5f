package homeassistant

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	"nod/internal/net/hass/fakehass"
	"nod/internal/present/puck"
)

// rig is a hub, a Home Assistant with one Voice PE, and the surface between them, in
// a bubble.
type rig struct {
	*hubtest.Rig
	server  *fakehass.Server
	puck    *fakehass.Puck
	surface *Surface
	config  Config
	deps    adapter.Deps
	proof   []string
	wire    *fakehass.Wire
}

func inBubble(t *testing.T, set func(*rig), f func(s *rig)) {
	t.Helper()
	dir := t.TempDir()
	tokenFile := filepath.Join(dir, "token")
	if err := os.WriteFile(tokenFile, []byte("token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &rig{server: fakehass.New("token"), deps: adapter.Deps{Data: dir}}
		s.wire = s.server.Connect()
		s.config.Defaults()
		s.config.URL, s.config.TokenFile = s.wire.URL, tokenFile
		if set != nil {
			set(s)
		}
		options := hub.Options{Proof: s.proof, Assistants: []nod.Assistant{{Name: "claude", Kind: "claude", Host: "desk", Cwd: "/"}}}
		s.Rig = hubtest.New(t, hubtest.Options{Options: options})
		s.deps.Deps = s.Deps()
		if s.puck == nil {
			s.puck = s.server.VoicePE("09f5a3", true)
		}
		s.records().change(s.puck.Satellite, func(r *record) { r.Taught = true })
		s.start()
		defer func() {
			s.Stop()
			s.server.Drop()
			time.Sleep(10 * time.Second) // what is being said is said to its end
			s.wire.Close()
			synctest.Wait()
			if t.Failed() {
				t.Log(s.Logs.String())
			}
		}()
		f(s)
	})
}

// records is the file of satellites.
func (s *rig) records() *records {
	return openRecords(s.deps.File("homeassistant.json"), slog.New(slog.DiscardHandler))
}

// start is nod serve; Stop is its end.
func (s *rig) start() {
	s.Helper()
	surface, err := New(s.config, s.deps, Needs{HTTP: s.wire.Client})
	if err != nil {
		s.Fatal(err)
	}
	s.surface = surface
	s.Run(surface.Run)
	time.Sleep(time.Second)
}

func (s *rig) ask(id, command string, change func(*nod.Request)) nod.RequestID {
	s.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	s.Agent("a", nod.AgentWorking, func(a *nod.Agent) { a.Name, a.Host = "shop", "desk" })
	return s.Ask(hubtest.Approval(id, func(r *nod.Request) {
		r.Agent, r.Title, r.Display, r.Input = nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, command, command, input
		r.Risk = &nod.Risk{Level: "write"}
		if change != nil {
			change(r)
		}
	})).ID
}

// rests ends the task of the agent.
func (s *rig) rests() {
	s.Helper()
	time.Sleep(time.Second)
	s.Agent("a", nod.AgentIdle, func(*nod.Agent) {})
	time.Sleep(time.Second)
}

// listensFor asks whether a command may run, and waits until the satellite listens.
func (s *rig) listensFor(id, command string) nod.RequestID {
	s.Helper()
	asked := s.ask(id, command, nil)
	s.hears("Run " + command + "?")
	s.eventually("it listens", s.puck.Listening)
	return asked
}

// allows waits for a question, and allows it by voice.
func (s *rig) allows(id nod.RequestID, question string) {
	s.Helper()
	s.hears(question)
	s.says("yes")
	s.decided(id, "allow via homeassistant")
}

// decided compares the verdict of a request.
func (s *rig) decided(id nod.RequestID, want string) {
	s.Helper()
	if got := s.verdict(id); got != want {
		s.Errorf("%s is %s, want %s", id, got, want)
	}
}

// verdict is "pending", or what was decided and on which surface.
func (s *rig) verdict(id nod.RequestID) string {
	s.Helper()
	synctest.Wait()
	r := s.Request(id)
	if r.Decision == nil {
		return string(r.Status)
	}
	return string(r.Decision.Verdict) + " via " + r.Decision.Via
}

// hears is the next thing that the satellite says.
func (s *rig) hears(want string) fakehass.Spoken {
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

func (s *rig) silent(d time.Duration) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), d)
	defer cancel()
	if said, ok := s.puck.Next(ctx); ok {
		s.Errorf("it says %+v", said)
	}
}

// says answers as soon as the satellite listens.
func (s *rig) says(text string) {
	s.Helper()
	for range 100 {
		if s.puck.Answer(text) {
			synctest.Wait()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Fatalf("the satellite does not listen for %q", text)
}

// ring is the light as a person sees it.
func (s *rig) ring() string {
	synctest.Wait()
	state := s.server.State(s.puck.Ring)
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

func (s *rig) volume() float64 {
	v, _ := s.server.State(s.puck.Player).Attributes["volume_level"].(float64)
	return v
}

// pass lets time pass in the bubble.
func (s *rig) pass(d time.Duration) { time.Sleep(d) }

func (s *rig) eventually(what string, ok func() bool) {
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
