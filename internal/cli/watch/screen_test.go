package watch

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/present/words"
)

func TestOnlyCardsOnScreenAreReportedAsShown(t *testing.T) {
	var many []*nod.Request
	for i := range 20 {
		r := clitest.GoTestRequest()
		r.ID = nod.RequestID(string(rune('a'+i)) + "0000000")
		r.AskedAt = clitest.Noon.Add(time.Duration(i) * time.Second)
		many = append(many, r)
	}
	s := newRig(t, many...)
	before := len(s.shown)
	if before == 0 || before > 7 {
		t.Errorf("%d of 20 cards were reported at once on 24 lines", before)
	}
	s.sees("more below")
	for range 19 {
		s.press("j")
	}
	s.sees("more above")
	if len(s.shown) != 20 {
		t.Errorf("%d of 20 were reported after reading all", len(s.shown))
	}
}

func TestALongCommandIsReadBeforeItIsAllowed(t *testing.T) {
	s := newRig(t, clitest.EvilRequest(strings.Repeat("echo more; ", 90_000)+"rm -rf /srv"))
	s.sees("rm -rf /srv") // the end always shows
	s.sees("not all of it fits here")
	s.press("a")
	s.wasSent()
	s.sees("lines 1–")
	s.press("end")
	s.sees("rm -rf /srv")
	s.press("a")
	if len(s.sent) != 1 {
		t.Errorf("sent %q", s.sent)
	}
}

func TestEveryScreenFits(t *testing.T) {
	keys := [][]string{{}, {"A"}, {"d"}, {"e"}, {"s"}, {"X"}, {"L"}, {"R"}, {"enter"}, {"?"}, {"j"}, {"j", "2"}, {"j", "enter"}, {"j", "j"}}
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		for _, width := range []int{60, 100} {
			for _, press := range keys {
				s := newRig(t, clitest.PushRequest(), clitest.AskRequest(), clitest.PlanRequest(), clitest.EvilRequest(clitest.Evil+strings.Repeat("日本語 ", 400)))
				s.m.Printer = words.In(lang)
				s.update(tea.WindowSizeMsg{Width: width, Height: 24})
				s.press(press...)
				checkFits(t, s.screen(), width, 24)
			}
		}
	}
}

func checkFits(t *testing.T, screen string, width, height int) {
	t.Helper()
	lines := strings.Split(screen, "\n")
	if len(lines) > height {
		t.Errorf("%d lines on a screen of %d:\n%s", len(lines), height, screen)
	}
	for _, l := range lines {
		if lipgloss.Width(l) > width {
			t.Errorf("%d cells in %d columns: %q", lipgloss.Width(l), width, l)
		}
		if strings.IndexFunc(l, clitest.Dangerous) >= 0 {
			t.Errorf("a raw character: %q", l)
		}
	}
}

func TestEditsOfAWholeInput(t *testing.T) {
	r := clitest.GoTestRequest()
	r.EditField, r.Input = "", json.RawMessage(`{"path":"a"}`)
	s := newRig(t, r)
	s.press("e", "backspace", "backspace", "backspace")
	s.typeText(`b"}`)
	s.press("enter")
	s.wasSent(`c0ffee11 {"verdict":"allow","input":{"path":"b"}}`)
}

func TestPasteGoesOnlyIntoALine(t *testing.T) {
	s := newRig(t, clitest.GoTestRequest())
	s.update(tea.PasteMsg{Content: "a"})
	s.wasSent()
	s.press("d")
	s.update(tea.PasteMsg{Content: "use\nmake \x1b[31m"})
	s.sees("use ⏎ make ⟨ESC⟩[31m")
}
