package device

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nod"
	"nod/internal/client"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/hubtest"
	screens "nod/internal/surface/screen"
)

// realHub is a hub that draws for small screens, with a request in it.
func realHub(t *testing.T, level string) (*hubtest.Rig, *client.Client) {
	t.Helper()
	g := hubtest.New(t, hubtest.Options{})
	g.Ask(hubtest.Approval("r1", func(r *nod.Request) { r.OneTap, r.Risk = true, &nod.Risk{Level: level} }))
	web := g.Web()
	web.Serve(screens.New(adapter.Deps{Deps: hub.Deps{Hub: g.Hub, Log: g.Log()}}, screens.Needs{Gate: web.Gate}).Routes()...)
	server := httptest.NewServer(web)
	t.Cleanup(server.Close)
	cl, err := client.Remote(server.URL, web.Token("simulator", nod.RightsOf(nod.View, nod.Answering)), "screen")
	if err != nil {
		t.Fatal(err)
	}
	return g, cl
}

// outputRecorder is a terminal that records what was drawn.
type outputRecorder struct {
	mu    sync.Mutex
	text  bytes.Buffer
	drawn chan struct{}
}

func (g *outputRecorder) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case g.drawn <- struct{}{}:
	default:
	}
	return g.text.Write(b)
}

func TestTheSimulatorAnswersWithKeys(t *testing.T) {
	for _, c := range []struct {
		level, key string
		want       nod.Verdict
	}{{"read", "a", nod.VerdictAllow}, {"read", "b", nod.VerdictDeny}, {"destructive", "A", nod.VerdictAllow}} {
		g, cl := realHub(t, c.level)
		out := &outputRecorder{drawn: make(chan struct{}, 1)}
		keys := make(chan []byte)
		sim := &screenSimulator{
			hub: cl, keys: keys, hello: v1.ScreenHello{Width: 320, Height: 240, Format: "png", Buttons: 3, Language: "en", Spare: true},
			display: &display{out: out, size: func() (int, int) { return 160, 61 }, hint: "keys"},
		}
		first, err := cl.Screen(t.Context(), sim.hello)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- sim.run(t.Context(), first) }()
		<-out.drawn
		keys <- []byte("\x1b[?62;4c\x1b[?62;4a") // a late answer of the terminal presses nothing
		settled := g.Link.Settled("r1")
		for done := false; !done; { // a press that comes too soon does nothing, so press again
			timer := time.NewTimer(200 * time.Millisecond)
			select {
			case <-settled:
				done = true
			case <-timer.C:
				keys <- []byte(c.key)
			}
		}
		if r := g.Request("r1"); r.Decision.Verdict != c.want {
			t.Errorf("%s on %s: %+v", c.key, c.level, r.Decision)
		}
		keys <- []byte("q")
		if err := <-ended; !errors.Is(err, errQuit) {
			t.Errorf("it ends with %v", err)
		}
		if !strings.Contains(out.text.String(), "▀") || sim.offline == nil {
			t.Error("nothing was drawn, or there is no spare")
		}
	}
}

func TestOnceWritesAPicture(t *testing.T) {
	_, cl := realHub(t, "read")
	file := filepath.Join(t.TempDir(), "now.png")
	r := runner{hub: cl}
	out, _, err := r.nod(t, "device", "m5stack", "--language", "pl", "--once", file)
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(body))
	if err != nil || p.Bounds() != image.Rect(0, 0, 320, 240) || !strings.Contains(out, file) {
		t.Errorf("it wrote %v, %v, and said %q", p.Bounds(), err, out)
	}
	r.refuses(t, "device m5stack --language xx", "device m5stack --pixels ascii", "device toaster", "device m5stack")
}

func TestPicturesInATerminal(t *testing.T) {
	p := image.NewRGBA(image.Rect(0, 0, 4, 8))
	for y := range 8 {
		for x := range 4 {
			p.SetRGBA(x, y, color.RGBA{uint8(60 * x), uint8(30 * y), 0, 255})
		}
	}
	if rows := strings.Count(halfBlocks(p, 4), "\r\n"); rows != 4 {
		t.Errorf("8 rows of pixels are %d of half blocks", rows)
	}
	if got := strings.Count(halfBlocks(p, 2), "▀"); got != 2*2 {
		t.Errorf("half as wide has %d characters", got)
	}
	white := image.NewRGBA(image.Rect(0, 0, 5, 6))
	for i := range white.Pix {
		white.Pix[i] = 255
	}
	if got, want := sixel(white), "\x1bPq\"1;1;5;6#0;2;100;100;100#0!5~$-\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for answer, want := range map[string]bool{"\x1b[?62;4;22c": true, "\x1b[?4;6c": false, "\x1b[?62;22c": false, "a": false, "\x1b[?62;4": false} {
		if saysSixel(answer) != want {
			t.Errorf("%q: sixel is not %v", answer, want)
		}
	}
}
