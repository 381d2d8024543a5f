package draw

import (
	"bytes"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
)

func text(b block) string {
	var lines []string
	for _, l := range b.lines {
		var line strings.Builder
		for _, c := range l {
			line.WriteRune(c.r)
		}
		lines = append(lines, line.String())
	}
	return strings.Join(lines, "\n")
}

func TestAllowOnlyAfterTheLastPage(t *testing.T) {
	w := world(ask("r", longCommand, &nod.Risk{Level: "read"}))
	s, at := Present(w, Cursor{})
	if !s.Press(A, false).Nothing() || !s.Press(A, true).Nothing() {
		t.Error("the first of two pages can be allowed")
	}
	if s.Press(B, false).Answer.Verdict != nod.VerdictDeny {
		t.Error("the first of two pages cannot be denied")
	}
	if !strings.HasSuffix(text(s.body), "…") {
		t.Errorf("nothing says that there is more: %q", text(s.body))
	}
	s, at = Present(w, *s.Press(C, false).Move)
	if got := s.Press(A, false); got.Decide != "r" || got.Answer.Verdict != nod.VerdictAllow {
		t.Errorf("the last page does %+v", got)
	}
	if !strings.Contains(text(s.body), "where it hurts") {
		t.Errorf("the last page is %q", text(s.body))
	}
	// Back at the first page, all of it is still known to have been shown.
	for s.Press(C, false).Move.Stop != 0 {
		s, at = Present(w, *s.Press(C, false).Move)
	}
	if s, _ = Present(w, *s.Press(C, false).Move); s.Press(A, false).Decide != "r" || at.Seen < 2 {
		t.Error("what was read is forgotten")
	}
}

