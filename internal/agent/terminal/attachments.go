package terminal

import (
	"context"
	"time"

	"nod"
)

// fileTime is how long a file that was found counts as being there. A message may wait
// for days until its agent is idle.
const fileTime = time.Minute

// findFiles makes sure that the files of a message are on this machine before their
// paths are typed: they may have been sent to another hub. What was typed already stays
// as it is. When ok is false the result says why.
func (d *delivery) findFiles(ctx context.Context, m *pendingMessage) (r result, ok bool) {
	if d.env.Files == nil || len(m.Files) == 0 || m.resumed || m.typedAfter > 0 || d.env.Now().Sub(m.filesFound) < fileTime {
		return result{}, true
	}
	files, err := d.env.localFiles(ctx, m.Files)
	switch {
	case ctx.Err() != nil:
		return abandoned, false
	case nod.CodeOf(err) == nod.Unavailable:
		return blocked(nod.MessageOf(err)), false
	case err != nil:
		return failed(nod.MessageOf(err)), false
	}
	m.Files, m.filesFound = files, d.env.Now()
	return result{}, true
}

// localFiles are the files with their paths on this machine.
func (e *environment) localFiles(ctx context.Context, files []nod.Attachment) (list []nod.Attachment, err error) {
	for _, f := range files {
		if f, err = e.Files(ctx, f); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// withLocalFiles is a message as it was typed, with the paths of this machine. If a file
// cannot be found the message stays as it is: it was typed before, so it need not be
// sent again.
func (e *environment) withLocalFiles(ctx context.Context, m nod.Message) nod.Message {
	if m.Status != nod.Typed || e.Files == nil {
		return m
	}
	files, err := e.localFiles(ctx, m.Files)
	if err != nil {
		e.Log.Warn("a file that was typed is not there any more", "message", m.ID, "err", err)
		return m
	}
	m.Files = files
	return m
}
