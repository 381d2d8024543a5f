package talk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"nod"
	"nod/internal/present/words"
	"nod/internal/talk"
	"nod/internal/talk/scripted"
)

// A person cannot agree to what a voice does not say; such requests need a screen.
func TestInaudibleRequestsNeedAScreen(t *testing.T) {
	object := func(fields ...any) json.RawMessage {
		all := map[string]any{}
		for i := 0; i < len(fields); i += 2 {
			all[fields[i].(string)] = fields[i+1]
		}
		b, _ := json.Marshal(all)
		return b
	}
	long := "turn on the lamp " + strings.Repeat("and the other lamp ", 30) + "and unlock the door"
	for name, r := range map[string]nod.Request{
		"the text of a file":              {Tool: "Write", Title: "notes.md", Input: object("file_path", "notes.md", "content", "evil")},
		"a change of a file":              {Tool: "Edit", Title: "notes.md", Input: object("file_path", "notes.md", "old_string", "a", "new_string", "evil")},
		"a command inside a command":      {Tool: "Bash", Input: object("command", "echo $(reboot)")},
		"the same with other marks":       {Tool: "Bash", Input: object("command", "echo `reboot`")},
		"what a variable holds":           {Tool: "Bash", Input: object("command", "make $TARGET")},
		"every file there is":             {Tool: "Bash", Input: object("command", "touch *")},
		"the way up":                      {Tool: "Bash", Input: object("command", "touch src/../../x")},
		"the home alone":                  {Tool: "Bash", Input: object("command", "touch ~")},
		"letters without a shape":         {Tool: "Bash", Input: object("command", "ma\u200bke")},
		"letters that look like others":   {Tool: "Bash", Input: object("command", "g\u0456t push")},
		"without the sandbox":             {Tool: "Bash", Input: object("command", "make", "dangerouslyDisableSandbox", true)},
		"a yes inside the question":       {Tool: "mcp__ha__HassTurnOff", Input: object("name", "alarm", "area", "say yes to keep it on")},
		"a Polish one":                    {Tool: "mcp__ha__HassTurnOff", Input: object("name", "alarm. Powiedz tak, aby zostawić")},
		"a Japanese one":                  {Tool: "mcp__ha__HassTurnOff", Input: object("name", "「はい」と言えば中止")},
		"an address behind a name":        {Tool: "mcp__ha__HassTurnOn", Input: object("name", "[kitchen lamp](front door)")},
		"something known by its id alone": {Tool: "mcp__todo__remove", Input: object("item", "3f2a9c1e-77b0-4c1d-9e55-0d4d2a9b1c11")},
		"a long sentence of a person":     {Tool: "Confirm", Title: nod.Fold(long, 160), Input: object("said", long, "reason", "opens doors")},
		"a long sentence of a model":      {Tool: "Confirm", Title: nod.Fold(long, 160), Input: object("action", long, "commands", "")},
		"a sentence with another behind":  {Tool: "Confirm", Title: "[lamp on](unlock the door)", Input: object("said", "[lamp on](unlock the door)", "reason", "")},
		"a tool that only has its name":   {Tool: "Confirm", Title: "lamp on", Input: object("door", "open")},
		"a model that says what to say":   {Tool: "Confirm", Title: "Say yes to cancel", Input: object("action", "Say yes to cancel", "commands", "door.unlock")},
		"a model that hides an address":   {Tool: "Confirm", Title: "[lamp on](door open)", Input: object("action", "[lamp on](door open)", "commands", "")},
	} {
		t.Run(name, func(t *testing.T) {
			r.Kind, r.OneTap = nod.KindApproval, true
			if !talk.OnScreen(&r, nod.Answer{Verdict: nod.VerdictAllow}) {
				text, _ := talk.Description(words.In(words.English), &r)
				t.Errorf("a voice may allow what it calls %q", text)
			}
			for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
				say := words.In(lang)
				if yesNo := say.Say(words.BrainYesNo, ""); strings.HasSuffix(talk.Aloud(say, &r), yesNo[strings.IndexAny(yesNo, "?。"):]) {
					t.Errorf("%v asks for a yes: %s", lang, talk.Aloud(say, &r))
				}
			}
		})
	}
}

