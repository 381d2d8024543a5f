package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/sqlite"
	"nod/internal/net/auth"
	"nod/internal/present/draw/icon"
	"nod/internal/surface/keyboard"
	"nod/internal/surface/keyboard/fakekeyboard"
)

const (
	presses    = 100
	iconsDrawn = 40
	keyboards  = 50
)

// desk is a hub on a real disk with keyboards that have real pictures.
type desk struct {
	*testing.B
	hub    *hub.Hub
	keeper *auth.Credentials
	icons  *icon.Cache
	url    string
	ahead  atomic.Int64 // how far its clock is ahead: a key that has just changed ignores presses, and the benchmark does not wait
	asked  int
}

func (d *desk) now() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }

func newDesk(b *testing.B) *desk {
	b.Helper()
	dir := temp(b)
	store, err := sqlite.Open(b.Context(), filepath.Join(dir, "nod.db"))
	if err != nil {
		b.Fatal(err)
	}
	h, err := hub.Open(b.Context(), store, hub.Options{})
	if err != nil {
		b.Fatal(err)
	}
	icons, err := icon.OpenCache(filepath.Join(dir, "icons"), icon.Options{})
	if err != nil {
		b.Fatal(err)
	}
	d := &desk{B: b, hub: h, keeper: auth.NewCredentials(store, time.Now, nil), icons: icons}
	s := keyboard.New(keyboard.Config{}, adapter.Deps{Deps: hub.Deps{Hub: h, Now: d.now}, Data: dir}, keyboard.Needs{Credentials: d.keeper})
	server := httptest.NewServer(s.Handler())
	d.url = server.URL
	b.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		_ = h.Close(context.Background())
		_ = store.Close()
	})
	err = h.Link("bench").Report(b.Context(), hub.Agent("shop", func(a *nod.Agent, at time.Time) {
		a.Name = "shop"
		a.Enter(nod.AgentWorking, at)
	}))
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func (d *desk) board(name string) *fakekeyboard.Board {
	d.Helper()
	maker := nod.Actor{Name: "bench", Rights: nod.RightsOf(nod.View, nod.Answering, nod.Admin)}
	secret, _, err := d.keeper.Create(d.Context(), maker, name, nod.RightsOf(nod.View, nod.Answering), "")
	if err != nil {
		d.Fatal(err)
	}
	b := fakekeyboard.New(fakekeyboard.Options{
		Host: strings.TrimPrefix(d.url, "http://"), Images: d.url, Now: d.now, Header: http.Header{"Authorization": {"Bearer " + secret.Reveal()}},
	})
	if err := b.Connect(d.Context()); err != nil {
		d.Fatal(err)
	}
	d.Cleanup(b.Drop)
	return b
}

// ask raises a request, and the time from there is what a keyboard takes to show it.
func (d *desk) ask() (id nod.RequestID, at time.Time) {
	d.Helper()
	d.asked++
	id = nod.RequestID(fmt.Sprintf("r%d.", d.asked))
	at = time.Now()
	_, err := d.hub.Link("bench").Ask(d.Context(), nod.Request{
		ID: id, Agent: nod.AgentRef{ID: "shop"}, Kind: nod.KindApproval, OneTap: true, Title: string(id), Input: []byte(`{}`), Risk: &nod.Risk{Level: "write"},
	})
	if err != nil {
		d.Fatal(err)
	}
	return id, at
}

// shows waits until the fourth screen shows a request, which is drawn after the names.
func shows(b *fakekeyboard.Board, id nod.RequestID) {
	until(b, func() bool { return strings.HasSuffix(b.Screens()[3].Content, string(id)) })
}

func until(b *fakekeyboard.Board, done func() bool) {
	for changed := b.Changed(); !done(); changed = b.Changed() {
		<-changed
	}
}

// BenchmarkKeyboard is a keyboard with pictures: it shows what is asked, and a
// press is a decision on the disk.
func BenchmarkKeyboard(b *testing.B) {
	heading(b, fmt.Sprintf("a keyboard with pictures, its firmware simulated, %d presses (SQLite)", presses))
	d := newDesk(b)
	one := d.board("desk")
	link := d.hub.Link("bench")
	var shown, decided sample
	for range presses {
		id, at := d.ask()
		shows(one, id)
		shown = append(shown, time.Since(at))
		d.ahead.Add(int64(5 * time.Second))
		at = time.Now()
		if !one.Press(1) {
			b.Fatal("the press was not sent")
		}
		<-link.Settled(id)
		decided = append(decided, time.Since(at))
	}
	absolute(b, "press-ms", "a press until its decision is committed, p50", decided.median().Seconds()*1000, "ms", atMost(5))
	absolute(b, "shown-ms", "a new request until its pictures are named on the wire, p50", shown[1:].median().Seconds()*1000, "ms", atMost(20))
	d.drawIcons()
	d.crowd()
}

// drawIcons draws pictures that are not in the cache.
func (d *desk) drawIcons() {
	d.Helper()
	var drawn, again sample
	for i := range iconsDrawn {
		spec := icon.Spec{Emoji: "🚀", Label: fmt.Sprintf("Key %d", i)}
		for _, into := range []*sample{&drawn, &again} {
			at := time.Now()
			if _, _, err := d.icons.Icon(spec); err != nil {
				d.Fatal(err)
			}
			*into = append(*into, time.Since(at))
		}
	}
	absolute(d.B, "icon-ms", "a new picture drawn and kept, p50", drawn.median().Seconds()*1000, "ms", atMost(15))
	tell("%-58s %9.3f ms", "the same again, from the cache, p50", again.median().Seconds()*1000)
}

// crowd is many keyboards that show the same request; all press, and one wins.
func (d *desk) crowd() {
	d.Helper()
	var all []*fakekeyboard.Board
	for i := range keyboards {
		all = append(all, d.board(fmt.Sprintf("keys %d", i)))
	}
	var shown, decided sample
	for range 10 {
		for _, b := range all {
			until(b, func() bool { return b.Screens()[0].Words() != "Yes" })
		}
		id, at := d.ask()
		for _, b := range all { // the fourth screen may still say who was too late
			until(b, func() bool { return b.Screens()[0].Words() == "Yes" })
		}
		shown = append(shown, time.Since(at))
		d.ahead.Add(int64(5 * time.Second))
		at = time.Now()
		for _, b := range all {
			b.Press(1)
		}
		<-d.hub.Link("bench").Settled(id)
		decided = append(decided, time.Since(at))
	}
	tell("%-58s %9.1f ms", fmt.Sprintf("a new request on all of %d keyboards, p50", keyboards), shown[1:].median().Seconds()*1000)
	tell("%-58s %9.1f ms", fmt.Sprintf("%d presses at once until one has decided, p50", keyboards), decided[1:].median().Seconds()*1000)
}
