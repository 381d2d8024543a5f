package auth_test

import (
	"net"
	"strings"
	"testing"

	"nod"
	"nod/internal/net/auth"
)

func judge(v auth.Verdict) auth.Judge { return func(net.Conn) auth.Verdict { return v } }

func TestActorOfTheSocket(t *testing.T) {
	person := auth.Verdict{Person: true, PID: 4711, User: "anna"}
	agent := auth.Verdict{Reason: "descends from agent process 12 (claude)", PID: 4712, User: "anna"}
	for _, tt := range []struct {
		name    string
		verdict auth.Verdict
		devices bool
		want    nod.Actor
	}{
		{"a person", person, false, nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal", ID: "pid 4711", Rights: all}},
		{"a person, answers from devices only", person, true, nod.Actor{Kind: nod.ActorPerson, Name: "anna at desk", Via: "terminal", ID: "pid 4711", Rights: nod.RightsOf(nod.Raise, nod.View)}},
		{"an agent", agent, false, nod.Actor{Kind: nod.ActorAgent, Name: "pid 4712: descends from agent process 12 (claude)", Via: "terminal", ID: "pid 4712", Rights: nod.RightsOf(nod.Raise)}},
		{"an agent, answers from devices only", agent, true, nod.Actor{Kind: nod.ActorAgent, Name: "pid 4712: descends from agent process 12 (claude)", Via: "terminal", ID: "pid 4712", Rights: nod.RightsOf(nod.Raise)}},
		{"nobody knows", auth.Verdict{}, false, nod.Actor{Kind: nod.ActorAgent, Name: "pid 0: ", Via: "terminal", ID: "pid 0", Rights: nod.RightsOf(nod.Raise)}},
	} {
		l := &auth.Local{Judge: judge(tt.verdict), Host: "desk", DevicesOnly: tt.devices}
		if got := l.Actor(nil, ""); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestRefusalNamesTheSetting(t *testing.T) {
	refused := nod.Errorf(nod.Forbidden, "no")
	l := &auth.Local{DevicesOnly: true}
	for _, right := range []nod.Right{nod.Answering, nod.Admin} {
		err := l.Explain(nod.Actor{Kind: nod.ActorPerson, Name: "anna"}, right, "do it", refused)
		if nod.CodeOf(err) != nod.Forbidden || !strings.Contains(nod.MessageOf(err), `answer = "devices"`) {
			t.Errorf("%s: %v", right, err)
		}
		for _, by := range []nod.ActorKind{nod.ActorAgent, nod.ActorDevice} {
			if err := l.Explain(nod.Actor{Kind: by}, right, "do it", refused); err != refused {
				t.Errorf("%s: %v", by, err)
			}
		}
	}
	if err := (&auth.Local{}).Explain(nod.Actor{Kind: nod.ActorPerson}, nod.Admin, "do it", refused); err != refused {
		t.Errorf("without the setting: %v", err)
	}
}

func TestViaName(t *testing.T) {
	for said, want := range map[string]string{
		"": "usual", "watch": "watch", "home-assistant_2.0": "home-assistant_2.0", strings.Repeat("a", 32): strings.Repeat("a", 32),
		strings.Repeat("a", 33): "usual", "Watch": "usual", "a b": "usual", "a\nb": "usual", "<b>": "usual", "ü": "usual", "a\x1b[0mb": "usual",
	} {
		if got := auth.ViaName(said, "usual"); got != want {
			t.Errorf("Door(%q) = %q, want %q", said, got, want)
		}
	}
}
