package keyboard

import (
	"strings"
	"testing"

	"nod"
)

// written draws texts as well.
type written struct{ drawn }

func (d *written) Fits(text string) bool { return len(text) < 100 }

func (d *written) About(title, text, colour string) string {
	if !d.Fits(text) {
		return ""
	}
	return d.Name(title+" "+text, "", colour)
}

// What is asked is a picture with large letters; what does not fit on it is written by
// the device itself, and can only be allowed if nothing of it is hidden.
func TestWhatIsAskedIsAPicture(t *testing.T) {
	bubble(t, func(g *rig) {
		g.begin(func(s *Surface) { s.pictures.icons = &written{drawn{made: map[string][]byte{}}} })
		g.agent("shop", nod.AgentWorking)
		b := g.admitted("192.168.1.7")
		long := "cd /home/anna/src/shop && npm test -- --watch=false"
		g.ask("shop", "r1", long, unknown)
		if s := b.Screens()[3]; s.Image == "" || s.Title != "" || s.Content != "" || s.Text != "cd /home/." {
			g.Errorf("the fourth screen shows %+v", s)
		}
		g.press(b, 1)
		g.press(b, 1)
		if r := g.Request("r1"); r.Decision == nil || r.Decision.Verdict != nod.VerdictAllow {
			g.Errorf("%+v", r.Decision)
		}
		later(goodNoteTime)
		g.ask("shop", "r2", "make "+strings.Repeat("x", 120), unknown)
		if s := b.Screens(); s[3].Image != "" || s[3].Title != "shop" || s[0].Words() != "Open nod" {
			g.Errorf("the keys show %+v", s)
		}
	})
}
