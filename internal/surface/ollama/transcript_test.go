package ollama

import (
	"testing"

	"nod/internal/surface/transcript"
)

// warmth is the one time that the hub's own clock tells.
var warmth = transcript.Instead(`("expires_at": )"[^"]+"`, `$1"TIME"`)

// A transcript is an exchange that anyone can read: requests and their answers,
// one after the other, at one hub. -update writes the answers anew.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		g := newRig(t, nil)
		f.Play(t, func(s transcript.Step) string { return warmth(g.Play(s)) })
	})
}
