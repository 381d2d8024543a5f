package settings

import (
	"errors"
	"slices"
)

func installer(hooks []Hook, own Owner, allow ...string) planner {
	return func(s snapshot, r record) (outcome, error) {
		if err := checkHooks(hooks, own); err != nil {
			return outcome{}, err
		}
		d, err := parse(s.file, s.data)
		if err != nil {
			return outcome{}, err
		}
		if err := d.checkStrict(); err != nil {
			return outcome{}, err
		}
		former, err := d.ours(own)
		if err != nil {
			return outcome{}, err
		}
		pristine, look := len(former) == 0, d.style()
		if err := d.install(hooks, own); err != nil {
			return outcome{}, err
		}
		d.allow(look, allow)
		after := d.pack()
		if err := checkResult(s.file, after, hooks, own); err != nil {
			return outcome{}, err
		}
		if len(hooks) == 0 && !s.exists {
			after = nil
		}
		o := outcome{Change: newChange(s, after, d.warnings)}
		o.keep = r.afterInstall(s, after, pristine)
		return o, nil
	}
}

// afterInstall keeps the first backup as long as only nod wrote the file.
func (r record) afterInstall(s snapshot, after []byte, pristine bool) *record {
	next := record{Written: sum(after), Created: r.Created || !s.exists, Pristine: pristine && s.exists}
	if s.exists && r.Written == sum(s.data) {
		next = r
		next.Written = sum(after)
	}
	return &next
}

// checkResult is the last check before a person's file is replaced: the new text must parse and have exactly
// the wanted handlers.
func checkResult(file string, after []byte, hooks []Hook, own Owner) error {
	d, err := parse(file, after)
	if err != nil {
		return errors.Join(errors.New("settings: the edited text would be broken; nothing was written"), err)
	}
	present, err := d.ours(own)
	if err != nil {
		return err
	}
	complete := len(present) == len(hooks)
	for _, h := range hooks {
		complete = complete && slices.ContainsFunc(present, func(p placed) bool { return p.sameAs(h) })
	}
	if !complete {
		return errors.New("settings: the edited text would not hold the hooks asked for; nothing was written")
	}
	return nil
}

func remover(own Owner) planner {
	return func(s snapshot, r record) (outcome, error) {
		if !s.exists {
			return outcome{Change: newChange(s, nil, nil)}, nil
		}
		if sum(s.data) == r.Written {
			if o, ok := undo(s, r, own); ok {
				return o, nil
			}
		}
		d, err := parse(s.file, s.data)
		if err != nil {
			return outcome{}, err
		}
		if err := d.remove(own); err != nil {
			return outcome{}, err
		}
		d.disallow()
		after := d.pack()
		if err := checkResult(s.file, after, nil, own); err != nil {
			return outcome{}, err
		}
		if r.Created && bare(objectList{d.top()}) {
			after = nil
		}
		return outcome{Change: newChange(s, after, d.warnings)}, nil
	}
}

// undo is possible when the file is still as Install wrote it, and the original is known and has no handler
// that this owner calls ours.
func undo(s snapshot, r record, own Owner) (outcome, bool) {
	if r.Created && r.Backup == "" {
		return outcome{Change: newChange(s, nil, nil)}, true
	}
	original, ok := r.original(s.target)
	if !ok {
		return outcome{}, false
	}
	d, err := parse(s.file, original)
	if err != nil {
		return outcome{}, false
	}
	if left, err := d.ours(own); err != nil || len(left) > 0 {
		return outcome{}, false
	}
	o := outcome{Change: newChange(s, original, d.warnings)}
	o.Restored = true
	return o, true
}
