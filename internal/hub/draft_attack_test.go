package hub_test

import (
	"context"
	"strings"
	"testing"

	"nod"
	"nod/internal/hub/store/mem"
)

// A draft that has become too long ends there: what is shown of it is always the
// beginning of the answer, without a hole in it.
func TestDraftHasNoGaps(t *testing.T) {
	h := withAssistants(t, mem.New())
	link := h.Link("test")
	whole := strings.Repeat("a", 1<<20-10) + strings.Repeat("b", 20) + "c"
	link.Draft("talk-1234", "message-1", whole[:1<<20-10])
	link.Draft("talk-1234", "message-1", strings.Repeat("b", 20))
	link.Draft("talk-1234", "message-1", "c")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for d, err := range h.Desk(nod.Actor{Rights: nod.RightsOf(nod.View)}).Drafts(ctx, "talk-1234") {
		if err != nil || !strings.HasPrefix(whole, d.Text) {
			t.Errorf("%v: …%s", err, d.Text[max(0, len(d.Text)-5):])
		}
		break
	}
}
