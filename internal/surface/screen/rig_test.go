package screen

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/store/mem"
	"nod/internal/net/auth"
	"nod/internal/net/httpd"
	pictures "nod/internal/present/draw"
	"nod/internal/present/words"
)

var all = nod.RightsOf(nod.Raise, nod.View, nod.Answering, nod.Admin)

// rig is a hub with this surface, and a clock that is moved by hand.
type rig struct {
	t      *testing.T
	hub    *hub.Hub
	keeper *auth.Credentials
	url    string
	offset atomic.Int64
	begin  time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	store := mem.New()
	h, err := hub.Open(t.Context(), store, hub.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close(context.Background()) })
	g := &rig{t: t, hub: h, keeper: auth.NewCredentials(store, nil, nil), begin: time.Now()}
	gate := &httpd.Gate{Credentials: g.keeper, Allow: func(ctx context.Context, by nod.Actor, right nod.Right, what string) error {
		return h.Desk(by).Allowed(ctx, right, what)
	}}
	log := slog.New(slog.DiscardHandler)
	server := httptest.NewServer(httpd.Mux(gate, log, New(adapter.Deps{Deps: hub.Deps{Hub: h, Now: g.now}, Address: func() string { return "http://desk" }}, Needs{gate}).Routes()...))
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1/screen"
	return g
}

func (g *rig) now() time.Time { return g.begin.Add(time.Duration(g.offset.Load())) }

// pass lets time go by, as far as the surface looks at the clock.
func (g *rig) pass(d time.Duration) { g.offset.Add(int64(d)) }

func (g *rig) token(rights nod.Rights) string {
	g.t.Helper()
	s, _, err := g.keeper.Create(g.t.Context(), nod.Actor{Name: "test", Rights: all}, "kitchen", rights, "")
	if err != nil {
		g.t.Fatal(err)
	}
	return s.Reveal()
}

func (g *rig) raise(id, command, level string) nod.RequestID {
	g.t.Helper()
	link := g.hub.Link("test")
	err := link.Report(g.t.Context(), hub.Agent("a", func(a *nod.Agent, _ time.Time) {
		a.Kind, a.Name, a.Host, a.State = "claude", "shop", "desk", nod.AgentWorking
	}))
	if err == nil {
		_, err = link.Ask(g.t.Context(), nod.Request{
			ID: nod.RequestID(id), Agent: nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, Kind: nod.KindApproval, Tool: "Bash",
			Title: command, Display: command, OneTap: true, Risk: &nod.Risk{Level: level}, Input: json.RawMessage(`{}`),
		})
	}
	if err != nil {
		g.t.Fatal(err)
	}
	return nod.RequestID(id)
}

func (g *rig) request(id nod.RequestID) *nod.Request {
	g.t.Helper()
	r, err := g.hub.Link("test").Request(g.t.Context(), id)
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// scene is what a device with all rights should show now.
func (g *rig) scene(at pictures.Cursor, note *pictures.Note) pictures.Scene {
	g.t.Helper()
	snap, err := g.hub.Desk(nod.Actor{Rights: all}).Snapshot(g.t.Context())
	if err != nil {
		g.t.Fatal(err)
	}
	s, _ := pictures.Present(pictures.World{
		Snapshot: snap, Now: g.now(), Say: words.In(words.English), Size: pictures.M5Stack, Address: "http://desk", Rights: all, Note: note,
	}, at)
	return s
}

// device is the other end.
type device struct {
	t       *testing.T
	conn    *websocket.Conn
	screen  *image.RGBA
	spare   *image.RGBA
	frame   uint32
	done    bool // the frame is complete
	largest int
	notes   []Note
}

func (g *rig) device(h Hello) *device {
	g.t.Helper()
	d := g.dial(nil)
	h.Type = "hello"
	d.send(h)
	return d
}

func (g *rig) dial(header http.Header) *device {
	g.t.Helper()
	conn, _, err := websocket.Dial(g.t.Context(), g.url, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		g.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	g.t.Cleanup(func() { _ = conn.CloseNow() })
	return &device{t: g.t, conn: conn, screen: image.NewRGBA(image.Rect(0, 0, 320, 240))}
}

func (d *device) send(v any) {
	d.t.Helper()
	text, err := json.Marshal(v)
	if err == nil {
		err = d.conn.Write(d.t.Context(), websocket.MessageText, text)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *device) press(button, kind string, frame uint32) {
	d.send(Press{Button: button, Kind: kind, Frame: frame})
}

// next takes in one message.
func (d *device) next() error {
	ctx, cancel := context.WithTimeout(d.t.Context(), 10*time.Second)
	defer cancel()
	kind, body, err := d.conn.Read(ctx)
	if err != nil {
		return err
	}
	if kind == websocket.MessageText {
		var n Note
		err := json.Unmarshal(body, &n)
		d.notes = append(d.notes, n)
		return err
	}
	return d.draw(body)
}

func (d *device) draw(body []byte) error {
	d.largest = max(d.largest, len(body))
	if len(body) < HeaderLength || body[0] != 'N' || int(binary.BigEndian.Uint32(body[16:])) != len(body)-HeaderLength {
		return errors.New("this is no frame")
	}
	at := func(i int) int { return int(binary.BigEndian.Uint16(body[i:])) }
	box := image.Rect(at(8), at(10), at(8)+at(12), at(10)+at(14))
	onto := d.screen
	if body[2]&flagSpare != 0 {
		d.spare = image.NewRGBA(d.screen.Rect)
		onto = d.spare
	} else {
		d.frame, d.done = binary.BigEndian.Uint32(body[4:]), body[2]&flagLast != 0
	}
	data := body[HeaderLength:]
	switch {
	case len(data) == 0:
	case body[1] == formatPNG:
		p, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			return err
		}
		draw.Draw(onto, box, p, image.Point{}, draw.Src)
	default:
		for i := 0; i < len(data); i += 2 {
			onto.Set(box.Min.X+i/2%box.Dx(), box.Min.Y+i/2/box.Dx(), unpack(data[i], data[i+1]))
		}
	}
	return nil
}

func unpack(high, low byte) color.RGBA {
	v := uint16(high)<<8 | uint16(low)
	return color.RGBA{uint8(v >> 11 << 3), uint8(v >> 5 << 2), uint8(v << 3), 255}
}

// sees reads until the screen shows a scene, and returns its number.
func (d *device) sees(s pictures.Scene) uint32 {
	d.t.Helper()
	return d.seesPicture(pictures.Paint(s, 0))
}

func (d *device) seesPicture(want image.Image) uint32 {
	d.t.Helper()
	for {
		if d.done && alike(d.screen, want) {
			return d.frame
		}
		if err := d.next(); err != nil {
			d.t.Fatalf("it never showed that: %v", err)
		}
	}
}

// hears reads until a note of a type comes.
func (d *device) hears(kind string) Note {
	d.t.Helper()
	for i := 0; ; {
		for ; i < len(d.notes); i++ {
			if d.notes[i].Type == kind {
				n := d.notes[i]
				d.notes = d.notes[i+1:]
				return n
			}
		}
		if err := d.next(); err != nil {
			d.t.Fatalf("it never said %s: %v", kind, err)
		}
	}
}

// ends reads until the connection is closed, and tells how.
func (d *device) ends() websocket.StatusCode {
	for {
		if err := d.next(); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func alike(a, b image.Image) bool {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if far(r1, r2) || far(g1, g2) || far(b1, b2) {
				return false
			}
		}
	}
	return true
}

// far is more than a display of 16 bits loses.
func far(a, b uint32) bool { return max(a, b)-min(a, b) > 12*257 }
