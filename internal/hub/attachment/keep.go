// Package attachment keeps files that people send with their messages, on the hub's machine, until the agent has
// surely read them. Hubs that share a database share them all.
package attachment

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"nod"
)

// The limits. A phone's photo fits; a film does not.
const (
	MostBytes = 20 << 20
	mostKept  = 500 << 20
	life      = 7 * 24 * time.Hour
	nameLimit = 120
)

// FileStore is a folder of received files.
type FileStore struct {
	Dir    string
	Now    func() time.Time
	Shared Shared // nil: this hub is the only one
}

// Keep stores r under a name of the person's choosing, in a folder of its own, so that two files of one name do not
// collide. Old files are removed first. With shared files it is shared when Keep returns.
func (s FileStore) Keep(ctx context.Context, name string, r io.Reader) (nod.Attachment, error) {
	if err := s.sweep(); err != nil {
		return nod.Attachment{}, err
	}
	a := nod.Attachment{ID: strings.ToLower(rand.Text()), Name: clean(name)}
	dir := filepath.Join(s.Dir, a.ID)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nod.Attachment{}, unkept(err)
	}
	a.Path = filepath.Join(dir, a.Name)
	size, err := write(a.Path, io.LimitReader(r, MostBytes+1))
	if err == nil && size > MostBytes {
		err = nod.Errorf(nod.TooLarge, "%s is larger than %d MB: put it where the agent can read it, and tell it the path", a.Name, MostBytes>>20)
	}
	a.Size = size
	if err == nil {
		err = s.share(ctx, a)
	}
	if err != nil {
		return nod.Attachment{}, errors.Join(err, os.RemoveAll(dir))
	}
	return a, nil
}

// Find returns a stored file by its id, as it is on this machine. A file of another hub is fetched.
func (s FileStore) Find(ctx context.Context, id string) (nod.Attachment, error) {
	if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return nod.Attachment{}, unknown(id)
	}
	if a, ok := s.lies(id); ok {
		return a, nil
	}
	if s.Shared == nil {
		return nod.Attachment{}, unknown(id)
	}
	return s.fetch(ctx, id)
}

func unknown(id string) *nod.Error {
	return nod.Errorf(nod.NotFound, "there is no attachment %q: it may be older than a week; send it again", nod.Fold(nod.OneLine(id), 40))
}

// lies is the content of an id's folder.
func (s FileStore) lies(id string) (a nod.Attachment, ok bool) {
	files, err := os.ReadDir(filepath.Join(s.Dir, id))
	if err != nil || len(files) != 1 {
		return a, false
	}
	info, err := files[0].Info()
	if err != nil {
		return a, false
	}
	name := files[0].Name()
	return nod.Attachment{ID: id, Name: name, Path: filepath.Join(s.Dir, id, name), Size: info.Size()}, true
}

func write(path string, r io.Reader) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, unkept(err)
	}
	size, err = io.Copy(f, r)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return 0, unkept(err)
	}
	return size, nil
}

func unkept(err error) error {
	return nod.Errorf(nod.Unavailable, "the file could not be kept on the hub's machine: is its disk full?").Because(err)
}

// clean makes a safe file name of a browser's: no folders, nothing that a shell or a terminal could misread.
func clean(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(name, "_"))
	name = strings.TrimLeft(name, ".-")
	for len(name) > nameLimit { // keep the end, which has the file type
		name = strings.ToValidUTF8(name[1:], "")
	}
	if name == "" {
		return "file"
	}
	return name
}

// sweep removes files that are too old, and the oldest while there are too many bytes.
func (s FileStore) sweep() error {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unkept(err)
	}
	type kept struct {
		dir  string
		at   time.Time
		size int64
	}
	var all []kept
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // just removed
		}
		k := kept{dir: filepath.Join(s.Dir, e.Name()), at: info.ModTime()}
		if a, ok := s.lies(e.Name()); ok {
			k.size = a.Size
		}
		total += k.size
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b kept) int { return a.at.Compare(b.at) })
	for _, k := range all {
		if s.Now().Sub(k.at) < life && total <= mostKept-MostBytes {
			break
		}
		if err := os.RemoveAll(k.dir); err != nil {
			return fmt.Errorf("old attachments: %w", err)
		}
		total -= k.size
	}
	return nil
}
