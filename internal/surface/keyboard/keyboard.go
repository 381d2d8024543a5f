// Package keyboard serves keyboards with four keys that are screens: the hub says what
// each key shows, the device says which one was pressed. It speaks the wire of
// T-Keyboard's firmware, and both generations of HTTP that its hooks and daemons use.
// docs/keyboard.md describes it.
package keyboard

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
	"nod/internal/sys/applescript"
)

// Needs is what the surface needs of others.
type Needs struct {
	Credentials Credentials
	Gate        *httpd.Gate // of the hub's port
	// Advise suggests keys for an agent; nil: advise.All. Refresh shows what has
	// changed since.
	Advise  func(advise.Situation) []advise.Suggestion
	Pressed func(nod.AgentID) // called before a press of one of the agent's keys acts; may be nil
	// AgentKeys are the keys that an agent set for itself, and when: Label, Emoji and the
	// text in Do.Say count. AgentKeysChanged signals changes until stop is called. Both
	// may be nil.
	AgentKeys        func(nod.AgentID) ([]Key, time.Time)
	AgentKeysChanged func() (changed <-chan struct{}, stop func())
}

// Credentials admits callers that show a token: *auth.Credentials.
type Credentials interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Surface serves all keyboards.
type Surface struct {
	Config
	adapter.Deps
	Needs
	started  time.Time
	saved    *savedState
	boards   *registry
	pictures *pictures
	programs *programs
	inputs   *inputs
	stops    *stops
	typeText func(ctx context.Context, text string) error // into the front window, where nothing else reaches the agent; nil: never
}

// New makes a surface. Its endpoints work at once; gentle stops end while Run runs.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	if n.Advise == nil {
		n.Advise = advise.All
	}
	saved := openSaved(d.File("keyboards.json"), d.Log)
	boards := &registry{Deps: d, saved: saved, own: httpd.OwnAddresses, byID: map[string]*keyboard{}}
	s := &Surface{
		Config: c, Deps: d, Needs: n, started: d.Now(), saved: saved, boards: boards, pictures: openPictures(d),
		programs: &programs{now: d.Now, heard: map[nod.AgentID]time.Time{}}, inputs: &inputs{now: d.Now},
		stops: &stops{Deps: d, saved: saved, refresh: boards.refresh, changed: make(chan struct{}, 1)},
	}
	if c.AppleScript && runtime.GOOS == "darwin" {
		s.typeText = applescript.Type
	}
	_ = saved.edit(func(f *savedFile) { // it logs what it could not write
		if f.Session == "" {
			f.Session = "tk-" + strconv.FormatInt(d.Now().Unix(), 10) + "-" + strconv.Itoa(os.Getpid())
		}
	})
	return s
}

// Health reports that admissions will not survive a restart.
func (s *Surface) Health() error { return s.saved.health() }

// Listeners are the addresses where the firmware connects: first that of the
// original's bridge, then that of its MCP server. The firmware speaks no TLS and has no
// token, so what it may do depends on its admission; callers with a token should use
// the hub's own port.
func (s *Surface) Listeners() []adapter.Listener {
	var list []adapter.Listener
	for i, address := range s.Listen {
		service := "tkeyboard-bridge"
		if i > 0 {
			service = "tkeyboard-mcp"
		}
		list = append(list, adapter.Listener{
			Setting: "keyboard.listen", Address: address, Handler: s.Handler(), Plain: true, Service: service,
			Hosts: []string{"tkeyboard-bridge.local", "tkeyboard-mcp.local"},
		})
	}
	return list
}

// Routes are the endpoints on the hub's own port: administration, and a keyboard for
// callers with a token and for browsers that are signed in.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		// Open, because a browser cannot send a header with a WebSocket: its first message
		// says who it is.
		{Method: "GET", Path: "/v1/keyboard", Open: true, Handle: s.serveSignedIn},
		{Method: "GET", Path: "/v1/keyboard/images/{name}", Right: nod.View, What: "see pictures of keys", Handle: func(w http.ResponseWriter, r *http.Request) error {
			(&call{Surface: s, w: w, r: r}).picture()
			return nil
		}},
		{Method: "GET", Path: "/v1/keyboards", Right: nod.View, What: "see the keyboards", Handle: s.boards.list},
		{Method: "POST", Path: "/v1/keyboards/{id}/admit", Right: nod.Admin, What: "admit keyboard", Body: 4096, Handle: s.boards.admit},
		{Method: "POST", Path: "/v1/keyboards/{id}/bind", Right: nod.Answering, What: "bind keyboard", Body: 4096, Handle: s.boards.serveBind},
		{Method: "DELETE", Path: "/v1/keyboards/{id}", Right: nod.Admin, What: "revoke keyboard", Handle: s.boards.revoke},
	}
}

// Refresh lets every keyboard look again at what its keys should show.
func (s *Surface) Refresh() { s.boards.refresh() }

// Run ends gentle stops until ctx ends, and shows the keys that agents set for
// themselves.
func (s *Surface) Run(ctx context.Context) {
	var stops sync.WaitGroup
	defer stops.Wait()
	stops.Go(func() { s.stops.run(ctx) })
	if s.AgentKeysChanged == nil {
		return
	}
	changed, stop := s.AgentKeysChanged()
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			s.Refresh()
		}
	}
}
