// Package relay speaks the wire of Prompt Relay, so that its hook scripts,
// phones and devices work with nod by changing one address. Both sides of the
// wire end here: what a hook posts becomes a request of nod, and what waits in
// nod is shown to Prompt Relay's clients and answered by them.
package relay

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/auth"
	wire "nod/internal/net/push"
	"nod/internal/present/words"
)

// What the original takes when nothing else is said.
const (
	DefaultTimeout = 120 * time.Second
	DefaultCleanup = 300 * time.Second
	DefaultRooms   = 10
	defaultDevices = 4
	roomIdle       = time.Hour // after which an empty room is forgotten
	sweepEvery     = time.Minute
)

// Keys admits whoever shows a token: auth.Keeper.
type Keys interface {
	Admit(ctx context.Context, text, via string) (in context.Context, who nod.Actor, leave func(), err error)
}

// Tokens tells which room a token was made for: auth.Vault.
type Tokens interface {
	Get(ctx context.Context, id string) (auth.Token, error)
}

// WebPush sends one message to one browser: push.Sender.
type WebPush interface {
	Send(ctx context.Context, to wire.Subscription, m wire.Message) wire.Result
}

// APNs sends one notification to one Apple device. gone means that it will never
// take one again.
type APNs interface {
	Send(ctx context.Context, n Notification) (gone bool, err error)
}

// Notification is what APNs is asked to deliver.
type Notification struct {
	Token      string
	Watch      bool // the token is a watch's: its topic is another
	Background bool // content-available, with low priority
	CollapseID string
	Expires    time.Time // zero: not said
	Payload    []byte
}

// Options are what the surface is built on.
type Options struct {
	Hub      *hub.Hub
	Keys     Keys
	Tokens   Tokens
	Share    []string // rooms that see nod's own requests, as keys without a room do
	AnyKey   bool     // any key of 8 to 128 characters opens a room of its own
	Timeout  time.Duration
	Cleanup  time.Duration
	MaxRooms int    // with AnyKey: how many rooms there are at most
	Devices  string // the file that keeps the devices to be notified; empty: none is kept
	Home     string // where "/" of the extra listeners leads; empty: nowhere
	CA       []byte // the hub's own CA in PEM, if it has one
	Say      words.Printer

	VAPIDKey func(context.Context) (string, error) // nil: no Web Push
	WebPush  WebPush
	APNs     APNs

	Now func() time.Time
	Log *slog.Logger
}

// Surface is the whole of it.
type Surface struct {
	Options
	link  hub.Link
	from  nod.Seq // where the log is followed from
	slots slots
	seen  seenEvents
	lanes [pushLanes]chan job
	rooms sync.Map // token id → room name: it never changes

	mu      sync.Mutex // over everything below; the hub may be looked at while it is held, never the other way round
	all     map[roomID]*room
	entries map[string]*entry // by the id that clients know
	nods    map[string]*entry // those of them that did not come over this wire
	of      map[nod.RequestID]*entry
	coming  map[nod.RequestID]*entry // being asked just now
	watched watched
	devices *deviceBook
}

// New makes a surface. Doors work at once; news reach clients while Run does.
func New(o Options) *Surface {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Cleanup <= 0 {
		o.Cleanup = DefaultCleanup
	}
	if o.MaxRooms <= 0 {
		o.MaxRooms = DefaultRooms
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Surface{
		Options: o, link: o.Hub.Link("relay"),
		all: map[roomID]*room{}, entries: map[string]*entry{}, nods: map[string]*entry{}, of: map[nod.RequestID]*entry{}, coming: map[nod.RequestID]*entry{},
		devices: openDevices(o.Devices, o.Log),
	}
	for i := range s.lanes {
		s.lanes[i] = make(chan job, pushQueue)
	}
	s.from = s.takeUp()
	return s
}

// TimeoutMillis is what /health tells: how long a request waits if nobody says
// otherwise.
func (s *Surface) TimeoutMillis() int64 { return s.Timeout.Milliseconds() }

// Run follows the log, tells clients and forgets what is old, until ctx ends.
func (s *Surface) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { s.follow(ctx) })
	all.Go(func() { s.sweepNowAndThen(ctx) })
	for _, lane := range s.lanes {
		all.Go(func() { s.send(ctx, lane) })
	}
	all.Wait()
	s.devices.keep()
}