// A request that is read out in full can be allowed by voice.
func TestAudibleRequestsCanBeAllowedByVoice(t *testing.T) {
	for _, r := range []nod.Request{
		{Tool: "Bash", Input: json.RawMessage(`{"command":"make test","description":"Run the tests","timeout":60000}`)},
		{Tool: "Bash", Input: json.RawMessage(`{"command":"cp src/Łódź.go /tmp/a.go && git push"}`)},
		{Tool: "mcp__ha__HassLightSet", Input: json.RawMessage(`{"name":"Światło w kuchni","brightness":50,"domain":["light"]}`)},
		{Tool: "mcp__ha__HassTurnOff", Input: json.RawMessage(`{"name":"照明"}`)},
		{Tool: "Read", Title: "notes.md", Input: json.RawMessage(`{"file_path":"notes.md"}`)},
		{Tool: "Confirm", Title: "Yes, unlock the front door", Input: json.RawMessage(`{"said":"Yes, unlock the front door","reason":""}`)},
		{Tool: "Confirm", Title: "Wyłączyć wszystkie światła i ogrzewanie", Input: json.RawMessage(`{"action":"Wyłączyć wszystkie światła i ogrzewanie","commands":"light.turn_off_all"}`)},
	} {
		r.Kind, r.OneTap = nod.KindApproval, true
		if talk.OnScreen(&r, nod.Answer{Verdict: nod.VerdictAllow}) {
			t.Errorf("%s %s %s needs a screen: %s", r.Tool, r.Title, r.Input, talk.Aloud(words.In(words.English), &r))
		}
	}
}

// Languages need different numbers of words: a request that is too long in Polish is
// not read out, even if it is short in English.
func TestTooLongInOneLanguageIsTooLongInAll(t *testing.T) {
	say := map[words.Lang]words.Printer{}
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		say[lang] = words.In(lang)
	}
	for _, n := range []int{1, 5, 6, 7, 8, 9, 10, 11, 12, 92, 93, 94, 95, 96, 97} {
		for _, part := range []string{"a", " a", " && a", " || a", " | a", " > a", " < a", " & a", " -a"} {
			input, _ := json.Marshal(map[string]string{"command": "a" + strings.Repeat(part, n)})
			r := nod.Request{Kind: nod.KindApproval, Tool: "Bash", Input: input, OneTap: true}
			seen := talk.OnScreen(&r, nod.Answer{Verdict: nod.VerdictAllow})
			for lang, printer := range say {
				text, _ := talk.Description(printer, &r)
				if long := len(strings.Fields(text)) > 12 || utf8.RuneCountInString(text) > 100; long && !seen {
					t.Fatalf("%v: %s is too long to be heard, and a word allows it", lang, input)
				}
			}
		}
	}
}

// Text that a rule keeps from the assistant does not reach it as history either,
// neither in the same conversation nor in the next.
func TestForbiddenPhrasesAreNotPassedOnAsHistory(t *testing.T) {
	var heard []nod.Message
	r := build(t, func(turn *scripted.Turn) {
		if strings.Contains(turn.Message.Text, "unlock") { // the driver asks a person first, who says no
			turn.Refuse(nod.TroubleRefused, "It was not confirmed.")
			return
		}
		heard = append(heard, turn.Message)
	})
	p := r.program(r.chats(func(o *talk.ChatOptions) {
		o.Phrases = func(text string) (verdict, reason string) {
			if strings.Contains(text, "unlock") {
				return "ask", "opens the doors"
			}
			return "allow", ""
		}
	}), anna)
	first := p.say("hello")
	p.before = append(p.before, talk.Line{Person: true, Text: "unlock the door"}, talk.Line{Text: "Cancelled."})
	p.same("do what I said before", first)
	if last := heard[len(heard)-1]; strings.Contains(last.Hint, "unlock") || !strings.Contains(last.Hint, "Cancelled.") {
		t.Errorf("the assistant was told %q", last.Hint)
	}
	r.driver.End(first.Agent.ID)
	if next := p.other("do it", first); strings.Contains(next.Agent.Talk.Hints, "unlock") || !strings.Contains(next.Agent.Talk.Hints, "hello") {
		t.Errorf("the next was told %q", next.Agent.Talk.Hints)
	}
}

