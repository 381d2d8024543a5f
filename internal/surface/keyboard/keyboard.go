// Package keyboard serves keyboards with four keys that are screens: the hub says what
// each key shows, the device says which one was pressed. It speaks the wire of
// T-Keyboard's firmware, and both generations of HTTP that its hooks and daemons use.
// docs/keyboard.md describes it.
package keyboard

import (
	"context"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/present/advise"
	"nod/internal/present/draw/icon"
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
	// AgentKeys are the keys that an agent set for itself, of which Label and Emoji
	// count, and AgentKeysChanged signals changes until stop is called. Both may be nil.
	AgentKeys        func(nod.AgentID) []Key
	AgentKeysChanged func() (changed <-chan struct{}, stop func())
}

// Credentials admits callers that show a token: *auth.Credentials.
type Credentials interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// icons makes pictures of keys. Name has made the picture when it returns, because a
// device that waits for one restarts itself; an empty name means text.
type icons interface {
	Name(label, emoji, colour string) string
	Bytes(name string) ([]byte, bool)
}

const (
	mostKeyboards = 128
	patience      = 2 * time.Minute // how long a gentle stop waits
)

// Surface serves all keyboards.
type Surface struct {
	Config
	adapter.Deps
	Needs
	started  time.Time
	saved    *savedState
	icons    icons                                        // nil: keys show text
	own      func() []netip.Addr                          // the addresses of this machine
	typeText func(ctx context.Context, text string) error // into the front window, where nothing else reaches the agent; nil: never

	mu       sync.Mutex // over everything below; the hub is never called while it is held
	boards   map[string]*keyboard
	frame    int64 // the newest number that was given to a frame
	hooks    hookState
	custom   *buttons
	inputs   inputs
	pictures map[string]bool // that were asked for by HTTP
	stopping chan struct{}   // a gentle stop has begun or ended
}

// New makes a surface. Its endpoints work at once; gentle stops end while Run runs.
func New(c Config, d adapter.Deps, n Needs) *Surface {
	d.Fill()
	if n.Advise == nil {
		n.Advise = advise.All
	}
	s := &Surface{
		Config: c, Deps: d, Needs: n, started: d.Now(), own: httpd.OwnAddresses, saved: openSaved(d.File("keyboards.json"), d.Log),
		boards: map[string]*keyboard{}, pictures: map[string]bool{}, stopping: make(chan struct{}, 1),
	}
	if c.AppleScript && runtime.GOOS == "darwin" {
		s.typeText = applescript.Type
	}
	s.openIcons()
	_ = s.saved.edit(func(f *savedFile) { // it logs what it could not write
		if f.Session == "" {
			f.Session = "tk-" + strconv.FormatInt(d.Now().Unix(), 10) + "-" + strconv.Itoa(os.Getpid())
		}
	})
	return s
}

// openIcons keeps pictures on the disk; where nothing is kept, keys show text.
func (s *Surface) openIcons() {
	dir := s.File(filepath.Join("cache", "icons"))
	if dir == "" {
		return
	}
	full := func(f icon.Fill) {
		s.Log.Warn("the place for pictures of keys is almost full; the oldest are drawn anew", "pictures", f.Pictures, "used", f.Used, "limit", f.Limit)
	}
	cache, err := icon.OpenCache(dir, icon.Options{Warn: full})
	if err != nil {
		s.Log.Warn("keys show text: there is no place for pictures", "err", err)
		return
	}
	s.icons = icon.LoggedCache{Cache: cache, Log: s.Log}
}

// Health says that admissions will not survive a restart.
func (s *Surface) Health() error { return s.saved.health() }

// Listeners are the addresses where the firmware connects: first that of the
// original's bridge, then that of its MCP server. The firmware speaks no TLS and shows
// no token: what it may do rests on its admission, and what takes a token should be
// asked on the hub's own port.
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

// Refresh lets every keyboard look again at what its keys should show.
func (s *Surface) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.boards {
		k.wake()
	}
}

// keyboard is one device, over all of its connections.
type keyboard struct {
	id, address string
	temporary   bool      // it is known while it is connected, and then forgotten
	actor       nod.Actor // who presses; nobody before it was admitted
	admission   admission // by whom, if by a code
	code        string    // what its keys show until then
	codeEnds    time.Time
	wrong       int     // codes that did not fit
	conns       []*conn // newest last: that one is the keyboard
	frames      []frame // newest last
	pin         nod.AgentID
	shown       nod.AgentID
	page        int
	paged       string // what the page belongs to
	note        *note
}

// note is a word on the fourth key.
type note struct {
	key  Key
	good bool
	ends time.Time
}

func (k *keyboard) admitted() bool { return k.actor.Can(nod.Answering) }

func (k *keyboard) newest() *conn {
	if len(k.conns) == 0 {
		return nil
	}
	return k.conns[len(k.conns)-1]
}

func (k *keyboard) wake() {
	if c := k.newest(); c != nil {
		c.wake()
	}
}

// connected reports whether a keyboard is there that can be pressed.
func (s *Surface) connected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.boards {
		if k.admitted() && k.newest() != nil {
			return true
		}
	}
	return false
}
