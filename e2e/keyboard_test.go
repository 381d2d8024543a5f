package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/surface/keyboard/fakekeyboard"
)

// A real Claude Code asks, the keys of a keyboard show what can be answered, and
// a press of one is the answer.
func TestAKeyAnswersClaudeCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash("touch pressed.txt") // what it would take more than a press to allow says "Open nod"
	w.API.On("press a key", fakeapi.Use(call), fakeapi.Say("thank you"))
	b := w.keyboard(t)
	s := w.StartTUI(t)
	s.Prompt(t, "press a key")
	r := w.one(t)
	yes := keyThatSays(t, b, "Yes")
	w.pressUntilSettled(t, b, yes, r.ID)
	if got := s.WaitToolResult(t, call.ID); got.IsError {
		t.Errorf("the model was told %+v", got)
	}
	if got := w.reached(t, r.ID, nod.StepApplied); got.Decision == nil || got.Decision.By != "desk keys" || got.Decision.Via != "keyboard" {
		t.Errorf("decided %+v", got.Decision)
	}
}

// What nod cannot look into is allowed by a second press, with the policy that ships.
func TestEverydayCommandIsPressedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	call := fakeapi.Bash("make test")
	w.API.On("test it", fakeapi.Use(call), fakeapi.Say("tested"))
	b := w.keyboard(t)
	s := w.StartTUI(t)
	s.Prompt(t, "test it")
	r := w.one(t)
	yes := keyThatSays(t, b, "Yes")
	rig.Until(t, "a key that asks again", func() bool {
		if b.Screens()[yes-1].Words() != "Sure?" {
			b.Press(yes)
		}
		return b.Screens()[yes-1].Words() == "Sure?"
	}, func() string { return fmt.Sprintf("%+v", b.Screens()) })
	if got := w.settledNow(t, r.ID); got {
		t.Fatal("one press allowed it")
	}
	w.pressUntilSettled(t, b, yes, r.ID)
	if got := w.reached(t, r.ID, nod.StepApplied); got.Decision == nil || got.Decision.Verdict != nod.VerdictAllow || got.Decision.Via != "keyboard" {
		t.Errorf("decided %+v", got.Decision)
	}
}

// An agent sets its own keys. A press sends it the text on the key.
func TestAnAgentSetsKeysForItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Args: append(mcpConfig(t), "--allowedTools", "mcp__nod__set_keyboard_buttons")})
	keys := fakeapi.Tool("mcp__nod__set_keyboard_buttons", map[string]any{"buttons": []string{"Ship it", "Wait", "More", "Help"}})
	w.API.On("offer keys", fakeapi.Use(keys), fakeapi.Say("what now?"))
	w.API.On("Ship it", fakeapi.Say("shipped"))
	b := w.keyboard(t)
	s := w.StartTUI(t)
	s.Prompt(t, "offer keys")
	s.WaitScreen(t, "what now?")
	shown := func() (list []string) {
		for _, screen := range b.Screens() {
			list = append(list, screen.Words())
		}
		return list
	}
	rig.Until(t, "its four keys, now that it waits", func() bool { return slices.Equal(shown(), []string{"Ship it", "Wait", "More", "Help"}) }, func() string { return fmt.Sprintf("%q", shown()) })
	rig.Until(t, "the words of the key", func() bool {
		if shown()[0] == "Ship it" {
			b.Press(1)
		}
		return strings.Contains(s.Screen(), "shipped")
	}, func() string { return fmt.Sprintf("%+v %v\n%s", b.Screens(), b.Faults(), s.Screen()) })
}

// keyboard connects one, with a token of its own.
func (w *world) keyboard(t *testing.T) *fakekeyboard.Board {
	t.Helper()
	token := strings.TrimSpace(w.ok(t, "token", "create", "--name", "desk keys", "--rights", "view,answer"))
	b := fakekeyboard.New(fakekeyboard.Options{
		Host: strings.TrimPrefix(w.url, "http://"), Images: w.url, Now: time.Now, Header: http.Header{"Authorization": {"Bearer " + token}},
	})
	if err := b.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Drop)
	return b
}

func keyThatSays(t *testing.T, b *fakekeyboard.Board, words string) (key int) {
	t.Helper()
	rig.Until(t, "a key that says "+words, func() bool {
		for i, screen := range b.Screens() {
			if screen.Words() == words {
				key = i + 1
			}
		}
		return key > 0
	}, func() string { return fmt.Sprintf("%+v %v %v", b.Screens(), b.Log(), b.Faults()) })
	return key
}

