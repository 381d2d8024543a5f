package e2e

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"nod"
	"nod/e2e/fakeapi"
	v1 "nod/internal/client/v1"
)

// upload sends a file to the hub, as a person on its machine does.
func (w *world) upload(t *testing.T, name, text string) string {
	t.Helper()
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(w.data, "nod.sock"))
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", "http://nod/v1/attachments?name="+name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DialContext: dial}
	defer transport.CloseIdleConnections()
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var kept nod.Attachment
	if err := json.NewDecoder(res.Body).Decode(&kept); err != nil || kept.ID == "" {
		t.Fatalf("%s: %+v, %v", res.Status, kept, err)
	}
	return kept.ID
}

// A file for an agent of another machine is there before the agent gets its message.
func TestAFileForALinkedMachine(t *testing.T) {
	t.Parallel()
	home, away := linked(t)
	away.API.OnContaining("look at this", fakeapi.Say("seen"))
	s := away.StartTUI(t)
	a := home.agent(t, "can be spoken to", func(a *nod.Agent) bool { return a.Host == "laptop" && a.Able(nod.CanSay) })
	m := home.follow(t)
	id := nod.MessageID("msg-" + rand.Text())
	text := strings.Repeat("a line of a long report\n", 100_000)
	_, err := home.client.Say(t.Context(), a.ID, v1.NewMessage{ID: id, Text: "look at this", Files: []string{home.upload(t, "report.txt", text)}})
	if err != nil {
		t.Fatal(err)
	}
	m.reached(t, home, s, id, nod.Delivered)
	s.WaitScreen(t, "seen")
	var path string
	for _, r := range away.API.Requests() {
		for _, said := range r.UserTexts() {
			if found := regexp.MustCompile(`Attached file: (\S+)`).FindStringSubmatch(said); found != nil {
				path = found[1]
			}
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text || !strings.HasPrefix(path, away.data) {
		t.Errorf("the agent was shown %q: %d bytes, %v", path, len(got), err)
	}

	// A file that is not at the hub any more: the words fail, and say so.
	lost := home.upload(t, "lost.txt", "x")
	id = nod.MessageID("msg-" + rand.Text())
	away.killHub(t)
	if _, err := home.client.Say(t.Context(), a.ID, v1.NewMessage{ID: id, Text: "look at this too", Files: []string{lost}}); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(home.data, "attachments", lost)); err != nil {
		t.Fatal(err)
	}
	away.startAs(t, "link", "--hub", home.url, "--token-file", filepath.Join(home.Home, "link.token"))
	if got := m.reached(t, home, s, id, nod.Failed); !strings.Contains(got.Problem, "lost.txt") || !strings.Contains(got.Problem, "Send it again") {
		t.Errorf("it failed with %q", got.Problem)
	}
}
