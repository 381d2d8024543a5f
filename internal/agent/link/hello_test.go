package link

import (
	"strings"
	"testing"

	"nod"
)

// Of two machines with one token the second gets an error that says what to do, and the
// first continues undisturbed. A machine with a new log is admitted when the old link is
// gone.
func TestOneTokenIsForOneMachine(t *testing.T) {
	t.Parallel()
	d := newRig(t)
	d.hello("laptop")
	d.told("laptop", 7)
	up := func(up bool) {
		if err := d.Report(t.Context(), changed("laptop", func(h *nod.Host) { h.Up = up })); err != nil {
			t.Fatal(err)
		}
	}
	up(true)
	head := d.head()
	const another = `{"version":"2","log":"another","pending":[]}`
	status, text := d.ask("POST", "/v1/link/hello", "laptop", another)
	if status != 409 || !strings.Contains(text, "nod hosts add") {
		t.Fatal(status, text)
	}
	if d.head() != head || d.heardOf("laptop") != 7 {
		t.Error("it left a trace")
	}
	d.hello("laptop") // the first one, whose connection was lost and is not missed yet
	if d.heardOf("laptop") != 7 {
		t.Error("the first one is begun anew")
	}
	up(false)
	if status, text := d.ask("POST", "/v1/link/hello", "laptop", another); status != 200 || d.heardOf("laptop") != 0 {
		t.Error("one that is begun anew is not let in:", status, text)
	}
}
