package hass_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/net/hass/fakehass"
)

// rig is a client of a fake Home Assistant, in a synctest bubble.
type rig struct {
	*testing.T
	house  *fakehass.Server
	client *hass.Client
	log    bytes.Buffer
	token  string
	ups    chan context.Context
}

func inHouse(t *testing.T, f func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, house: fakehass.New("secret-token"), token: "secret-token", ups: make(chan context.Context, 100)}
		wire := r.house.Connect()
		var err error
		r.client, err = hass.New(hass.Options{
			URL: wire.URL, HTTP: wire.Client, Token: func() (string, error) { return r.token, nil }, Log: slog.New(slog.NewTextHandler(&r.log, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			r.client.Run(ctx, func(ctx context.Context) { r.ups <- ctx; <-ctx.Done() })
		}()
		synctest.Wait()
		f(r)
		cancel()
		<-done
		r.house.Drop()
		wire.Close()
		synctest.Wait()
		if strings.Contains(r.log.String(), "secret-token") {
			t.Error("the token is in the log")
		}
	})
}

func TestRegistriesAndActions(t *testing.T) {
	inHouse(t, func(r *rig) {
		p := r.house.VoicePE("09f5a3", true)
		entities, err := r.client.Entities(r.Context())
		if err != nil || len(entities) != 4 || entities[0].ID != p.Satellite || entities[0].Device != "device_09f5a3" {
			r.Fatalf("%+v %v", entities, err)
		}
		devices, err := r.client.Devices(r.Context())
		if err != nil || len(devices) != 1 || devices[0].Called() != p.Name {
			r.Fatalf("%+v %v", devices, err)
		}
		if _, err := r.client.Call(r.Context(), hass.Action{Domain: "light", Name: "turn_on", Entity: p.Ring, Data: map[string]any{"rgb_color": []int{255, 0, 0}}}); err != nil {
			r.Fatal(err)
		}
		states, err := r.client.States(r.Context())
		if err != nil || len(states) != 4 {
			r.Fatalf("%+v %v", states, err)
		}
		for _, s := range states {
			if s.Entity == p.Ring && s.State != "on" {
				r.Errorf("%+v", s)
			}
		}
		if r.client.Version() != "2026.2.0" {
			r.Errorf("version %q", r.client.Version())
		}
	})
}

func TestWaitingCallDoesNotBlockOthers(t *testing.T) {
	inHouse(t, func(r *rig) {
		p := r.house.VoicePE("09f5a3", true)
		type answer struct {
			text string
			err  error
		}
		got := make(chan answer, 1)
		go func() {
			raw, err := r.client.Call(r.Context(), hass.Action{Domain: "assist_satellite", Name: "ask_question", Response: true, Patience: time.Minute,
				Data: map[string]any{"entity_id": p.Satellite, "question": "Run make?", "answers": []map[string]any{{"id": "yes", "sentences": []string{"yes"}}}}})
			got <- answer{string(raw), err}
		}()
		time.Sleep(2 * time.Second)
		if err := r.client.Ping(r.Context()); err != nil {
			r.Errorf("nothing else is answered meanwhile: %v", err)
		}
		if !p.Answer("Yes.") {
			r.Fatal("nobody listens")
		}
		if a := <-got; a.err != nil || !strings.Contains(a.text, `"id":"yes"`) || !strings.Contains(a.text, `"sentence":"Yes."`) {
			r.Errorf("%+v", a)
		}
	})
}

func TestKindsOfFailures(t *testing.T) {
	inHouse(t, func(r *rig) {
		p := r.house.VoicePE("09f5a3", true)
		call := func(name string) error {
			_, err := r.client.Call(r.Context(), hass.Action{Domain: "assist_satellite", Name: name, Entity: p.Satellite})
			return err
		}
		for _, c := range []struct {
			code, message       string
			want                nod.Code
			unanswered, refused bool
		}{
			{"home_assistant_error", "", nod.Unavailable, false, true},
			{"home_assistant_error", "No answer from question", nod.Unavailable, true, false},
			{"not_found", "Service not found", nod.NotFound, false, false},
			{"unauthorized", "Unauthorized", nod.Forbidden, false, false},
			{"invalid_format", "extra keys", nod.Unprocessable, false, false},
		} {
			r.house.Break("assist_satellite.announce", c.code, c.message)
			err := call("announce")
			if nod.CodeOf(err) != c.want || hass.Unanswered(err) != c.unanswered || hass.Refused(err) != c.refused {
				r.Errorf("%+v: %v", c, err)
			}
			if c.message != "" && strings.Contains(nod.MessageOf(err), c.message) {
				r.Errorf("a person reads what Home Assistant wrote: %v", nod.MessageOf(err))
			}
		}
	})
}

