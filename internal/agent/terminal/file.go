package terminal

import (
	"context"
	"time"

	"nod"
)

// fileTime is how long a file that lies here is believed to be there: a message may
// wait for days until its agent is idle.
const fileTime = time.Minute

// bring makes sure that the files of a message lie on this machine before their
// paths are typed: they may have been sent to another hub. What was typed already
// stays as it is. false: they do not, and the result says why.
func (w *worker) bring(ctx context.Context, j *job) (result, bool) {
	if w.files == nil || len(j.m.Files) == 0 || j.resumed || j.from > 0 || w.now().Sub(j.brought) < fileTime {
		return result{}, true
	}
	files, err := w.here(ctx, j.m.Files)
	switch {
	case ctx.Err() != nil:
		return abandoned, false
	case nod.CodeOf(err) == nod.Unavailable:
		return blocked(nod.MessageOf(err)), false
	case err != nil:
		return failed(nod.MessageOf(err)), false
	}
	j.m.Files, j.brought = files, w.now()
	return result{}, true
}

// here are files as they lie on this machine.
func (d *Driver) here(ctx context.Context, files []nod.Attachment) (list []nod.Attachment, err error) {
	for _, f := range files {
		if f, err = d.files(ctx, f); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// asTyped is a message with the paths that this machine has for its files, where
// there are any. One that cannot be had stays as it is: it was typed before, so
// nobody is told to send it again.
func (d *Driver) asTyped(ctx context.Context, m nod.Message) nod.Message {
	if m.Status != nod.Typed || d.files == nil {
		return m
	}
	if files, err := d.here(ctx, m.Files); err == nil {
		m.Files = files
	} else {
		d.log.Warn("a file that was typed is not there any more", "message", m.ID, "err", err)
	}
	return m
}
