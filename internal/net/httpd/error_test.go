package httpd

import (
	"testing"

	"nod"
)

func TestTroubleInHTTPsWords(t *testing.T) {
	for trouble, want := range map[nod.Trouble]int{
		nod.AtLimit: 429, nod.NotAllowed: 403, nod.TookLong: 504,
		nod.NoLogin: 503, nod.NoProgram: 503, nod.Overloaded: 503, nod.Restarted: 503, nod.WasStopped: 503,
		nod.Crashed: 502, nod.Unwell: 502, "of a later nod": 502,
	} {
		if got := StatusOfTrouble(trouble); got != want {
			t.Errorf("%s is %d, want %d", trouble, got, want)
		}
	}
}
