package ollama

import (
	"testing"

	"nod/internal/surface/transcript"
)

// warmth is the only time that comes from the hub's clock.
var warmth = transcript.Instead(`("expires_at": )"[^"]+"`, `$1"TIME"`)

// A transcript is a readable list of requests and their answers, one after the other, at
// one hub. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		g := newRig(t, nil)
		f.Play(t, func(s transcript.Step) string { return warmth(g.Play(s)) })
	})
}
