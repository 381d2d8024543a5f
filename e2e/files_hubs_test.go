//go:build full

package e2e

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
)

// shown is the path of the last file in a prompt on a machine.
func (w *world) shown() (path string) {
	for _, r := range w.API.Requests() {
		for _, said := range r.UserTexts() {
			for _, found := range regexp.MustCompile(`Attached file: (\S+)`).FindAllStringSubmatch(said, -1) {
				path = found[1]
			}
		}
	}
	return path
}

// Three hubs on one PostgreSQL, and a balancer that gives every step to another of
// them: one gets a file, one the message that names it, and the agent lives with the
// third, or on a laptop whose link asks a hub that never saw the file. What the agent
// is told is where the file lies on its own machine.
func TestAFileReachesTheAgentOfAnotherHub(t *testing.T) {
	t.Parallel()
	hubs := sharingHubs(t, 3)
	got, told, home := hubs[0], hubs[1], hubs[2]
	token := filepath.Join(home.Home, "link.token")
	if err := os.WriteFile(token, []byte(home.ok(t, "hosts", "add", "laptop")), 0o600); err != nil {
		t.Fatal(err)
	}
	laptop := worldWithoutHub(t, rig.Options{})
	laptop.startAs(t, "link", "--hub", home.url, "--token-file", token)

	for _, machine := range []*world{home, laptop} {
		machine.API.OnContaining("look at this", fakeapi.Say("seen"))
	}
	terminals := map[*world]*rig.TUI{home: home.StartTUI(t), laptop: laptop.StartTUI(t)}
	m := told.follow(t)
	for machine, s := range terminals {
		a := told.agent(t, "can be spoken to", func(a *nod.Agent) bool {
			return a.Able(nod.CanSay) && (a.Host == "laptop") == (machine == laptop)
		})
		text, id := strings.Repeat("a line of a long report\n", 100_000), nod.MessageID("msg-"+rand.Text())
		if _, err := told.client.Say(t.Context(), a.ID, v1.NewMessage{ID: id, Text: "look at this", Files: []string{got.upload(t, "report.txt", text)}}); err != nil {
			t.Fatal(err)
		}
		m.reached(t, told, s, id, nod.Delivered)
		s.WaitScreen(t, "seen")
		path := machine.shown()
		if read, err := os.ReadFile(path); err != nil || string(read) != text || !strings.HasPrefix(path, machine.data+"/attachments/") {
			t.Errorf("the agent was shown %q: %d bytes, %v", path, len(read), err)
		}
	}
	if _, err := told.client.Say(t.Context(), "any", v1.NewMessage{ID: "msg-" + nod.MessageID(rand.Text()), Text: "x", Files: []string{"nosuchfile"}}); err == nil || !strings.Contains(err.Error(), "send it again") {
		t.Errorf("a file that nobody sent: %v", err)
	}
}
