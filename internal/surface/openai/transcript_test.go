package openai

import (
	"testing"

	"nod/internal/surface/transcript"
)

// number is what tells one answer from another.
var number = transcript.Instead(`chatcmpl-[a-z2-7]{26}`, "chatcmpl-ID")

// A transcript is a readable list of requests and their answers, one after the other, at
// one hub. -update rewrites the answers.
func TestTranscripts(t *testing.T) {
	transcript.Each(t, func(t *testing.T, f *transcript.File) {
		g := newRig(t, nil)
		f.Play(t, func(s transcript.Step) string { return number(g.Play(s)) })
	})
}
