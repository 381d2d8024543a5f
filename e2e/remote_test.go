package e2e

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	"nod/internal/client"
)

// An agent on another machine reaches the hub by its address, with a token that
// can raise and nothing else; a person there answers with a token that can.
func TestAnotherHost(t *testing.T) {
	t.Parallel()
	home := worldWithoutHub(t, rig.Options{})
	home.startHub(t)
	h, err := home.client.Health(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	token := func(rights string) string {
		return strings.TrimSpace(home.ok(t, "token", "create", "--name", "laptop "+rights, "--rights", rights))
	}
	raiser, answerer := token("raise"), token("view,answer")

	// away shares nothing with home but the address: its own data directory, no socket.
	away := worldWithoutHub(t, rig.Options{Env: map[string]string{"NOD_URL": h.Listen, "NOD_TOKEN": raiser}})
	call := fakeapi.Bash(`python3 -c "print('far away')"`)
	away.API.On("go", fakeapi.Use(call), fakeapi.Say("over"))
	s := away.StartTUI(t)
	s.Prompt(t, "go")
	r := home.one(t)
	if a := home.agent(t, "asks", func(a *nod.Agent) bool { return a.ID == r.Agent.ID }); a.Process.Local {
		t.Error("the agent is taken for one of this machine")
	}
	c, err := client.Remote(h.Listen, raiser, "test")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Decide(t.Context(), r.ID, nod.Answer{Verdict: nod.VerdictAllow}); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("the hook's token answered: %v", err)
	}
	if _, err := c.State(t.Context()); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("the hook's token looked: %v", err)
	}
	cmd := exec.Command(binary, "allow", string(r.ID))
	cmd.Env = append(away.env(), "NOD_URL="+h.Listen, "NOD_TOKEN="+answerer)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := s.WaitToolResult(t, call.ID); strings.TrimSpace(got.Text) != "far away" {
		t.Errorf("the model was told %+v", got)
	}
	home.reached(t, r.ID, nod.StepApplied)

	// A terminal answer shows here too: the hook itself looks at the status file.
	again := fakeapi.Bash(`python3 -c "print('by hand')"`)
	away.API.On("again", fakeapi.Use(again), fakeapi.Say("over again"))
	s.WaitStatus(t, "idle")
	s.Prompt(t, "again")
	r = home.one(t)
	s.Answer(t, "1")
	if r = home.settled(t, r.ID); r.Status != nod.Withdrawn {
		t.Errorf("%s", r.Status)
	}
}

func TestASecondHubOnTheSameDataIsRefused(t *testing.T) {
	t.Parallel()
	w := worldWithoutHub(t, rig.Options{})
	w.startHub(t)
	cmd := exec.Command(binary, "serve", "--listen", "127.0.0.1:0")
	cmd.Env = w.env()
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := cmd.Wait(); err == nil || !strings.Contains(line, "already uses") {
		t.Errorf("%v: %s", err, line)
	}
	if _, err := w.client.Health(t.Context()); err != nil {
		t.Errorf("the first hub: %v", err)
	}
}
