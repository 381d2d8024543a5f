package talk

import (
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/internal/cli/clitest"
	"nod/internal/talk/scripted"
)

func TestChat(t *testing.T) {
	h := newTestHub(t, echo, "jarvis", "coder")
	got := h.nod(user{columns: 60, person: true, input: "hello\n/help\n/nonsense\n/etc/hosts\n/new coder\nmore\n/stop\n\n/quit\nnever\n"}, "chat")
	clitest.Check(t, got, 0, "You said: hello\nYou said: /etc/hosts\nYou said: more\n", "/help · Ctrl+C stops")
	for _, want := range []string{"jarvis\n", "a new conversation, also /new NAME", "There is no /nonsense here", "A new conversation with coder.", "There was nothing to stop", "The conversation stays"} {
		if !strings.Contains(got.Err, want) {
			t.Errorf("stderr lacks %q:\n%s", want, got.Err)
		}
	}
	if strings.Contains(got.Out, "never") {
		t.Error("it went on after /quit")
	}
	if list := h.conversations(); len(list) != 2 || !list[0].Alive() {
		t.Errorf("%d conversations", len(list))
	}
	old := h.nod(user{columns: 60, person: true, input: "/end\n"}, "chat", "--continue")
	clitest.Check(t, old, 0, "", "› more\nYou said: more\n")
	if n := slices.IndexFunc(h.conversations(), func(a *nod.Agent) bool { return !a.Alive() }); n < 0 {
		t.Error("/end ended nothing")
	}
}

func TestChatInAPipe(t *testing.T) {
	h := newTestHub(t, func(x *scripted.Turn) {
		if x.Message.Text == "fail" {
			x.Fail(nod.TroubleError, "it hurts")
			return
		}
		echo(x)
	}, "jarvis")
	got := h.nod(user{input: "one\ntwo\n"}, "chat")
	if got.Exit != 0 || got.Out != "You said: one\nYou said: two\n" || got.Err != "" {
		t.Errorf("%+v", got)
	}
	got = h.nod(user{input: "fail\ntwo\n"}, "chat")
	clitest.Check(t, got, 0, "You said: two\n", "jarvis on desk could not answer")
	clitest.Check(t, h.nod(user{input: "two\nfail\n"}, "chat"), 1, "You said: two\n", "it hurts")
}

func TestAChatThatSomebodyElseEnds(t *testing.T) {
	var h *testHub
	h = newTestHub(t, func(x *scripted.Turn) {
		x.Hear()
		if err := h.desk().Leave(t.Context(), x.Message.Agent); err != nil {
			t.Error(err)
		}
	}, "jarvis")
	got := h.nod(user{columns: 60, person: true, input: "hello\nmore\n"}, "chat")
	clitest.Check(t, got, 4, "", "That conversation is over")
}
