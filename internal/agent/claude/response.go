package claude

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httputil"
	"time"
)

// response is the open response of a waiting hook: net/http's, chunked, so that
// the hook can tell its end from a hub that went away.
type response interface {
	send(text []byte) error   // at once
	finish(text []byte) error // the last text, or none
}

// writeTime is how long a hook may take to read a line; it does nothing else.
const writeTime = 5 * time.Second

// held is a response whose handler waits as long as the hook does.
type held struct{ http.ResponseWriter }

func (r held) send(text []byte) error {
	c := http.NewResponseController(r.ResponseWriter)
	_ = c.SetWriteDeadline(time.Now().Add(writeTime)) // a writer that has no deadline does without
	defer func() { _ = c.SetWriteDeadline(time.Time{}) }()
	if _, err := r.Write(text); err != nil {
		return err
	}
	return c.Flush()
}

func (r held) finish(text []byte) error { return r.send(text) } // the end is written when the handler returns

// detached is a response without a handler. A server keeps two goroutines and three
// buffers for each handler that waits: 46 KB for a hook, 500 MB for 10,000 of them.
// Detached it costs 10 KB.
type detached struct{ net.Conn }

// detach takes the connection over from the server after the header was sent. It reports
// false when the server does not support that.
func detach(w http.ResponseWriter) (detached, bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return detached{}, false
	}
	return detached{conn}, true
}

func (r detached) send(text []byte) error {
	_ = r.SetWriteDeadline(time.Now().Add(writeTime))
	_, err := r.Write(chunk(text))
	return err
}

// markTime is how long a hook has to close the connection after its answer, and
// one of protocol 1 to send its mark before.
const markTime = 10 * time.Second

func (r detached) finish(text []byte) error {
	_ = r.SetReadDeadline(time.Now().Add(markTime))
	_ = r.SetWriteDeadline(time.Now().Add(writeTime))
	_, err := r.Write(append(chunk(text), chunksEnd...))
	return err
}

const chunksEnd = "0\r\n\r\n"

// chunk is a text as a chunk of a chunked response.
func chunk(text []byte) []byte {
	var b bytes.Buffer
	_, _ = httputil.NewChunkedWriter(&b).Write(text) // an empty text is no chunk
	return b.Bytes()
}
