package sqlite

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"
)

// How many may read at the same time, and how many connections an idle hub
// keeps for them.
const (
	readers     = 4
	idleReaders = 2
)

// Caches are small on purpose: the log is read from its end, which the hub
// holds in memory, and the system caches the file anyway.
var common = []string{
	"busy_timeout(5000)",
	"cache_size(-512)",
	"temp_store(memory)", // a search must not fail because /tmp is full
}

// fullfsync is for macOS, where a plain fsync may stop at the drive's cache.
var writing = []string{
	"journal_mode(wal)",
	"synchronous(full)",
	"fullfsync(1)",
	"checkpoint_fullfsync(1)",
	"foreign_keys(1)",
	"journal_size_limit(4194304)",
}

func connectWriter(path string, pragmas []string) (*sql.DB, error) {
	db, err := connect(path, "rwc", "immediate", common, writing, pragmas)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func connectReader(path string) (*sql.DB, error) {
	db, err := connect(path, "ro", "deferred", common)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(readers)
	db.SetMaxIdleConns(idleReaders)
	return db, nil
}

func connect(path, mode, txlock string, pragmas ...[]string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"mode": {mode}, "_txlock": {txlock}, "_dqs": {"0"}, "_defensive": {"1"}, "_error_rc": {"1"}}
	for _, ps := range pragmas {
		q["_pragma"] = append(q["_pragma"], ps...)
	}
	name := filepath.ToSlash(abs)
	if !strings.HasPrefix(name, "/") { // C:/…
		name = "/" + name
	}
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: q.Encode()}
	c, err := driver.NewConnector(dsn.String())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}
