package e2e

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/e2e/fakeapi"
	"nod/e2e/rig"
	v1 "nod/internal/client/v1"
	"nod/internal/hub/store/pgtest"
)

// linkedMachine is a machine that keeps conversations and is linked to a hub elsewhere.
func linkedMachine(t *testing.T) (home, away *world) {
	t.Helper()
	home = newWorld(t, rig.Options{})
	return home, linkedTo(t, home)
}

func linkedTo(t *testing.T, home *world) (away *world) {
	t.Helper()
	token := filepath.Join(home.Home, "link.token")
	if err := os.WriteFile(token, []byte(home.ok(t, "hosts", "add", "laptop")), 0o600); err != nil {
		t.Fatal(err)
	}
	away = worldWithoutHub(t, rig.Options{})
	away.configure(t, "[[assistant]]\nname = \"butler\"\nabout = \"knows the laptop\"\n")
	away.startAs(t, "link", "--hub", home.url, "--token-file", token)
	return away
}

// A person at the hub opens a conversation with an assistant of the laptop, and sees
// its answer while it is written.
func TestDraftsOfALinkedMachine(t *testing.T) {
	t.Parallel()
	home, away := linkedMachine(t)
	seesItWrite(t, home, away)
}

// The laptop sends its drafts to one of two hubs, and a client reads at the other.
func TestDraftsAreSeenAtEveryHub(t *testing.T) {
	t.Parallel()
	hubs := sharingHubs(t, 2)
	seesItWrite(t, hubs[1], linkedTo(t, hubs[0]))
}

// sharingHubs are hubs on one PostgreSQL.
func sharingHubs(t *testing.T, n int) []*world {
	t.Helper()
	store := fmt.Sprintf("store = %q\n", pgtest.Start(t).Database(t))
	hubs := make([]*world, n)
	for i := range hubs {
		hubs[i] = worldWithoutHub(t, rig.Options{})
		hubs[i].writeConfig(t, store)
		hubs[i].startHub(t)
	}
	return hubs
}

// seesItWrite talks to the laptop's assistant through a hub.
func seesItWrite(t *testing.T, home, away *world) {
	t.Helper()
	call := fakeapi.Bash(`python3 -c "print('looked')"`)
	away.API.On("have a look", fakeapi.Use(call).WithText("Let me look at it."), fakeapi.Say("All is well."))
	rig.Until(t, "the butler of the laptop", func() bool {
		list, err := home.client.Assistants(t.Context())
		return err == nil && slices.ContainsFunc(list, func(a nod.Assistant) bool { return a.Name == "butler@laptop" && a.Host == "laptop" })
	}, home.evidence)
	a, err := home.client.Open(t.Context(), v1.NewConversation{ID: nod.AgentID("talk-" + rand.Text()), Assistant: "butler@laptop"})
	if err != nil {
		t.Fatal(err)
	}
	away.agent(t, "is the conversation", func(b *nod.Agent) bool { return b.ID == a.ID && b.Talk.Assistant == "butler" })
	pieces := make(chan nod.Draft, 100)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	go func() {
		defer close(pieces)
		for d, err := range home.client.Drafts(ctx, a.ID) {
			if err != nil {
				return
			}
			pieces <- d
		}
	}()
	home.say(t, a, "have a look", nod.Queue)
	text := ""
	for d := range pieces {
		if text += d.Text; strings.Contains(text, "Let me look at it.") {
			break
		}
	}
	if !strings.Contains(text, "Let me look at it.") {
		t.Fatalf("the stream ended after %q", text)
	}
	r := home.one(t) // it is in the middle of its answer
	home.ok(t, "allow", string(r.ID))
	over := false
	for d := range pieces {
		if over = d.Over; over {
			break
		}
	}
	if !over {
		t.Error("the stream ended before the answer did")
	}
	home.agent(t, "is idle again", func(b *nod.Agent) bool { return b.ID == a.ID && b.State == nod.AgentIdle })
	turns := home.ok(t, "log", "--json")
	if !strings.Contains(turns, "All is well.") {
		t.Errorf("the answer is not in the log of the hub")
	}
}
