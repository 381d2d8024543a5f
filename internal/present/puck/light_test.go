package puck

import (
	"strings"
	"testing"

	"nod/internal/present/words"
)

func TestRing(t *testing.T) {
	for _, c := range []struct {
		light Light
		want  string
	}{
		{Light{Mode: Off}, "............  off"},
		{Light{Mode: Solid, Color: LightGreen}, "gggggggggggg  solid lt_green"},
		{Light{Mode: Solid, Color: "mauve"}, "............  solid mauve"},
		{Light{Mode: Blink, Color: Red}, "R*R*R*R*R*R*R*R*R*R*R*R*  blink red"},
		{Light{Mode: Progress, Completed: 2, Current: 3}, "GGO*.........  progress"},
		{Light{Mode: Progress, Completed: 11, Current: 12}, "GGGGGGGGGGGO*  progress"},
		{Light{Mode: Progress, Completed: 14, Current: 15}, "GGGGGGGGGGGO*  progress"},
		{Light{Mode: Progress, Completed: 12}, "GGGGGGGGGGGG  progress"},
		{Light{Mode: Segments, Options: 1, Selected: 1}, "AAAAAAAAAAAA  choice"},
		{Light{Mode: Segments, Options: 2, Selected: 2}, "aaaaaaBBBBBB  choice"},
		{Light{Mode: Segments, Options: 5, Selected: 3}, "aabbCCCddeee  choice"},
		{Light{Mode: Segments}, "............  choice"},
		{Light{Mode: Drain, Color: White, Percent: 100}, "wwwwwwwwwwww  timer white"},
		{Light{Mode: Drain, Color: White, Percent: 91}, ".wwwwwwwwwww  timer white"},
		{Light{Mode: Drain, Color: White, Percent: 1}, "...........w  timer white"},
		{Light{Mode: Drain, Color: White, Percent: 0}, "............  timer white"},
		{Light{Mode: Drain, Color: White, Percent: 400}, "wwwwwwwwwwww  timer white"},
	} {
		if got := draw(c.light); got != c.want {
			t.Errorf("%+v: %s, want %s", c.light, got, c.want)
		}
	}
}

func TestRingFadesWithEveryTurn(t *testing.T) {
	last := 256
	for _, turn := range []int{1, 3, 5, 7, 9, 11} {
		now := int(Age(turn).RGB().R)
		if Age(turn) != Age(turn+1) || now >= last {
			t.Errorf("turn %d is %s, turn %d is %s", turn, Age(turn), turn+1, Age(turn+1))
		}
		last = now
	}
	if Age(0) != White || Age(1000) != Faint || Faint.RGB() == (RGB{}) {
		t.Error("the first and the last colour are wrong")
	}
}

// Every sentence can be said in every language, with everything filled in.
func TestEverythingCanBeSaid(t *testing.T) {
	keys := map[Say]bool{SayAnswer: true, SayError: true}
	for _, s := range Sentences() {
		keys[s.Key] = true
	}
	for _, row := range Table() {
		for _, d := range row.Do {
			if d.Say != "" && !keys[d.Say] {
				t.Errorf("nothing is known of %q", d.Say)
			}
		}
	}
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		say := words.In(lang)
		for key := range keys {
			for _, code := range []string{"", MQTTTimeout, NoResponseCode, MQTTDisconnect, AutomationError, ParseError, HTTPError} {
				text := Speech{
					Key: key, Text: "text", Command: "make", Question: "Which?", Option: "one.", Options: []string{"one", "two"},
					Index: 1, Total: 3, Code: code, Detail: "10s",
				}.In(say)
				if text == "" || strings.Contains(text, "%!") || strings.Contains(text, "..") {
					t.Errorf("%s %s in %v: %q", key, code, lang, text)
				}
			}
		}
	}
}

func TestPrompts(t *testing.T) {
	en := words.In(words.English)
	for want, s := range map[string]Speech{
		"Run make?":                  {Key: SayPrompt, Command: "make"},
		"Turn off the lamp?":         {Key: SayPrompt, Text: "Turn off the lamp."},
		"2 of 3: run make?":          {Key: SayPromptOf, Command: "make", Index: 2, Total: 3},
		"2 of 3: Turn off the lamp?": {Key: SayPromptOf, Text: "Turn off the lamp?", Index: 2, Total: 3},
		"No response on claude response after 2 minutes.": {Key: SayError, Code: NoResponseCode, Detail: "2m"},
		"It has a plan. Allow it on a screen, or say no.": {Key: SayScreenOnly, Text: "It has a plan"},
	} {
		if got := s.In(en); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
