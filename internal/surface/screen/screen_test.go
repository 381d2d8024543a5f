package screen

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
	"nod/internal/net/httpd"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

var seeing = nod.RightsOf(nod.View, nod.Answering)

func TestShowAndAnswer(t *testing.T) {
	for _, h := range []Hello{{Format: PNG}, {Format: RGB565, MaxBytes: 4096, Width: 320, Height: 240, Buttons: 3, Language: "en-GB"}} {
		g := newRig(t)
		h.Token = g.token(seeing)
		d := g.device(h)
		if w := d.hears("welcome"); w.Version != Version || w.Width != 320 || w.HoldMS != 1000 || !slices.Equal(w.Rights, []string{"view", "answer"}) {
			t.Errorf("welcome is %+v", w)
		}
		d.sees(g.scene(draw.Cursor{}, nil))
		id := g.raise("r1", "npm install", "network")
		if b := d.hears("beep"); b.Hz == 0 || b.To <= b.Hz {
			t.Errorf("it beeps %+v", b)
		}
		frame := d.sees(g.scene(draw.Cursor{}, nil))
		g.pass(time.Second)
		d.press("A", Click, frame)
		r := g.settled(id)
		if r.Decision.Verdict != nod.VerdictAllow || r.Decision.By != "kitchen" || r.Decision.Via != "screen" {
			t.Errorf("it was decided %+v", r.Decision)
		}
		d.sees(g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Good, Title: "Allowed", Text: "npm install"}))
		if !g.shown(id) {
			t.Errorf("no receipt says that it was shown: %+v", g.Request(id).Receipts)
		}
		if h.MaxBytes > 0 && d.largest > h.MaxBytes {
			t.Errorf("a message has %d bytes, more than %d", d.largest, h.MaxBytes)
		}
	}
}

func TestLatePressActsOnWhatWasShown(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	first := g.raise("r1", "npm install", "network")
	old := d.sees(g.scene(draw.Cursor{}, nil))
	g.Decide(first, nod.VerdictDeny)
	second := g.raise("r2", "npm publish", "network")
	d.sees(g.scene(draw.Cursor{}, nil))
	g.pass(time.Second)
	d.press("A", Click, old) // the finger was already on its way
	note := draw.Note{Mood: draw.Bad, Title: "Denied", Text: "npm install", Who: words.In(words.English).Say(words.DeviceWasFirst, "anna", "web")}
	d.sees(g.scene(draw.Cursor{}, &note))
	if r := g.Request(second); r.Settled() {
		t.Errorf("what replaced it was answered: %+v", r.Decision)
	}
	if r := g.Request(first); r.Decision.Verdict != nod.VerdictDeny {
		t.Errorf("the first answer did not win: %+v", r.Decision)
	}
}

func TestEarlyAndUnknownPressesAreIgnored(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	id := g.raise("r1", "npm install", "network")
	frame := d.sees(g.scene(draw.Cursor{}, nil))
	d.press("A", Click, frame)      // it was not there a moment ago
	d.press("A", Click, frame+1000) // never shown
	d.press("A", Click, 0)
	d.press("Z", Click, frame) // answered with an error, so all of these were heard
	if n := d.hears("error"); n.Code != nod.Invalid {
		t.Errorf("it says %+v", n)
	}
	if g.Request(id).Settled() {
		t.Fatal("it was answered")
	}
	g.pass(time.Second)
	d.press("A", Click, frame)
	d.press("A", Click, frame) // twice is once
	if r := g.settled(id); r.Decision.Verdict != nod.VerdictAllow {
		t.Errorf("it was decided %+v", r.Decision)
	}
	d.sees(g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Good, Title: "Allowed", Text: "npm install"}))
}

func TestDestructiveNeedsHold(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	id := g.raise("r1", "rm -rf build", "destructive")
	scene := g.scene(draw.Cursor{}, nil)
	frame := d.sees(scene)
	g.pass(time.Second)
	d.press("A", Click, frame)
	d.press("A", Down, frame)
	d.seesPicture(draw.Paint(scene, .1))
	g.pass(500 * time.Millisecond)
	frame = d.seesPicture(draw.Paint(scene, .6)) // by itself
	if g.Request(id).Settled() {
		t.Fatal("it was allowed by a click")
	}
	d.press("A", Up, frame)
	frame = d.sees(scene)
	d.press("A", Hold, frame)
	if r := g.settled(id); r.Decision.Verdict != nod.VerdictAllow {
		t.Errorf("it was decided %+v", r.Decision)
	}
}

func TestAuthentication(t *testing.T) {
	g := newRig(t)
	for name, c := range map[string]struct {
		hello Hello
		want  websocket.StatusCode
	}{
		"nobody":          {Hello{}, httpd.StatusUnauthorized},
		"a stranger":      {Hello{Token: "nod_nonsense"}, httpd.StatusUnauthorized},
		"half a token":    {Hello{Key: "abc"}, httpd.StatusUnauthorized},
		"an agent":        {Hello{Token: g.token(nod.RightsOf(nod.Raise))}, httpd.StatusForbidden},
		"a strange size":  {Hello{Token: g.token(seeing), Width: 20, Height: 20}, httpd.StatusInvalid},
		"a strange shape": {Hello{Token: g.token(seeing), Format: "gif"}, httpd.StatusInvalid},
	} {
		d := g.device(c.hello)
		n := d.hears("error")
		if got := d.ends(); got != c.want || n.Message == "" {
			t.Errorf("%s ends with %v (%s), want %v", name, got, n.Message, c.want)
		}
	}
	d := g.dial(nil)
	d.send([]int{1})
	if got := d.ends(); got != httpd.StatusInvalid {
		t.Errorf("nonsense ends with %v", got)
	}
}

