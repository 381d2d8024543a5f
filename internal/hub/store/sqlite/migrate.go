package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"os"

	"nod"
	"nod/internal/hub/record"
)

// mark is "nod!" in a file's header: a file without it belongs to some other
// program.
const mark = 0x6e6f6421

//go:embed schema/*.sql
var files embed.FS

// schema lists the steps from an empty file to the present. A step that was
// released is never changed.
func schema() []string { return record.Schema(files) }

// migrate brings the file up to date: all steps that are missing, or none.
func migrate(ctx context.Context, db *sql.DB, path string, steps []string) error {
	version, err := versionOf(ctx, db, path, len(steps))
	if err != nil {
		return err
	}
	if 0 < version && version < len(steps) {
		if err := backup(ctx, db, fmt.Sprintf("%s.v%d.bak", path, version)); err != nil {
			return err
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	for ; version < len(steps); version++ {
		text := fmt.Sprintf("%s; PRAGMA user_version = %d; PRAGMA application_id = %d", steps[version], version+1, mark)
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("schema step %d: %w", version+1, err)
		}
	}
	// That a file cannot be written is better known now than at the first
	// request. To begin does not tell: it is content with reading then.
	if _, err := tx.ExecContext(ctx, `UPDATE head SET seq = seq WHERE FALSE`); err != nil {
		return err
	}
	return tx.Commit()
}

// versionOf is how many steps the file has behind it. It refuses a file that
// is not ours, or of a future nod.
func versionOf(ctx context.Context, db *sql.DB, path string, known int) (int, error) {
	var version, owner, tables int
	err := db.QueryRowContext(ctx, `SELECT (SELECT user_version FROM pragma_user_version),
		(SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).Scan(&version, &owner, &tables)
	switch {
	case err != nil:
		return 0, err
	case tables > 0 && owner != mark:
		return 0, nod.Errorf(nod.Invalid, "%s is a database of another program: choose another --data", path)
	case version > known:
		return 0, nod.Errorf(nod.Invalid, "%s was written by a newer nod (format %d, this one knows %d): install that version again, or choose another --data", path, version, known)
	}
	return version, nil
}

// backup copies the database, as it is now, to a file that is whole as soon as
// it has its name.
func backup(ctx context.Context, db *sql.DB, path string) error {
	part := path + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := create(part); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, part); err != nil {
		return fmt.Errorf("backup before the upgrade: %w", err)
	}
	if err := flush(part); err != nil {
		return err
	}
	return os.Rename(part, path)
}

func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
