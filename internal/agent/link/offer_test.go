package link

import (
	"strings"
	"testing"

	"nod"
)

func TestHostOffersAssistants(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	offered := func() (names string) {
		d.State(func(s *nod.State) {
			for _, a := range s.Hosts["laptop"].Assistants {
				names += a.Name + " " + a.Host + "|" + a.About + ";"
			}
		})
		return names
	}
	ask := func(path, body string, want int) {
		t.Helper()
		if status, text := d.ask("POST", path, "laptop", body); status != want {
			t.Errorf("%s: %d %s, want %d", path, status, text, want)
		}
	}
	hello := `{"version":"2","log":"abc","pending":[]}`
	ask("/v1/link/hello", hello, 200)
	ask("/v1/link/offer", `{"assistants":[{"name":"butler","kind":"claude","host":"hub","about":"two\nlines"}]}`, 204)
	if got := offered(); got != "butler |two ⏎ lines;" {
		t.Errorf("offered: %q", got)
	}
	head, _ := d.hub.Head()
	ask("/v1/link/hello", hello, 200)
	ask("/v1/link/offer", `{"assistants":[{"name":"butler","kind":"claude","host":"hub","about":"two\nlines"}]}`, 204)
	if now, _ := d.hub.Head(); now != head {
		t.Error("what is known already is news")
	}
	for _, bad := range []string{`{"name":""}`, `{"name":"Butler"}`, `{"name":"a b"}`, `{"name":"` + strings.Repeat("a", 101) + `"}`} {
		ask("/v1/link/offer", `{"assistants":[`+bad+`]}`, 400)
	}
	ask("/v1/link/offer", `{"assistants":[`+strings.Repeat(`{"name":"a"},`, 50)+`{"name":"a"}]}`, 413)
	ask("/v1/link/hello", `{"version":"1","log":"abc","pending":[]}`, 200) // of the previous release: it offers no assistants
	if got := offered(); got != "" {
		t.Errorf("still offered: %q", got)
	}
}
