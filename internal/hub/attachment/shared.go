package attachment

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"nod"
)

// Shared is where several hubs share their files: people send one to any hub, and the agent may run at another.
type Shared interface {
	// PutFile stores r, completely or not at all.
	PutFile(ctx context.Context, a nod.Attachment, r io.Reader) error
	// FetchFile writes a file to w, and returns its name, size and age; NotFound if there is none. An error of w is
	// returned unchanged.
	FetchFile(ctx context.Context, id string, w io.Writer) (a nod.Attachment, age time.Duration, err error)
	// SweepFiles removes older files, and the oldest while there are more bytes.
	SweepFiles(ctx context.Context, older time.Duration, most int64) error
}

// Here is a message's file on this machine, whichever hub received it; an error has a message for the sender.
func (s FileStore) Here(ctx context.Context, a nod.Attachment) (nod.Attachment, error) {
	found, err := s.Find(ctx, a.ID)
	if err == nil {
		return found, nil
	}
	name := nod.Fold(nod.OneLine(a.Name), 80)
	if nod.CodeOf(err) == nod.NotFound {
		return nod.Attachment{}, nod.Errorf(nod.Gone, "%s did not reach the agent: it is not kept any more, a week is the longest. Send it again.", name).Because(err)
	}
	return nod.Attachment{}, nod.Errorf(nod.Unavailable, "%s did not reach the agent. Send it again; this is why: %s", name, nod.MessageOf(err)).Because(err)
}

// share copies a local file to where the other hubs find it. A slow phone is long done by then: only the disk is
// read.
func (s FileStore) share(ctx context.Context, a nod.Attachment) error {
	if s.Shared == nil {
		return nil
	}
	f, err := os.Open(a.Path)
	if err != nil {
		return unkept(err)
	}
	defer f.Close()
	if err = s.Shared.SweepFiles(ctx, life, mostKept-MostBytes); err == nil {
		err = s.Shared.PutFile(ctx, a, f)
	}
	if err != nil {
		return nod.Errorf(nod.Unavailable, "the file could not be kept where every hub finds it: send it again in a moment; if that does not help, the hub's log says why").Because(err)
	}
	return nil
}

// fetch gets a shared file. It is written under a name that is never looked up and renamed in one step: a concurrent
// second fetch finds it there.
func (s FileStore) fetch(ctx context.Context, id string) (nod.Attachment, error) {
	if err := s.sweep(); err != nil {
		return nod.Attachment{}, err
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return nod.Attachment{}, unkept(err)
	}
	dir, err := os.MkdirTemp(s.Dir, "fetch-") // no id has a dash
	if err != nil {
		return nod.Attachment{}, unkept(err)
	}
	defer os.RemoveAll(dir)
	if err := s.fill(ctx, dir, id); nod.CodeOf(err) == nod.NotFound {
		return nod.Attachment{}, unknown(id).Because(err)
	} else if err != nil {
		return nod.Attachment{}, err
	}
	err = os.Rename(dir, filepath.Join(s.Dir, id))
	if a, ok := s.lies(id); ok {
		return a, nil
	}
	return nod.Attachment{}, unkept(err)
}

// fill writes a shared file into a folder.
func (s FileStore) fill(ctx context.Context, dir, id string) error {
	path := filepath.Join(dir, "part")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unkept(err)
	}
	there := &counted{w: f}
	a, age, err := s.Shared.FetchFile(ctx, id, there)
	err = errors.Join(err, f.Sync(), f.Close())
	var ours *nod.Error
	switch {
	case errors.As(err, &ours):
		return err
	case err != nil:
		return unkept(err)
	case there.n != a.Size:
		return nod.Errorf(nod.Internal, "only %d of %d bytes of %s are there", there.n, a.Size, clean(a.Name))
	}
	if err := os.Rename(path, filepath.Join(dir, clean(a.Name))); err != nil {
		return unkept(err)
	}
	kept := s.Now().Add(-age) // a copy does not live longer
	if err := os.Chtimes(dir, kept, kept); err != nil {
		return unkept(err)
	}
	return nil
}

// counted stops at the maximum size of a file.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	if c.n+int64(len(b)) > MostBytes {
		return 0, nod.Errorf(nod.TooLarge, "the file is larger than %d MB", MostBytes>>20)
	}
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
