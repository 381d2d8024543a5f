package link

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"nod"
)

// pieceTime is how long a link may take for one piece of a file; after that it counts
// as dead. A slow one gets everything in the end.
const (
	pieceTime = 30 * time.Second
	pieceSize = 256 << 10
)

// file serves a file that goes with a message for an agent of that host, and no other.
// A missing file is Gone and never NotFound, by which a link knows a hub that has no
// such endpoint at all.
func (d *Driver) file(w http.ResponseWriter, r *http.Request, host string) error {
	gone := nod.Errorf(nod.Gone, "no file of that name goes with words for an agent of %s any more", host)
	id, found := d.fileOf(host, nod.MessageID(r.PathValue("message")), r.PathValue("file"))
	if !found || d.OpenFile == nil {
		return gone
	}
	body, size, err := d.OpenFile(r.Context(), id)
	switch {
	case nod.CodeOf(err) == nod.Unavailable:
		return err // a link asks again
	case err != nil:
		return gone.Because(err)
	}
	defer body.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	if err := handOver(r.Context(), w, io.LimitReader(body, size)); err != nil {
		d.Log.Info("a file did not reach its host", "host", host, "err", err)
		panic(http.ErrAbortHandler) // it must not look whole
	}
	return nil
}

// fileOf finds a file by the message that it goes with, if that is for the host.
func (d *Driver) fileOf(host string, message nod.MessageID, file string) (id string, found bool) {
	d.State(func(s *nod.State) {
		m, ok := s.Messages[message]
		if !ok || !theirs(s, host, m.Agent) {
			return
		}
		for _, f := range m.Files {
			if f.ID == file {
				id, found = f.ID, true
			}
		}
	})
	return id, found
}

// handOver sends a file piece by piece, while the link reads it and may have it.
func handOver(ctx context.Context, w http.ResponseWriter, r io.Reader) error {
	rc := http.NewResponseController(w)
	defer func() { _ = rc.SetWriteDeadline(time.Time{}) }()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		_ = rc.SetWriteDeadline(time.Now().Add(pieceTime)) // not every writer can, in tests
		n, err := io.CopyN(w, r, pieceSize)
		switch {
		case err == io.EOF && n < pieceSize:
			return nil
		case err != nil:
			return err
		}
	}
}
