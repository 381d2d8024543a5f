package screen

import (
	"context"
	"encoding/json"
	"image"
	"sync"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/present/draw"
)

const (
	writeTime = 20 * time.Second // longer than that a device is dead, not slow
	beatEvery = 15 * time.Second
	keepShown = 64 // frames that a press may still name
	keepNotes = 8
)

// stage sends pictures. There is no queue: a slow device gets the newest picture when
// it is ready for it.
type stage struct {
	conn  *websocket.Conn
	hello *Hello
	now   func() time.Time
	drawn func(nod.RequestID) // a request was shown
	ready chan struct{}

	mu    sync.Mutex
	next  *pendingFrame
	notes []Note
	shown []shown // newest last
}

// pendingFrame is a scene that has not been sent yet.
type pendingFrame struct {
	scene   draw.Scene
	picture draw.Picture
	offer   *offer
}

// shown is a scene that was shown under a number.
type shown struct {
	number uint32
	scene  draw.Scene
	since  time.Time // since when its request is on the screen
	offer  *offer    // what its buttons say, if they do
}

func newStage(conn *websocket.Conn, hello *Hello, now func() time.Time, drawn func(nod.RequestID)) *stage {
	return &stage{conn: conn, hello: hello, now: now, drawn: drawn, ready: make(chan struct{}, 1)}
}

// show sends a scene. It replaces one that has not been sent yet.
func (g *stage) show(scene draw.Scene, hold float64, o *offer) {
	g.mu.Lock()
	g.next = &pendingFrame{scene, draw.Paint(scene, hold), o}
	g.mu.Unlock()
	g.wake()
}

// tell sends a note. If the device does not read, the oldest notes are dropped.
func (g *stage) tell(n Note) {
	g.mu.Lock()
	if g.notes = append(g.notes, n); len(g.notes) > keepNotes {
		g.notes = g.notes[1:]
	}
	g.mu.Unlock()
	g.wake()
}

func (g *stage) wake() {
	select {
	case g.ready <- struct{}{}:
	default:
	}
}

func (g *stage) take() (*pendingFrame, []Note) {
	g.mu.Lock()
	defer g.mu.Unlock()
	next, notes := g.next, g.notes
	g.next, g.notes = nil, nil
	return next, notes
}

// run sends until ctx ends or the device stops reading.
func (g *stage) run(ctx context.Context) error {
	var last draw.Picture
	if g.hello.Spare {
		lost := draw.Paint(draw.Disconnected(g.hello.printer(), g.hello.size(), ""), 0)
		if err := g.picture(ctx, 0, lost, []image.Rectangle{lost.Rect}, flagSpare); err != nil {
			return err
		}
	}
	for number := uint32(1); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-g.ready:
		}
		next, notes := g.take()
		for _, n := range notes {
			if err := g.note(ctx, n); err != nil {
				return err
			}
		}
		if next == nil {
			continue
		}
		var flags byte
		if last.Paletted == nil {
			flags = flagWhole
		}
		dirty := draw.Dirty(last, next.picture)
		if len(dirty) == 0 && g.means(next) {
			continue // nothing changed
		}
		g.remember(number, next)
		if err := g.picture(ctx, number, next.picture, dirty, flags); err != nil {
			return err
		}
		if next.scene.Request != "" {
			g.drawn(next.scene.Request)
		}
		last = next.picture
		number++
	}
}

// means reports whether a press on what is shown does the same as on this scene.
func (g *stage) means(next *pendingFrame) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.shown) == 0 {
		return false
	}
	last, s := &g.shown[len(g.shown)-1], &next.scene
	return last.scene.Kind == s.Kind && last.scene.Request == s.Request && last.scene.Same(s) && last.offer == next.offer
}

// remember keeps a scene before it is sent, because a press may come at once.
func (g *stage) remember(number uint32, next *pendingFrame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	since, s := g.now(), &next.scene
	if n := len(g.shown); n > 0 && g.shown[n-1].scene.Request == s.Request && g.shown[n-1].scene.Kind == s.Kind && g.shown[n-1].offer == next.offer {
		since = g.shown[n-1].since
	}
	if g.shown = append(g.shown, shown{number, *s, since, next.offer}); len(g.shown) > keepShown {
		g.shown = g.shown[1:]
	}
}

// find is the scene that was shown under a number.
func (g *stage) find(number uint32) (shown, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.shown {
		if s.number == number {
			return s, true
		}
	}
	return shown{}, false
}

func (g *stage) picture(ctx context.Context, number uint32, p draw.Picture, dirty []image.Rectangle, flags byte) error {
	list, err := parts(g.hello, number, p, dirty, flags)
	if err != nil {
		return err
	}
	for _, one := range list {
		kind, message := websocket.MessageBinary, one.binary()
		if g.hello.Text {
			if message, err = one.text(); err != nil {
				return err
			}
			kind = websocket.MessageText
		}
		if err := g.write(ctx, kind, message); err != nil {
			return err
		}
	}
	return nil
}

func (g *stage) note(ctx context.Context, n Note) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return g.write(ctx, websocket.MessageText, text)
}

func (g *stage) write(ctx context.Context, kind websocket.MessageType, message []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return g.conn.Write(ctx, kind, message)
}

// beat checks that the device is still there, and tells it that the hub is.
func (g *stage) beat(ctx context.Context) error {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		g.tell(Note{Type: "beat"})
		ping, cancel := context.WithTimeout(ctx, writeTime)
		err := g.conn.Ping(ping)
		cancel()
		if err != nil {
			return err
		}
	}
}
