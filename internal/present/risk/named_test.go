package risk

import (
	"testing"

	"nod"
)

func TestCheckNamed(t *testing.T) {
	for name, good := range map[string]bool{"kubectl apply": true, "git push --force": true, "kubectl": false, "": false, "rm -rf *": false, "a; b": false, "kubectl apply && rm": false} {
		err := CheckNamed("voicepe.allow", []string{"helm upgrade", name})
		if (err == nil) != good || err != nil && nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}
