package service

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"nod/internal/present/words"
)

// removed is what `nod service remove --json` prints.
type removed struct {
	Manager  string `json:"manager"`
	File     string `json:"file"`
	Removed  bool   `json:"removed"`
	Restored bool   `json:"restored"` // a file of yours is back in its place
	Dry      bool   `json:"dry_run"`
}

func (s *services) remove(ctx context.Context, p post, e errand) error {
	st, err := p.look(ctx)
	if err != nil {
		return err
	}
	if st.foreign {
		return s.Failed(words.ServiceNotOurs, p.file)
	}
	r := removed{Manager: p.name, File: p.file, Dry: e.dry}
	if st.installed && !e.dry {
		err := p.leave(ctx, func() (err error) {
			r.Restored, err = drop(p.file)
			return err
		})
		if err != nil {
			return err
		}
		r.Removed = true
	}
	if e.json {
		return s.PrintJSON(r)
	}
	s.tellServiceGone(r, st)
	return nil
}

func (s *services) tellServiceGone(r removed, st standing) {
	out := s.Page()
	switch {
	case !st.installed:
		out.Print(0, s.Say(words.ServiceNone))
	case r.Dry:
		out.Print(0, s.Say(words.ServiceWouldGo, r.File))
	default:
		out.Done(s.Say(words.ServiceGone, r.File))
		if r.Restored {
			out.Print(0, s.Say(words.ServiceRestored, r.File))
		}
		out.Print(0, s.Say(words.ServiceKept))
	}
}

// drop deletes nod's file and puts back what was there before it.
func drop(file string) (restored bool, err error) {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = os.Rename(file+before, file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
