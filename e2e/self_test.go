package e2e

import (
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
)

var clientAll = client.Filter{Limit: 100}

// The agent runs as the same user on the same machine. It must not be able to
// answer: not another agent's request, not its own, not detached from its
// session, not by making itself a token.
func TestAnAgentCannotAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, rig.Options{Settings: []byte(`{"permissions":{"allow":["Bash"]}}`)})
	// A request that waits, of a session that is asked before everything.
	w.API.On("ask first", fakeapi.Use(questions(question("Really?", false, "Yes", "No"))), fakeapi.Say("asked"))
	s := w.StartTUI(t)
	s.Prompt(t, "ask first")
	victim := w.one(t)
	id := string(victim.ID)
	sock := w.data + "/nod.sock"
	for _, attempt := range []struct{ name, command string }{
		{"nod answer", binary + " answer " + id + " Yes"},
		{"nod deny", binary + " deny " + id},
		{"detached, with its marks", "setsid -f " + binary + " answer " + id + " Yes > attempt.log 2>&1; while [ ! -s attempt.log ]; do sleep 0.05; done; cat attempt.log; false"},
		{"without marks, still a child", "env -i NOD_DATA=" + w.data + " " + binary + " answer " + id + " Yes"},
		{"curl", `test "$(curl -s -o attempt.json -w '%{http_code}' --unix-socket ` + sock + ` -H 'Content-Type: application/json' -d '{"verdict":"deny"}' http://nod/v1/requests/` + id + `/decision)" = 200 || { cat attempt.json; false; }`},
		{"a token of its own", binary + " token create --name me --rights answer"},
		{"a pairing code", binary + " pair"},
		{"reading the requests", binary + " requests"},
	} {
		t.Run(attempt.name, func(t *testing.T) {
			call := fakeapi.Bash(attempt.command)
			prompt := "try " + attempt.name
			w.API.On(prompt, fakeapi.Use(call), fakeapi.Say("tried"))
			if got := w.RunPrint(t, prompt); got.ExitCode != 0 {
				t.Fatalf("%+v", got)
			}
			got, ok := w.API.ToolResult(call.ID)
			if !ok || !got.IsError || !strings.Contains(got.Text, "agent") {
				t.Errorf("the attempt gave %+v", got)
			}
		})
	}
	r, err := w.client.Request(t.Context(), id)
	if err != nil || r.Status != nod.Pending {
		t.Fatalf("the request is %v, %v", r.Status, err)
	}
	entries, err := w.client.Log(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, e := range entries {
		if strings.Contains(string(e.Event), `"kind":"access.refused"`) {
			refused++
		}
	}
	if refused < 8 {
		t.Errorf("%d attempts are recorded", refused)
	}
	w.ok(t, "answer", id, "Yes") // a person still can
	s.WaitScreen(t, "asked")
}
