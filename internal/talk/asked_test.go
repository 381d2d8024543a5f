package talk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
	"nod/internal/talk"
)

func TestAloud(t *testing.T) {
	en, pl, ja := words.In(words.English), words.In(words.Polish), words.In(words.Japanese)
	lamps := []nod.Question{{Text: "Which lamp?", Choices: []nod.Choice{{Label: "Hall"}, {Label: "Kitchen `lamp`"}}}}
	for _, c := range []struct {
		say  words.Printer
		r    nod.Request
		want string
	}{
		{en, nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"rm -rf build"}`)}, "Run rm, recursive, force, build? Say yes or no."},
		{pl, nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}, "Uruchomić ls? Powiedz tak lub nie."},
		{ja, nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}, "ls を実行。はい、か、いいえで答えてください。"},
		{en, nod.Request{Tool: "mcp__ha__HassLightSet", Input: json.RawMessage(`{"area":"hall","brightness":50,"domain":["light"],"name":"big lamp"}`)}, "Light set big lamp, hall, brightness 50, light? Say yes or no."},
		{en, nod.Request{Tool: "mcp__ha__GetLiveContext", Input: json.RawMessage(`{}`)}, "Get live context? Say yes or no."},
		{en, nod.Request{Tool: "Write", Title: "/home/anna/notes.md", Input: json.RawMessage(`{"file_path":"x"}`)}, "Use Write: notes.md in anna? Say yes or no."},
		{pl, nod.Request{Tool: "Confirm", Title: "wyłącz wszystko"}, "Wyłącz wszystko? Powiedz tak lub nie."},
		{en, nod.Request{Tool: "Confirm", Title: "Turn off *all* lights?"}, "Turn off all lights? Say yes or no."},
		{en, nod.Request{Tool: "Bash", Input: json.RawMessage(`{"command":"` + strings.Repeat("a b ", 20) + `"}`)}, "It wants something too long to read out. Confirm it on a screen, or say no."},
		{en, nod.Request{Tool: "Wipe", Title: "disk", Risk: &nod.Risk{Level: "destructive"}}, "Use Wipe: disk. Confirm it on a screen, or say no."},
		{en, nod.Request{Kind: nod.KindPlan, Title: "A plan"}, "It has a plan. Confirm it on a screen, or say no."},
		{en, nod.Request{Kind: nod.KindElicitation, Title: "A form"}, "It has a form to fill in. Confirm it on a screen, or say no."},
		{en, nod.Request{Kind: nod.KindQuestion, Questions: lamps}, "Which lamp? 1: Hall. 2: Kitchen lamp. Say a number or a name."},
		{pl, nod.Request{Kind: nod.KindQuestion, Questions: []nod.Question{{Text: "Kiedy?", FreeText: true}}}, "Kiedy? Powiedz odpowiedź."},
		{en, nod.Request{Kind: nod.KindQuestion, Title: "Two", Questions: append(lamps, lamps...)}, "It has a form to fill in. Confirm it on a screen, or say no."},
	} {
		if c.r.Kind == "" {
			c.r.Kind, c.r.OneTap = nod.KindApproval, true
		}
		if got := talk.Aloud(c.say, &c.r); got != c.want {
			t.Errorf("%s %s\nis asked %q\nwant     %q", c.r.Tool, c.r.Title, got, c.want)
		}
	}
}

func TestUsageLimitTextNamesItsReset(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	until := now.Add(90 * time.Minute)
	o := talk.Outcome{Trouble: nod.TroubleLimit, Agent: &nod.Agent{Until: &until}}
	if got := talk.TroubleText(words.In(words.Polish), o, now); got != "Claude wyczerpał limit. Może działać dalej za: 1 godzina." {
		t.Errorf("%q", got)
	}
	if got := talk.TroubleText(words.In(words.Polish), o, until); got != "Claude wyczerpał limit." {
		t.Errorf("afterwards: %q", got)
	}
}
