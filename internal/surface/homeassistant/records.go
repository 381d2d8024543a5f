package homeassistant

import (
	"encoding/json"
	"log/slog"
	"os"
	"sync"

	"nod/internal/sys/replace"
)

// record is what is kept of one satellite across restarts.
type record struct {
	Taught bool       `json:"taught,omitempty"` // it has heard how it works
	Ring   *ringState `json:"ring,omitempty"`   // as it was before nod lit it
	Volume *float64   `json:"volume,omitempty"` // as it was before the dial became an answer
}

// records is a small file, so that a crash during a question does not leave an orange
// ring and a wrong volume behind.
type records struct {
	file string
	log  *slog.Logger

	mu  sync.Mutex
	all map[string]record
}

func openRecords(file string, log *slog.Logger) *records {
	k := &records{file: file, log: log, all: map[string]record{}}
	if file == "" {
		return k
	}
	text, err := os.ReadFile(file)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &k.all)
	}
	if err != nil && !os.IsNotExist(err) {
		log.Warn("what was kept of satellites cannot be read", "file", file, "err", err)
	}
	if k.all == nil {
		k.all = map[string]record{}
	}
	return k
}

func (k *records) of(id string) record {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[id]
}

func (k *records) change(id string, f func(*record)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.all[id]
	f(&r)
	k.all[id] = r
	if k.file == "" {
		return
	}
	if err := k.write(); err != nil {
		k.log.Warn("what must be kept of satellites cannot be written", "file", k.file, "err", err)
	}
}

// write replaces the file, so that a crash leaves the old or the new one.
func (k *records) write() error {
	text, err := json.Marshal(k.all)
	if err != nil {
		return err
	}
	return replace.File(k.file, text, 0o600)
}
