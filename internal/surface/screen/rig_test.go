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
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	pictures "nod/internal/present/draw"
	"nod/internal/present/words"
)

// rig is a hub with this surface, and a clock that tests move by hand.
type rig struct {
	*hubtest.Rig
	web    *hubtest.Web
	url    string
	offset atomic.Int64
	begin  time.Time
}

func newRig(t *testing.T) *rig {
	t.Helper()
	g := &rig{Rig: hubtest.New(t, hubtest.Options{}), begin: time.Now()}
	g.web = g.Web()
	d := adapter.Deps{Deps: g.Deps(), Address: func() string { return "http://desk" }}
	d.Now = g.now
	g.web.Serve(New(d, Needs{g.web.Gate}).Routes()...)
	server := httptest.NewServer(g.web)
	t.Cleanup(server.Close)
	g.url = server.URL + "/v1/screen"
	return g
}

func (g *rig) now() time.Time { return g.begin.Add(time.Duration(g.offset.Load())) }

// pass moves the surface's clock.
func (g *rig) pass(d time.Duration) { g.offset.Add(int64(d)) }

func (g *rig) token(rights nod.Rights) string { g.Helper(); return g.web.Token("kitchen", rights) }

func (g *rig) raise(id, command, level string) nod.RequestID {
	g.Helper()
	g.Agent("a", nod.AgentWorking, func(a *nod.Agent) { a.Name, a.Host = "shop", "desk" })
	return g.Ask(hubtest.Approval(id, func(r *nod.Request) {
		r.Agent, r.Title, r.Display = nod.AgentRef{ID: "a", Name: "shop", Host: "desk"}, command, command
		r.Risk, r.Input = &nod.Risk{Level: level}, json.RawMessage(`{}`)
	})).ID
}

// settled waits until a request is settled, and returns it.
func (g *rig) settled(id nod.RequestID) *nod.Request {
	g.Helper()
	r, err := g.Link.Await(g.Context(), id)
	if err != nil {
		g.Fatal(err)
	}
	return r
}

// shown reports whether a receipt says that a request was shown.
func (g *rig) shown(id nod.RequestID) bool {
	g.Helper()
	return slices.ContainsFunc(g.Request(id).Receipts, func(r nod.Receipt) bool { return r.Step == nod.StepShown && r.By == "kitchen" })
}

// scene is what a device with all rights should show now.
func (g *rig) scene(at pictures.Cursor, note *pictures.Note) pictures.Scene {
	g.Helper()
	snap, err := g.Desk().Snapshot(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	s, _ := pictures.Present(pictures.World{
		Snapshot: snap, Now: g.now(), Say: words.In(words.English), Size: pictures.M5Stack, Address: "http://desk", Rights: hubtest.All, Note: note,
	}, at)
	return s
}

// device is a simulated screen.
type device struct {
	t       testing.TB
	conn    *websocket.Conn
	screen  *image.RGBA
	spare   *image.RGBA
	frame   uint32
	done    bool // the frame is complete
	largest int
	notes   []Note
}

func (g *rig) device(h Hello) *device {
	g.Helper()
	d := g.dial(nil)
	h.Type = "hello"
	d.send(h)
	return d
}

func (g *rig) dial(header http.Header) *device {
	g.Helper()
	conn, _, err := websocket.Dial(g.Context(), g.url, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		g.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	g.Cleanup(func() { _ = conn.CloseNow() })
	return &device{t: g.TB, conn: conn, screen: image.NewRGBA(image.Rect(0, 0, 320, 240))}
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

// next reads one message.
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

// far reports whether two values differ by more than 16 bits of colour lose.
func far(a, b uint32) bool { return max(a, b)-min(a, b) > 12*257 }
