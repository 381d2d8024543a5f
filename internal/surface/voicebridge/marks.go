package voicebridge

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"

	"nod"
	"nod/internal/sys/replace"
)

// readMarks remembers how far people have read what each agent said. A bookmark is no
// fact, so it is kept in a small file instead of the log. What was said before the
// file was created counts as read.
type readMarks struct {
	file string // empty: nothing is kept
	log  *slog.Logger

	mu   sync.Mutex
	kept bookmarks
}

type bookmarks struct {
	Since nod.Seq               `json:"since"`
	Read  map[nod.AgentID]int64 `json:"read"` // the number of a turn
}

// mostMarks bounds the file; agents that ended long ago are forgotten first.
const mostMarks = 1000

// openMarks reads the file. One that cannot be read, or that belongs to a longer log
// than this one, is replaced by an empty one.
func openMarks(file string, head nod.Seq, log *slog.Logger) *readMarks {
	m := &readMarks{file: file, log: log, kept: bookmarks{Since: head}}
	if file == "" {
		return m
	}
	var old bookmarks
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &old)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		log.Warn("what was read aloud is forgotten", "file", file, "err", err)
	case old.Since <= head:
		m.kept = old
		return m
	}
	m.keep()
	return m
}

func (m *readMarks) unread(id nod.AgentID, spoken int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	mark, ok := m.kept.Read[id]
	if !ok {
		mark = turnID(m.kept.Since)
	}
	return spoken > mark
}

func (m *readMarks) mark(id nod.AgentID, at nod.Seq) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept.Read == nil {
		m.kept.Read = map[nod.AgentID]int64{}
	}
	m.kept.Read[id] = turnID(at)
	if len(m.kept.Read) > mostMarks {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(m.kept.Read)), func(a, b nod.AgentID) int {
			return int(m.kept.Read[a] - m.kept.Read[b])
		})
		delete(m.kept.Read, oldest)
	}
	m.keep()
}

// keep writes the file. If it cannot be written nothing is refused: the mark is lost
// at the next start.
func (m *readMarks) keep() {
	if m.file == "" {
		return
	}
	if err := m.write(); err != nil {
		m.log.Warn("what was read is not kept", "file", m.file, "err", err)
	}
}

func (m *readMarks) write() error {
	text, err := json.Marshal(m.kept)
	if err != nil {
		return err
	}
	return replace.File(m.file, text, 0o600)
}
