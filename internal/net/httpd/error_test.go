package httpd

import (
	"testing"

	"nod"
)

func TestStatusOfErrors(t *testing.T) {
	for trouble, want := range map[nod.Trouble]int{
		nod.TroubleLimit: 429, nod.TroubleRefused: 403, nod.TroubleTimeout: 504,
		nod.TroubleLogin: 503, nod.TroubleProgram: 503, nod.TroubleBusy: 503, nod.TroubleRestart: 503, nod.TroubleStopped: 503,
		nod.TroubleCrash: 502, nod.TroubleError: 502, "of a later nod": 502,
	} {
		if got := StatusOfTrouble(trouble); got != want {
			t.Errorf("%s is %d, want %d", trouble, got, want)
		}
	}
}
