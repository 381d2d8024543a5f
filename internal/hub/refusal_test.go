package hub_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/hubtest"
)

// stubborn is a shared store that takes nothing for a while.
type stubborn struct {
	*hubtest.Shared
	why  error // nil: it takes everything
	took time.Duration
}

func (s *stubborn) Append(ctx context.Context, after nod.Seq, es []nod.Event) error {
	if s.why != nil {
		time.Sleep(s.took)
		return s.why
	}
	return s.Shared.Append(ctx, after, es)
}

// If nothing was written, callers soon get the store's own error; if that is not known,
// the error says so.
func TestRefusalSaysWhatIsKnown(t *testing.T) {
	readOnly := func(cause error) error {
		return nod.Errorf(nod.Unavailable, "the database is read-only").Because(cause)
	}
	for _, c := range []struct {
		name   string
		why    error
		want   string
		within time.Duration
	}{
		{"certain", readOnly(hub.ErrNotWritten), "the database is read-only", 10 * time.Second},
		{"unknown", readOnly(errors.New("lost")), "may be recorded or not", time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stubborn{Shared: hubtest.NewShared()}
				h := hubtest.Several(t, hub.Options{}, s)[0]
				ask(t, h, request("r1"))
				synctest.Wait()
				s.why, s.took = c.why, 4*time.Second
				at := time.Now()
				_, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow})
				if nod.CodeOf(err) != nod.Unavailable || !strings.Contains(nod.MessageOf(err), c.want) || time.Since(at) > c.within {
					t.Errorf("after %s: %v", time.Since(at), err)
				}
				s.why = nil
				if _, err := h.Desk(anna).Decide(t.Context(), "r1", nod.Answer{Verdict: nod.VerdictAllow}); err != nil {
					t.Errorf("afterwards: %v", err)
				}
			})
		})
	}
}