func TestEveryCharacterOfALongTextIsOnSomePage(t *testing.T) {
	for _, lang := range languages {
		w := world(ask("r", longCommand, nil))
		w.Say = words.In(lang)
		stops, why := stopsOf(w, w.Snapshot.Requests[0])
		if why != nil {
			t.Fatal(why.EN)
		}
		var all string
		for _, s := range stops[:pagesOf(stops)] {
			all += strings.TrimSuffix(text(s.body), "…")
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(all) != squeeze(longCommand) {
			t.Errorf("the pages show %q", all)
		}
	}
}

func TestDangerousRequestMustBeHeld(t *testing.T) {
	for level, hold := range map[string]bool{"read": false, "write": false, "network": false, "destructive": true, "secret": true, "unknown": true, "brand new": true} {
		s, _ := Present(world(ask("r", "x", &nod.Risk{Level: level})), Cursor{})
		if got := s.Press(A, false).Nothing(); got != hold {
			t.Errorf("%s: a click does nothing: %v", level, got)
		}
		if s.Press(A, true).Decide != "r" {
			t.Errorf("%s: holding does not allow", level)
		}
		if s.Press(B, false).Answer.Verdict != nod.VerdictDeny {
			t.Errorf("%s: a click does not deny", level)
		}
	}
	if s, _ := Present(world(ask("r", "x", nil)), Cursor{}); !s.Press(A, false).Nothing() {
		t.Error("what nobody has judged is allowed by a click")
	}
}

func TestRequestsThatNeedMoreThanAButtonCanOnlyBeDenied(t *testing.T) {
	several := databaseQuestion()
	several.Questions = append(several.Questions, several.Questions[0])
	several.OneTap = false
	many := databaseQuestion()
	many.Questions[0].Multi = true
	form := &nod.Request{ID: "f", Kind: nod.KindElicitation, OneTap: true, Questions: []nod.Question{{Text: "Name?", FreeText: true}}}
	link := databaseQuestion()
	link.Link = "https://example.com"
	secret := ask("s", "cat .env", &nod.Risk{Level: "secret"})
	for name, r := range map[string]*nod.Request{
		"a plan": {ID: "p", Kind: nod.KindPlan, OneTap: true}, "several questions": several, "several choices": many, "a form": form, "a page": link,
		"what takes a passkey": secret, "a very long text": ask("l", strings.Repeat("rm -rf a/b/c && ", 400), nil),
	} {
		w := world(r)
		w.Proof = []string{"secret"}
		s, _ := Present(w, Cursor{})
		if s.Kind != Opening || !s.Press(A, false).Nothing() || !s.Press(A, true).Nothing() {
			t.Errorf("%s can be allowed", name)
		}
		if s.Press(B, false).Answer.Verdict != nod.VerdictDeny {
			t.Errorf("%s cannot be denied", name)
		}
	}
}

func TestTheButtonsAnswerWhatTheyShow(t *testing.T) {
	q := databaseQuestion()
	w := world(q)
	s, _ := Present(w, Cursor{})
	for _, want := range []string{"SQLite", "PostgreSQL", "MySQL"} {
		act := s.Press(A, false)
		if _, err := q.Fit(act.Answer); err != nil || act.Answer.Answers[q.Questions[0].Key()].Joined() != want {
			t.Errorf("A answers %+v (%v), want %s", act.Answer, err, want)
		}
		if i := slices.IndexFunc(s.list, func(r row) bool { return r.chosen }); i < 0 || s.list[i].text != want {
			t.Errorf("%s is not marked", want)
		}
		s, _ = Present(w, *s.Press(C, false).Move)
	}
	r := ask("r", "npm install", &nod.Risk{Level: "network"})
	w = world(r)
	s, _ = Present(w, Cursor{})
	for range 3 {
		act := s.Press(A, false)
		if _, err := r.Fit(act.Answer); err != nil {
			t.Errorf("%s does not fit: %v", s.Buttons[A].Label, err)
		}
		if (act.Answer.Remember != "") != (s.Buttons[A].Label == "Always") || (act.Answer.Lease != nil) != (s.Buttons[A].Label == "20 min") {
			t.Errorf("%s means %+v", s.Buttons[A].Label, act.Answer)
		}
		s, _ = Present(w, *s.Press(C, false).Move)
	}
}

func TestHeldCGoesToTheNextRequestAtOnce(t *testing.T) {
	w := world(ask("one", longCommand, nil), ask("two", "ls", nil))
	s, _ := Present(w, Cursor{})
	if to := s.Press(C, true).Move; to == nil || to.Request != "two" {
		t.Errorf("it goes to %v", to)
	}
	s, at := Present(world(w.Snapshot.Requests[1]), Cursor{Request: "one", Stop: 1, Seen: 2})
	if s.Request != "two" || at.Seen != 1 {
		t.Errorf("after a request is gone the cursor is at %+v", at)
	}
}

func TestViewerHasNoButtons(t *testing.T) {
	w := world(ask("r", "ls", &nod.Risk{Level: "read"}))
	w.Rights = nod.RightsOf(nod.View)
	s, _ := Present(w, Cursor{})
	for b := A; b <= B; b++ {
		if !s.Press(b, false).Nothing() || !s.Press(b, true).Nothing() {
			t.Errorf("button %d answers", b)
		}
	}
}

func TestHiddenCharactersAreVisible(t *testing.T) {
	hidden := "ls \u202ereversed\u202c \u200b\u2066x e\u0301 🙂 \ue000 \x1b[2J a\u3000b" + strings.Repeat(" ", 60) + "; rm -rf /"
	w := world(ask("r", hidden, nil))
	stops, _ := stopsOf(w, w.Snapshot.Requests[0])
	var all string
	for _, s := range stops {
		all += text(s.body)
	}
	for _, want := range []string{"⟨RLO⟩", "⟨PDF⟩", "⟨ZWSP⟩", "⟨LRI⟩", "⟨U+0301⟩", "⟨U+1F642⟩", "⟨U+E000⟩", "⟨ESC⟩", "⟨U+3000⟩", "⟨60 blanks⟩", "rm -rf /"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not shown: %q", want, all)
		}
	}
	for _, c := range cells("a\u0301\u200db🙂", Text) {
		if !font.glyph(c.r).ok || c.width == 0 {
			t.Errorf("%q cannot be drawn", c.r)
		}
	}
}

func TestCountdownRedrawsOnlyItself(t *testing.T) {
	w := world(ask("r", "npm install", nil), ask("r2", "ls", nil))
	at := Cursor{}
	s, at := Present(w, at)
	before := Paint(s, 0)
	w.Now = w.Now.Add(Tick(w, at))
	s, _ = Present(w, at)
	dirty := Dirty(before, Paint(s, 0))
	if len(dirty) != 1 || dirty[0].Dx() > 60 || dirty[0].Dy() > headRow || dirty[0].Min.X < 240 {
		t.Errorf("one second changes %v", dirty)
	}
	if s.left != "1:44" {
		t.Errorf("after a tick the countdown says %s", s.left)
	}
	if got := Dirty(before, before); got != nil {
		t.Errorf("a picture differs from itself: %v", got)
	}
}

