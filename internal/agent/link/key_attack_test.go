package link

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/hub"
)

// A key press is for the moment: a machine that comes back hours later must not switch
// the mode of an agent that the person no longer looks at.
func TestKeyIsNotPressedLate(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.agent("mine", "laptop")
	if err := d.Report(t.Context(), hub.Agent("mine", func(a *nod.Agent, _ time.Time) { a.Can = append(a.Can, nod.CanMode) })); err != nil {
		t.Fatal(err)
	}
	anna := d.hub.Desk(nod.Actor{Kind: nod.ActorPerson, Name: "anna", Rights: nod.RightsOf(nod.View, nod.Answering)})
	if err := anna.Press(t.Context(), "mine", "mode"); err != nil {
		t.Fatal(err)
	}
	d.say(nod.Message{ID: "message-1", Agent: "mine", Text: "hello"})
	orders := func() (kinds string) {
		server := httptest.NewServer(d.mux)
		defer server.Close()
		r, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/v1/link/orders?after=0", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer laptop")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan() && !strings.Contains(kinds, "said"); {
			for _, kind := range []nod.EventKind{nod.KeyPressed, nod.MessageSaid} {
				if strings.Contains(lines.Text(), string(kind)) {
					kinds += string(kind) + " "
				}
			}
		}
		return kinds
	}
	if got := orders(); got != "key.pressed message.said " {
		t.Errorf("at once: %s", got)
	}
	d.Now = func() time.Time { return time.Now().Add(time.Minute) }
	if got := orders(); got != "message.said " {
		t.Errorf("later: %s", got)
	}
	if err := d.Report(t.Context(), changed("laptop", func(h *nod.Host) { h.Up = false })); err != nil {
		t.Fatal(err)
	}
	if err := anna.Press(t.Context(), "mine", "mode"); nod.CodeOf(err) != nod.Unreachable {
		t.Errorf("while it is away: %v", err)
	}
}
