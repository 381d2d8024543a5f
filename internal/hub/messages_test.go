package hub_test

import (
	"fmt"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/store/mem"
)

func TestMessagesPageByPage(t *testing.T) {
	h := open(t, mem.New())
	enter(t, h, nod.AgentIdle, func(a *nod.Agent) { a.Can = []nod.Ability{nod.CanSay} })
	for i := range 4 {
		if _, err := say(h, t, fmt.Sprintf("message%d", i), fmt.Sprintf("words %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	// They end in another order than they were said in; one does not end.
	link := h.Link("test")
	for _, f := range []hub.Fact{hub.TypedIn("message2"), hub.Heard("message2"), hub.UnheardFor("message0", "the pane is gone", nod.TroubleCrash), hub.Heard("message1")} {
		if err := link.Report(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for before := nod.Seq(0); ; {
		page, err := h.Desk(anna).Messages(t.Context(), "agent", before, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page {
			got = append(got, fmt.Sprintf("%s %s %s %s", m.ID, m.Text, m.Status, m.Trouble))
			if before = m.Seq; m.Over.Before(m.At) || m.By != "anna" {
				t.Errorf("%+v", m)
			}
		}
		if len(page) < 2 {
			break
		}
	}
	want := "message1 words 1 delivered |message0 words 0 failed crash|message2 words 2 delivered "
	if strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", strings.Join(got, "|"), want)
	}
	if _, err := h.Desk(nod.Actor{Name: "nobody"}).Messages(t.Context(), "agent", 0, 2); nod.CodeOf(err) != nod.Forbidden {
		t.Errorf("without the right to view: %v", err)
	}
}