// An unknown keyboard shows a code, and its presses are ignored until a person has
// entered it.
func TestKeyboardIsPairedByItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{})
	b := fakekeyboard.New(fakekeyboard.Options{Host: strings.TrimPrefix(w.url, "http://"), Images: w.url, Now: time.Now})
	if err := b.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Drop)
	code := ""
	rig.Until(t, "a code on its keys", func() bool {
		code = ""
		for _, screen := range b.Screens() {
			code += screen.Words()
		}
		return len(code) == 4
	}, func() string { return fmt.Sprintf("%+v %v", b.Screens(), b.Faults()) })
	if out := w.ok(t, "pair", "keyboard"); !strings.Contains(out, "shows a code") {
		t.Errorf("the list says %q", out)
	}
	if out, exit := w.nod(t, "pair", "keyboard", "0000"); exit == 0 || !strings.Contains(out, "not the code") {
		t.Errorf("a wrong code: %d %q", exit, out)
	}
	w.ok(t, "pair", "keyboard", strings.ToLower(code), "--name", "desk")
	if out := w.ok(t, "pair", "keyboard"); !strings.Contains(out, "connected") || !strings.Contains(out, "desk") {
		t.Errorf("the list says %q", out)
	}
	call := fakeapi.Bash("touch pressed.txt")
	w.API.On("press a key", fakeapi.Use(call), fakeapi.Say("thank you"))
	s := w.StartTUI(t)
	s.Prompt(t, "press a key")
	r := w.one(t)
	no := keyThatSays(t, b, "No")
	w.pressUntilSettled(t, b, no, r.ID)
	if got := w.settled(t, r.ID); got.Decision == nil || got.Decision.By != "desk" || got.Decision.Verdict != nod.VerdictDeny {
		t.Errorf("decided %+v", got.Decision)
	}
}

// The options of a question through ask_person are on the keys.
func TestAKeyAnswersAskPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Args: append(mcpConfig(t), "--allowedTools", "mcp__nod__ask_person")})
	ask := fakeapi.Tool("mcp__nod__ask_person", map[string]any{"question": "Which DB?", "options": []string{"Postgres", "SQLite"}})
	w.API.On("choose", fakeapi.Use(ask), fakeapi.Say("chosen"))
	b := w.keyboard(t)
	p := w.StartPrint(t, "choose")
	r := w.one(t)
	w.pressUntilSettled(t, b, keyThatSays(t, b, "SQLite"), r.ID)
	if got := p.Wait(t); got.ExitCode != 0 || !strings.Contains(got.Stdout, "chosen") {
		t.Errorf("%+v", got)
	}
	if told, _ := w.API.ToolResult(ask.ID); !strings.Contains(told.Text, "The person answered: SQLite") || told.IsError {
		t.Errorf("the model was told %+v", told)
	}
	if got := w.settled(t, r.ID); got.Decision == nil || got.Decision.Via != "keyboard" {
		t.Errorf("decided %+v", got.Decision)
	}
}

func (w *world) settledNow(t *testing.T, id nod.RequestID) bool {
	t.Helper()
	got, err := w.client.Request(t.Context(), string(id))
	if err != nil {
		t.Fatal(err)
	}
	return got.Settled()
}

// A key that has just changed answers nothing: it is pressed again, as a person would.
func (w *world) pressUntilSettled(t *testing.T, b *fakekeyboard.Board, key int, id nod.RequestID) {
	t.Helper()
	rig.Until(t, "the answer of the key", func() bool {
		b.Press(key)
		got, err := w.client.Request(t.Context(), string(id))
		return err == nil && got.Settled()
	}, func() string { return fmt.Sprintf("%+v %v", b.Screens(), b.Faults()) })
}

// The rules fill the keys at once. A small model takes longer, and its choice replaces
// theirs, because no key was pressed meanwhile.
func TestASmallModelImprovesTheKeys(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	w.configure(t, "[advise]\nmodel = \"haiku\"\n")
	w.startHub(t)
	release := make(chan struct{})
	choice := fakeapi.Tool("StructuredOutput", map[string]any{"replies": []string{"push", "summary"}})
	w.API.On("test it", fakeapi.Say("All tests pass."))
	w.API.OnContaining("-----message-----", fakeapi.Use(choice).Until(release), fakeapi.Say("done"))
	b := w.keyboard(t)
	s := w.StartTUI(t)
	s.Prompt(t, "test it")
	keyThatSays(t, b, "Commit")
	close(release)
	keyThatSays(t, b, "Push")
	keyThatSays(t, b, "Summary")
	if list, err := w.client.Agents(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("the model became an agent: %d, %v", len(list), err)
	}
	for _, r := range w.API.Requests() {
		if r.Told("-----message-----") && !strings.Contains(r.Model, "haiku") {
			t.Errorf("%s was asked", r.Model)
		}
	}
}