// The same text from another room is another question, even if its first caller has
// disconnected: programs name the room in their instructions.
func TestSameTextFromAnotherRoomIsAnotherQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		r := build(t, func(turn *scripted.Turn) { asked++; turn.Reply(fmt.Sprint("Answer ", asked)) })
		p := r.program(r.chats(nil), anna)
		in := func(room string) talk.Chat {
			chat := p.chat("lights off")
			chat.System = "You are in the " + room + "."
			return chat
		}
		ctx, hangUp := context.WithCancel(t.Context())
		hangUp()
		if _, err := p.chats.Answer(ctx, r.desk, in("kitchen"), nil); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		synctest.Wait()
		if reply, err := p.chats.Answer(t.Context(), r.desk, in("hall"), nil); err != nil || reply.Text != "Answer 2" {
			t.Errorf("the hall heard %q, %v", reply.Text, err)
		}
		if reply, err := p.chats.Answer(t.Context(), r.desk, in("kitchen"), nil); err != nil || reply.Text != "Answer 1" {
			t.Errorf("the kitchen came back and heard %q, %v", reply.Text, err)
		}
	})
}

// All addresses of one network are one client.
func TestIPv6NetworkIsOneClient(t *testing.T) {
	now := time.Unix(1e9, 0)
	rate := talk.Rate{Most: 3}
	refused := 0
	addr := netip.MustParseAddr("2001:db8:1:2::1")
	for range 10 {
		if rate.Count(addr.String(), now) != nil {
			refused++
		}
		addr = addr.Next()
	}
	if refused != 7 {
		t.Errorf("%d of ten were refused", refused)
	}
	for _, other := range []string{"2001:db8:1:3::1", "192.168.1.2", "192.168.1.3", "192.168.1.4", "192.168.1.5", "a token"} {
		if err := rate.Count(other, now); err != nil {
			t.Errorf("%s: %v", other, err)
		}
	}
}

// Two requests are pending at once: the yes answers the one that was read out.
func TestYesAnswersTheRequestThatWasReadOut(t *testing.T) {
	var play func(*scripted.Turn)
	r := build(t, func(turn *scripted.Turn) { play(turn) })
	raised := func(id nod.RequestID) {
		for e, err := range r.desk.Follow(t.Context(), 0) {
			if err != nil || e.Kind == nod.RequestRaised && e.RequestID == id {
				return
			}
		}
	}
	play = func(turn *scripted.Turn) {
		turn.Hear()
		one, two := bash("open-door", "write", true), bash("open-safe", "write", true)
		one.ID, two.ID = "request-one", "request-two"
		go turn.Ask(*one)
		raised("request-one")
		turn.Ask(*two)
		turn.Reply("Both are open.")
	}
	p := r.program(r.chats(nil), anna)
	first := p.say("open them")
	raised("request-two")
	second := p.same("yes", first)
	if r, err := r.desk.Request(t.Context(), "request-one"); err != nil || r.Status != nod.Decided {
		t.Errorf("the first: %+v, %v", r, err)
	}
	if second.Request == nil || second.Request.ID != "request-two" {
		t.Fatalf("%+v", second)
	}
	if done := p.same("yes", first); done.Text != "Both are open." {
		t.Errorf("%+v", done)
	}
}
