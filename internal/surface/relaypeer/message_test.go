package relaypeer

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/present/words"
	"nod/internal/surface/relaypeer/esp32"
)

// What needs more than a glance and one press cannot be allowed with a button.
func TestRequestsThatNeedMoreThanAPress(t *testing.T) {
	for name, change := range map[string]func(*nod.Request){
		"destructive":         func(r *nod.Request) { r.Risk.Level = "destructive" },
		"secret":              func(r *nod.Request) { r.Risk.Level, r.Display = "secret", "cat .env" },
		"unknown":             func(r *nod.Request) { r.Risk.Level = "unknown" },
		"not judged":          func(r *nod.Request) { r.Risk = nil },
		"takes a passkey":     func(r *nod.Request) { r.Risk.Level = "network" },
		"wants to be opened":  func(r *nod.Request) { r.OneTap = false },
		"a plan":              func(r *nod.Request) { r.Kind = nod.KindPlan },
		"a form":              func(r *nod.Request) { r.Kind = nod.KindElicitation },
		"a page":              func(r *nod.Request) { r.Link = "https://example.org" },
		"too long":            func(r *nod.Request) { r.Display = "echo " + strings.Repeat("a", 600) + "; rm -rf x" },
		"too many lines":      func(r *nod.Request) { r.Display = strings.Repeat("ls\n", 11) + "rm -rf x" },
		"hidden letters":      func(r *nod.Request) { r.Display = "ls \u202etxt.exe" },
		"letters not in font": func(r *nod.Request) { r.Display = "rm żółw" },
		"three answers": func(r *nod.Request) {
			r.Kind, r.Questions = nod.KindQuestion, []nod.Question{{Text: "Which?", Choices: []nod.Choice{{Label: "a"}, {Label: "b"}, {Label: "c"}}}}
		},
		"several answers": func(r *nod.Request) {
			r.Kind, r.Questions = nod.KindQuestion, []nod.Question{{Text: "Which?", Multi: true, Choices: []nod.Choice{{Label: "a"}, {Label: "b"}}}}
		},
		"long answers": func(r *nod.Request) {
			r.Kind, r.Questions = nod.KindQuestion, []nod.Question{{Text: "Which?", Choices: []nod.Choice{{Label: "a"}, {Label: strings.Repeat("b", 20)}}}}
		},
	} {
		inBubble(t, func(g *rig, d *esp32.Device) {
			r := request("r1")
			change(&r)
			g.Ask(r)
			pass(time.Second)
			s := d.Screen()
			if len(s.Choices) != 2 || s.Choices[0].Text != "Open nod" || s.Choices[1].Number != denyNumber {
				t.Errorf("%s: %+v", name, s)
			}
			if strings.Contains(s.Message, ".env") {
				t.Errorf("%s: the screen shows a secret: %q", name, s.Message)
			}
			if strings.Contains(r.Display, "rm -rf x") && !strings.Contains(s.Message, "rm -rf x") {
				t.Errorf("%s: the end is cut: %q", name, s.Message)
			}
			d.Press(esp32.A)
			pass(time.Minute)
			g.waits("r1")
			if d.Beeps() != 1 {
				t.Errorf("%s: %d beeps after the person went to look", name, d.Beeps())
			}
		})
		inBubble(t, func(g *rig, d *esp32.Device) {
			r := request("r1")
			change(&r)
			g.Ask(r)
			pass(time.Second)
			d.Press(esp32.B)
			pass(time.Second)
			g.decided("r1", nod.VerdictDeny, "desk")
		})
	}
}

// Whatever an agent sends, a posting is never larger than a device can hold, and never
// ends in half a character.
func TestEverythingFits(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	letters := []rune("abc \"\\<>&\n\t/\x00\x1b\u200b\u202eąż許可ｶ😀$;|⟨")
	text := func(most int) string {
		n := chance.IntN(most)
		var b strings.Builder
		for range n {
			b.WriteRune(letters[chance.IntN(len(letters))])
		}
		if chance.IntN(4) == 0 {
			b.WriteByte(0xff)
		}
		return b.String()
	}
	now := time.Now()
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		c := composer{say: words.In(lang)}
		for range 500 {
			r := request(text(90))
			r.Tool, r.Display, r.Title = text(100), text(3000), text(200)
			r.Agent.Name, r.Agent.Host, r.Agent.Cwd = text(40), text(40), text(60)
			p, err := c.compose(&r, chance.IntN(20), now)
			if err != nil {
				t.Fatal(err)
			}
			var b createBody
			if err := json.Unmarshal(p.body, &b); err != nil || !utf8.Valid(p.body) || strings.Contains(string(p.body), `\ufffd`) {
				t.Fatalf("%s: %v", p.body, err)
			}
			for what, of := range map[string]struct {
				text string
				most int
			}{
				"body": {string(p.body), esp32.MostCreate}, "tool": {b.Tool, esp32.ShortText}, "header": {b.Header, esp32.ShortText},
				"host": {b.Hostname, 16}, "target": {b.Target, esp32.ShortText}, "message": {b.Description, esp32.MessageText},
				"first": {b.Choices[0].Text, esp32.ChoiceText}, "last": {b.Choices[1].Text, esp32.ChoiceText},
			} {
				if len(of.text) > of.most || of.text == "" && what != "message" {
					t.Fatalf("%s has %d bytes: %q", what, len(of.text), of.text)
				}
			}
			if _, allows := p.answers[keyOf(allowNumber)]; allows && b.Description != nod.Visible(strings.TrimSpace(r.Display)) {
				t.Fatalf("%q can be allowed as %q", r.Display, b.Description)
			}
		}
	}
}

func TestTargetsNeverCollide(t *testing.T) {
	long := strings.Repeat("x", 80)
	if a, b := target(nod.RequestID(long+"1")), target(nod.RequestID(long+"2")); a == b || len(a) > mostShort {
		t.Errorf("%s and %s", a, b)
	}
}

func TestTimeoutIsTheTimeLeft(t *testing.T) {
	now := time.Now()
	for left, want := range map[time.Duration]int{90 * time.Second: 90, 5 * time.Hour: 3600, 100 * time.Millisecond: 1} {
		r, end := request("r1"), now.Add(left)
		r.ExpiresAt = &end
		p, err := composer{}.compose(&r, 0, now)
		var b createBody
		if err != nil || json.Unmarshal(p.body, &b) != nil || b.Timeout != want {
			t.Errorf("%s left: %d, want %d (%v)", left, b.Timeout, want, err)
		}
	}
}