// What was dirty, put over the old picture, is the new picture.
func TestDirtyPartsMakeTheNewPicture(t *testing.T) {
	var before Picture
	for name, p := range pictures() {
		now := Paint(p.scene(words.English), p.hold)
		screen := newPicture(M5Stack)
		if before.Paletted != nil {
			copy(screen.Pix, before.Pix)
		}
		for _, r := range Dirty(before, now) {
			part, err := now.PNG(r)
			if err != nil {
				t.Fatal(err)
			}
			shown, err := png.Decode(bytes.NewReader(part))
			if err != nil || shown.Bounds().Size() != r.Size() {
				t.Fatal(err, r)
			}
			for y := range r.Dy() {
				copy(screen.Pix[(r.Min.Y+y)*screen.Stride+r.Min.X:], now.Pix[(r.Min.Y+y)*now.Stride+r.Min.X:(r.Min.Y+y)*now.Stride+r.Max.X])
			}
			if differing(shown, now.cut(r)) > 0 {
				t.Errorf("%s: a PNG of %v differs", name, r)
			}
		}
		if !bytes.Equal(screen.Pix, now.Pix) {
			t.Errorf("%s: parts are missing", name)
		}
		before = now
	}
}

func TestRGB565HasTheHighByteFirst(t *testing.T) {
	p := newPicture(M5Stack)
	p.fill(image.Rect(1, 0, 2, 1), Orange)
	got := p.RGB565(image.Rect(0, 0, 2, 1))
	if want := []byte{0x10, 0x82, 0xFD, 0x4C}; !bytes.Equal(got, want) {
		t.Errorf("got % x, want % x", got, want)
	}
	if n := len(p.RGB565(p.Rect)); n != 320*240*2 {
		t.Errorf("a screen has %d bytes", n)
	}
}

func TestEverySizeCanBePainted(t *testing.T) {
	for _, size := range []Size{Smallest, {240, 240}, {240, 320}, M5Stack, {480, 320}, Largest} {
		for name, p := range pictures() {
			p.world.Size = size
			if got := Paint(p.scene(words.Polish), 1); got.Rect.Size() != image.Pt(size.W, size.H) {
				t.Errorf("%s at %v is %v", name, size, got.Rect)
			}
		}
	}
}

func TestTheClockIsNeverAhead(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0:00", time.Millisecond: "0:01", 45 * time.Second: "0:45", 90 * time.Second: "1:30", time.Hour - time.Second: "59:59", time.Hour: "", 24*time.Hour - time.Minute: ""} {
		if got := countdown(d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

func FuzzLayout(f *testing.F) {
	f.Add("rm -rf ~/photos\u200b && echo done", 100, true)
	f.Add("静かです。⟨ZWSP⟩", 13, false)
	f.Fuzz(func(t *testing.T, s string, width int, large bool) {
		scale := 1
		if large {
			scale = 2
		}
		width = 120 + (width%600+600)%600
		for _, l := range wrap(s, width, scale, plain(Text)) {
			if l.width(scale) > width+8*fullWidth*scale { // marks of empty lines, and tags that cannot be torn
				t.Fatalf("%q is wider than %d", text(block{lines: []line{l}}), width)
			}
		}
	})
}

func BenchmarkScreen(b *testing.B) {
	w := world(ask("r", longCommand, nil), databaseQuestion())
	for b.Loop() {
		s, _ := Present(w, Cursor{})
		Paint(s, 0)
	}
}

func BenchmarkRGB565(b *testing.B) {
	p := Paint(pictures()["long"].scene(words.English), 0)
	for b.Loop() {
		p.RGB565(p.Rect)
	}
}

func BenchmarkPNG(b *testing.B) {
	p := Paint(pictures()["long"].scene(words.English), 0)
	for b.Loop() {
		if _, err := p.PNG(p.Rect); err != nil {
			b.Fatal(err)
		}
	}
}
