package postgres

import (
	"testing"

	"nod/internal/hub/store/pgtest"
)

func TestMemoryIsSharedBetweenHubs(t *testing.T) {
	t.Parallel()
	address := pgtest.Start(t).Database(t)
	one, other := opened(t, address), opened(t, address)
	if body, err := other.Kept(t.Context(), "notify"); body != nil || err != nil {
		t.Errorf("before anything: %q, %v", body, err)
	}
	for _, text := range []string{"first", "second", ""} {
		if err := one.Keep(t.Context(), "notify", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if body, err := other.Kept(t.Context(), "notify"); string(body) != text || err != nil {
			t.Errorf("%q, %v; want %q", body, err, text)
		}
	}
	if body, err := other.Kept(t.Context(), "another"); body != nil || err != nil {
		t.Errorf("under another name: %q, %v", body, err)
	}
}