func TestStatesWithoutAGap(t *testing.T) {
	inHouse(t, func(r *rig) {
		p := r.house.VoicePE("09f5a3", true)
		p.Press("long_press") // before the first read
		type seen struct {
			what  string
			known bool
		}
		news := make(chan seen, 10)
		ctx, cancel := context.WithCancel(r.Context())
		err := r.client.Follow(ctx, []string{p.Button}, func(s hass.State, known bool) { news <- seen{s.Text("event_type"), known} })
		if err != nil {
			r.Fatal(err)
		}
		p.Press("double_press")
		if first := <-news; first != (seen{"long_press", false}) {
			r.Errorf("first %+v", first)
		}
		if next := <-news; next != (seen{"double_press", true}) {
			r.Errorf("then %+v", next)
		}
		cancel()
		synctest.Wait()
		p.Press("long_press")
		synctest.Wait()
		if len(news) > 0 {
			r.Error("it is told after its end")
		}
	})
}

func TestReconnect(t *testing.T) {
	inHouse(t, func(r *rig) {
		first := <-r.ups
		r.house.Drop()
		<-first.Done()
		if err := r.client.Ping(r.Context()); nod.CodeOf(err) != nod.Unavailable {
			r.Errorf("without a connection: %v", err)
		}
		<-r.ups
		if err := r.client.Ping(r.Context()); err != nil {
			r.Error(err)
		}
	})
}

func TestCallEndsWithItsConnection(t *testing.T) {
	inHouse(t, func(r *rig) {
		p := r.house.VoicePE("09f5a3", true)
		failed := make(chan error, 1)
		go func() {
			_, err := r.client.Call(r.Context(), hass.Action{Domain: "assist_satellite", Name: "ask_question", Response: true, Patience: time.Hour, Data: map[string]any{"entity_id": p.Satellite}})
			failed <- err
		}()
		time.Sleep(2 * time.Second)
		r.house.Drop()
		if err := <-failed; nod.CodeOf(err) != nod.Unavailable {
			r.Errorf("%v", err)
		}
	})
}

// A connection that died silently is found by a ping.
func TestSilentConnectionIsClosed(t *testing.T) {
	inHouse(t, func(r *rig) {
		first := <-r.ups
		r.house.Deafen(true)
		time.Sleep(time.Minute)
		if first.Err() == nil {
			r.Error("it still believes in the connection")
		}
		r.house.Deafen(false)
		time.Sleep(time.Minute)
		if !r.client.Connected() {
			r.Error("it did not come back")
		}
	})
}

// Home Assistant bans clients that keep sending a wrong token.
func TestWrongTokenIsSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		house := fakehass.New("new")
		wire := house.Connect()
		var token atomic.Value
		token.Store("old")
		client, err := hass.New(hass.Options{URL: wire.URL, HTTP: wire.Client, Token: func() (string, error) { return token.Load().(string), nil }})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			client.Run(ctx, func(ctx context.Context) { <-ctx.Done() })
		}()
		time.Sleep(time.Hour)
		if n := house.Refusals(); n != 1 {
			t.Errorf("shown %d times", n)
		}
		token.Store("new")
		time.Sleep(time.Minute)
		if !client.Connected() {
			t.Error("a new token is not tried")
		}
		cancel()
		<-done
		house.Drop()
		wire.Close()
	})
}

func TestAddresses(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://homeassistant.local:8123": true, "https://ha.example.org/": true, "wss://ha.example.org/api/websocket": true, "ws://127.0.0.1:1/proxy": true,
		"": false, "homeassistant.local:8123": false, "ftp://x": false, "http://user:pass@x": false, "http://x?token=1": false, "http://": false,
	} {
		if _, err := hass.New(hass.Options{URL: text}); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestInvalidTokenIsNotSent(t *testing.T) {
	for name, read := range map[string]func() (string, error){
		"empty":     func() (string, error) { return " \n", nil },
		"two lines": func() (string, error) { return "a\nb", nil },
		"a book":    func() (string, error) { return strings.Repeat("a", 5000), nil },
		"no file":   func() (string, error) { return "", errors.New("no such file") },
	} {
		synctest.Test(t, func(t *testing.T) {
			house := fakehass.New("x")
			wire := house.Connect()
			client, err := hass.New(hass.Options{URL: wire.URL, HTTP: wire.Client, Token: read})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			client.Run(ctx, func(context.Context) {})
			if house.Refusals() > 0 {
				t.Errorf("%s: it was shown", name)
			}
			wire.Close()
		})
	}
}

// A caller that gives up midway does not affect the others.
func TestCancelledCallLeavesTheConnection(t *testing.T) {
	inHouse(t, func(r *rig) {
		first := <-r.ups
		gone, cancel := context.WithCancel(r.Context())
		cancel()
		if _, err := r.client.Call(gone, hass.Action{Domain: "light", Name: "turn_on"}); err == nil {
			r.Error("a call of nobody was made")
		}
		if err := r.client.Ping(r.Context()); err != nil || first.Err() != nil {
			r.Errorf("the connection is gone: %v", err)
		}
	})
}
