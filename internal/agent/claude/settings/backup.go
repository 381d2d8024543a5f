package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	backupInfix  = ".nod-backup-"
	recordSuffix = ".nod-backup.json"
	backupsKept  = 5
)

// record remembers what Install did to a file, so that Remove can undo it to the byte.
type record struct {
	Written   string `json:"written"`          // SHA-256 of the file as Install left it
	Backup    string `json:"backup,omitempty"` // name of the backup beside the file
	BackupSum string `json:"backup_sha256,omitempty"`
	Pristine  bool   `json:"pristine,omitempty"` // the backup has none of our handlers
	Created   bool   `json:"created,omitempty"`  // there was no file before Install
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// loadRecord treats a damaged record as none: Remove then removes our handlers one by one.
func loadRecord(target string) (r record) {
	data, err := readLimited(target + recordSuffix)
	if err != nil || json.Unmarshal(data, &r) != nil {
		return record{}
	}
	if r.Backup != "" && !isBackup(target, r.Backup) {
		r.Backup, r.Pristine = "", false // a path to another directory is not ours
	}
	return r
}

func (r record) save(s snapshot) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(s.target+recordSuffix, append(data, '\n'), 0o600, s.info)
}

// original is the file as it was before Install, if its backup is intact.
func (r record) original(target string) ([]byte, bool) {
	if r.Backup == "" || !r.Pristine {
		return nil, false
	}
	data, err := readLimited(filepath.Join(filepath.Dir(target), r.Backup))
	return data, err == nil && sum(data) == r.BackupSum
}

func isBackup(target, name string) bool {
	return filepath.Base(name) == name && strings.HasPrefix(name, filepath.Base(target)+backupInfix)
}

// backUp copies the file as it is now and returns the copy's name.
func backUp(s snapshot, now time.Time) (string, error) {
	base := filepath.Base(s.target) + backupInfix + now.UTC().Format("20060102T150405.000000Z")
	for n := range 100 {
		name := base
		if n > 0 {
			name = fmt.Sprintf("%s-%02d", base, n)
		}
		path := filepath.Join(filepath.Dir(s.target), name)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return name, writeFile(path, s.data, s.mode(), s.info)
		}
	}
	return "", errors.New("too many backups of the same moment")
}

// prune keeps the newest backups and always the one that Remove would restore.
func prune(target, needed string) {
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return
	}
	var names []string
	for _, e := range entries {
		if isBackup(target, e.Name()) && e.Name() != needed {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names) // by time stamp: oldest first
	keep := backupsKept
	if needed != "" {
		keep--
	}
	for len(names) > keep {
		_ = os.Remove(filepath.Join(filepath.Dir(target), names[0]))
		names = names[1:]
	}
}
