// Package sqlite keeps the log, tokens, passkeys and subscriptions in one SQLite file.
//
// One connection writes, a few read; readers never wait for the writer. When Append
// returns, its events have reached the disk. A lock beside the file keeps a second
// process out; readers need no lock.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"nod/internal/hub"
	"nod/internal/net/auth"
)

var (
	_ hub.Store       = (*Store)(nil)
	_ hub.Historian   = (*Store)(nil)
	_ auth.TokenStore = (*Store)(nil)
)

// Store is a Reader that may also write.
type Store struct {
	*Reader
	writer *sql.DB
	insert *sql.Stmt
	move   *sql.Stmt
	lock   *os.File
}

// Open opens the file, makes it when there is none, and brings an older one up
// to date. It fails with Conflict while another process has it open.
func Open(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, schema(), nil)
}

// open also takes the steps of the schema and additional pragmas, for tests.
func open(ctx context.Context, path string, steps, pragmas []string) (*Store, error) {
	if err := prepare(path); err != nil {
		return nil, err
	}
	lock, err := acquire(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	s := &Store{lock: lock}
	if err := s.start(ctx, path, steps, pragmas); err != nil {
		return nil, errors.Join(explain(path, err), s.Close())
	}
	return s, nil
}

func (s *Store) start(ctx context.Context, path string, steps, pragmas []string) (err error) {
	if err = create(path); err != nil {
		return err
	}
	if s.writer, err = connectWriter(path, pragmas); err != nil {
		return err
	}
	if err = migrate(ctx, s.writer, path, steps); err != nil {
		return err
	}
	if s.insert, err = s.writer.PrepareContext(ctx, `INSERT INTO events (seq, kind, agent, request, body, hash) VALUES (?, ?, ?, ?, ?, ?)`); err != nil {
		return err
	}
	if s.move, err = s.writer.PrepareContext(ctx, `UPDATE head SET seq = ?, hash = ? WHERE seq = ?`); err != nil {
		return err
	}
	s.Reader, err = newReader(ctx, path, len(steps))
	return err
}

// Close ends all connections, the writer's last, because it tidies the files
// up; then another process may have them.
func (s *Store) Close() error {
	var errs []error
	if s.Reader != nil {
		errs = append(errs, s.Reader.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.Close())
	}
	if err := s.lock.Close(); !errors.Is(err, os.ErrClosed) {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// prepare makes the directory, for its owner alone: the log is private.
func prepare(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unusable(dir, err)
	}
	return nil
}

// create makes an empty file that only its owner can read; SQLite itself would
// make one that all can, and gives the files beside it the same mode. A file
// that exists is not even opened: closing it would drop SQLite's locks on it.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}
