package client

import (
	"bytes"
	"strings"
	"testing"
)

func TestFramesOfAStream(t *testing.T) {
	stream := "id: 1\n\n: heartbeat\n\nid: 2\ndata: {\"seq\":2}\n\nevent: gap\ndata: {}\n\n"
	var got []string
	for f, err := range frames(strings.NewReader(stream)) {
		if err != nil {
			break
		}
		got = append(got, f.event+"|"+string(f.data))
	}
	if want := `|{"seq":2} gap|{}`; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("id: 1\ndata: x\n\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		for frame, err := range frames(bytes.NewReader(stream)) {
			if err == nil && bytes.Contains(frame.data, []byte("\n\n\n")) && !bytes.Contains(stream, []byte("data")) {
				t.Fatal("data from nowhere")
			}
		}
	})
}
