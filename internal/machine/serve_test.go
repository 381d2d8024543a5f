package machine

import (
	"strings"
	"testing"

	"nod/internal/machine/env/envtest"
)

func TestServeTakesOneCertificate(t *testing.T) {
	w := newWorld(t)
	for _, args := range [][]string{{"--tls", "--tls-cert", "x", "--tls-key", "y"}, {"--tls-cert", "x"}, {"--tls-key", "y"}} {
		if _, err := w.Run(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...); envtest.ExitOf(err) != 2 || !strings.Contains(err.Error(), "--tls-key") {
			t.Errorf("%v: %v", args, err)
		}
	}
}
