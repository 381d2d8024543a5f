// Package keyboard is a door for keyboards with four keys that are screens: the
// hub tells what each key shows, the device tells which one was pressed. It
// speaks the wire of T-Keyboard's firmware, and both generations of HTTP that
// its hooks and daemons use. docs/keyboard.md describes it.
package keyboard

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Icons makes pictures of keys. Name has made the picture when it returns,
// because a device that waits for one restarts itself; an empty name means text.
type Icons interface {
	Name(label, emoji, colour string) string
	Bytes(name string) ([]byte, bool)
}

// Suggest is what the keys offer for an agent: what waits first.
type Suggest func(agent *nod.Agent, pending []*nod.Request, last *nod.Turn, most int) []Key

// Type types a text into the window that is in front, and sends it. STOP and
// BACKGROUND are keys.
type Type func(ctx context.Context, text string) error

// Keys admits whoever shows a token: auth.Keeper.
type Keys interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Options are what the surface is built on.
type Options struct {
	Hub      *hub.Hub
	Keys     Keys
	Gate     *httpd.Gate         // of the hub's port
	Icons    Icons               // nil: keys show text
	Suggest  Suggest             // nil: Plain
	Pressed  func(nod.AgentID)   // is told first when one of an agent's keys was pressed; may be nil
	File     string              // keeps who was admitted; empty: nothing is kept
	Own      func() []netip.Addr // the addresses of this machine; nil: httpd.OwnAddresses
	Session  bool                // the fourth key always tells whose keys these are
	Type     Type                // what nothing else reaches is typed; nil: it is not
	Patience time.Duration       // how long a gentle stop waits; 0: two minutes
	Most     int                 // keyboards at once; 0: 128
	Say      words.Printer
	Now      func() time.Time
	Log      *slog.Logger
}

const (
	mostUsual     = 128
	usualPatience = 2 * time.Minute
)

// Surface is the whole of it.
type Surface struct {
	Options
	started time.Time
	book    *savedState

	mu       sync.Mutex // over everything below; the hub is never called while it is held
	boards   map[string]*keyboard
	frame    int64 // the newest number that was given to a frame
	hooks    hookState
	custom   *buttons
	inputs   inputs
	pictures map[string]bool // that were asked for by HTTP
	stopping chan struct{}   // a gentle stop was begun, or ended
}

// New makes a surface. Doors work at once; gentle stops end while Run does.
func New(o Options) *Surface {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Suggest == nil {
		o.Suggest = Plain(o.Say)
	}
	if o.Own == nil {
		o.Own = httpd.OwnAddresses
	}
	if o.Patience == 0 {
		o.Patience = usualPatience
	}
	if o.Most == 0 {
		o.Most = mostUsual
	}
	s := &Surface{
		Options: o, started: o.Now(), boards: map[string]*keyboard{}, pictures: map[string]bool{}, stopping: make(chan struct{}, 1),
		book: openBook(o.File, o.Log),
	}
	s.book.edit(func(k *kept) {
		if k.Session == "" {
			k.Session = "tk-" + strconv.FormatInt(o.Now().Unix(), 10) + "-" + strconv.Itoa(os.Getpid())
		}
	})
	return s
}

// Refresh lets every keyboard look again at what its keys should show.
func (s *Surface) Refresh() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.boards {
		k.poke()
	}
}

// keyboard is one device, over all of its connections.
type keyboard struct {
	id, address string
	passing     bool      // it is known while it is connected, and then forgotten
	actor       nod.Actor // who presses; nobody before it was admitted
	let         admission // by whom, if by a code
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

func (k *keyboard) poke() {
	if c := k.newest(); c != nil {
		c.poke()
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
