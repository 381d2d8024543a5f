package hook

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// transcriptTail is more than the last lines of a transcript that tell of a
// usage limit.
const transcriptTail = 64 << 10

// resetsAt finds when a usage limit ends. The hook's input does not say; the
// newest line of the session's transcript does, as "resetsAt":<seconds>.
func resetsAt(transcript string) string {
	f, err := os.Open(transcript)
	if err != nil {
		return ""
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size > transcriptTail {
		if _, err := f.Seek(-transcriptTail, io.SeekEnd); err != nil {
			return ""
		}
	} else if _, err := f.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	tail, err := io.ReadAll(f)
	if err != nil {
		return ""
	}
	mark := []byte(`"resetsAt":`)
	at := bytes.LastIndex(tail, mark)
	if at < 0 {
		return ""
	}
	rest := string(tail[at+len(mark):])
	return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
}
