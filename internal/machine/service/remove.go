package service

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"nod/internal/present/words"
)

// removeReport is what `nod service remove --json` prints.
type removeReport struct {
	Manager  string `json:"manager"`
	File     string `json:"file"`
	Removed  bool   `json:"removed"`
	Restored bool   `json:"restored"` // the file from before nod is back
	Dry      bool   `json:"dry_run"`
}

func (s *commands) remove(ctx context.Context, p installation, e options) error {
	st, err := p.state(ctx)
	if err != nil {
		return err
	}
	if st.foreign {
		return s.Failed(words.ServiceNotOurs, p.file)
	}
	r := removeReport{Manager: p.name, File: p.file, Dry: e.dry}
	if st.installed && !e.dry {
		err := p.remove(ctx, func() (err error) {
			r.Restored, err = restore(p.file)
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
	s.printRemoved(r, st)
	return nil
}

func (s *commands) printRemoved(r removeReport, st state) {
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

// restore deletes nod's file and puts back what was there before it.
func restore(file string) (restored bool, err error) {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	err = os.Rename(file+backupSuffix, file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