func TestHeaderAndBrowserCredentials(t *testing.T) {
	g := newRig(t)
	secret, _, err := g.web.Credentials.Create(t.Context(), nod.Actor{Name: "test", Rights: hubtest.All}, "browser", seeing, "")
	if err != nil {
		t.Fatal(err)
	}
	half, key := secret.Halves()
	d := g.dial(http.Header{"Cookie": {"nod=" + half}})
	d.send(Hello{Key: key})
	d.sees(g.scene(draw.Cursor{}, nil))
	d = g.dial(http.Header{"Authorization": {"Bearer " + secret.Reveal()}})
	d.send(Hello{})
	d.sees(g.scene(draw.Cursor{}, nil))
	d = g.dial(http.Header{"Cookie": {"nod=" + half}})
	d.send(Hello{})
	if got := d.ends(); got != httpd.StatusUnauthorized {
		t.Errorf("a cookie alone ends with %v", got)
	}
	_, response, err := websocket.Dial(t.Context(), g.url, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://evil.example"}}})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site gets %v", response.Status)
	}
}

func TestViewRightCannotAnswer(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(nod.RightsOf(nod.View))})
	id := g.raise("r1", "npm install", "read")
	for !g.shown(id) {
		d.press("Z", Click, 0) // something to wait for
		d.hears("error")
	}
	g.pass(time.Second)
	for frame := range d.frame + 2 {
		d.press("A", Click, frame)
		d.press("B", Click, frame)
	}
	d.press("Z", Click, 0)
	d.hears("error")
	if g.Request(id).Settled() {
		t.Error("it answered")
	}
}

func TestRevokedTokenEndsSession(t *testing.T) {
	g := newRig(t)
	s, token, err := g.web.Credentials.Create(t.Context(), nod.Actor{Name: "test", Rights: hubtest.All}, "lost phone", seeing, "")
	if err != nil {
		t.Fatal(err)
	}
	d := g.device(Hello{Token: s.Reveal()})
	d.sees(g.scene(draw.Cursor{}, nil))
	if err := g.web.Credentials.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	d.ends()
}

func TestHubCloseEndsSession(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	d.sees(g.scene(draw.Cursor{}, nil))
	g.Close()
	if got := d.ends(); got != websocket.StatusTryAgainLater {
		t.Errorf("it ends with %v", got)
	}
}

func TestSparePicture(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing), Spare: true, Language: "ja"})
	for d.frame == 0 {
		if err := d.next(); err != nil {
			t.Fatal(err)
		}
	}
	if d.spare == nil || !alike(d.spare, draw.Paint(draw.Disconnected(words.In(words.Japanese), draw.M5Stack, ""), 0)) {
		t.Error("the spare is not the screen of a hub that is away")
	}
}

func TestNewsIsShownWhenNothingWaits(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	d.sees(g.scene(draw.Cursor{}, nil))
	be := func(s nod.AgentState) {
		t.Helper()
		g.Agent("a", s, func(a *nod.Agent) { a.Name, a.Host, a.Prompt = "shop", "desk", "fix the tax" })
	}
	be(nod.AgentWorking)
	d.sees(g.scene(draw.Cursor{}, nil))
	be(nod.AgentIdle)
	frame := d.sees(g.scene(draw.Cursor{}, &draw.Note{Mood: draw.Good, Title: "shop is done", Text: "fix the tax", Who: "desk"}))
	d.press("A", Click, frame)
	d.sees(g.scene(draw.Cursor{}, nil))
}

func TestSlowDeviceGetsNewestPicture(t *testing.T) {
	g := newStage(nil, &Hello{}, time.Now, nil)
	for i := range 100 {
		g.show(draw.Scene{Size: draw.M5Stack, Request: nod.RequestID(rune('a' + i%26))}, 0, nil)
		g.tell(Note{Type: "beep", Hz: i + 1})
	}
	next, notes := g.take()
	if next == nil || next.scene.Request != "v" || len(notes) != keepNotes || notes[keepNotes-1].Hz != 100 {
		t.Errorf("it would get %v and %d notes", next.scene.Request, len(notes))
	}
	if next, _ := g.take(); next != nil {
		t.Error("it would get it twice")
	}
}

func TestSamePictureOfAnotherRequestHasNewNumber(t *testing.T) {
	g := newRig(t)
	d := g.device(Hello{Token: g.token(seeing)})
	first := g.raise("r1", "make", "read")
	old := d.sees(g.scene(draw.Cursor{}, nil))
	// Settled and asked again at once, the picture does not change at all.
	g.Report(hub.Withdraw(first, nod.Withdrawal{Reason: nod.WithdrawnSuperseded}))
	second := g.raise("r2", "make", "read")
	for !g.shown(second) {
		d.press("C", Down, 0)
		d.press("Z", Click, 0)
		d.hears("error")
	}
	g.pass(time.Second)
	d.press("A", Click, old)
	d.press("Z", Click, 0)
	d.hears("error")
	if g.Request(second).Settled() {
		t.Error("a press on the first answered the second")
	}
}
