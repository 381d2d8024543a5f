package keyboard

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"sync"
	"time"

	"nod"
	"nod/internal/sys/replace"
)

// savedState is the file that survives a restart: which keyboards were admitted, which
// agent each is bound to, and which agents were asked to stop. Only its owner can read it.
type savedState struct {
	file string
	log  *slog.Logger

	mu   sync.Mutex
	kept savedFile
	err  error // of the last write
}

type savedFile struct {
	Version   int                  `json:"version"`
	Session   string               `json:"session"`
	Keyboards map[string]admission `json:"keyboards"`
	Stops     map[nod.AgentID]stop `json:"stops,omitempty"`
}

// admission is one keyboard that a person let in.
type admission struct {
	Address string      `json:"address"`
	Name    string      `json:"name"`
	By      string      `json:"by"`
	At      time.Time   `json:"at"`
	Agent   nod.AgentID `json:"agent,omitempty"` // that it is bound to; empty: any that needs a person
}

// stop is an agent that was told to stop and has not gone on yet.
type stop struct {
	By       string        `json:"by"`
	Keyboard string        `json:"keyboard"`
	Until    time.Time     `json:"until,omitzero"` // then it is interrupted; zero: it was
	Message  nod.MessageID `json:"message,omitempty"`
	Resting  bool          `json:"resting,omitempty"` // it has come to rest
}

const savedVersion = 1

func openSaved(file string, log *slog.Logger) *savedState {
	b := &savedState{file: file, log: log}
	if file != "" {
		text, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(text, &b.kept)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) || b.kept.Version > savedVersion {
			log.Warn("keyboards have to be admitted again: the file that keeps them cannot be read", "file", file, "err", err)
			b.kept = savedFile{}
		}
	}
	b.kept.Version = savedVersion
	if b.kept.Keyboards == nil {
		b.kept.Keyboards = map[string]admission{}
	}
	if b.kept.Stops == nil {
		b.kept.Stops = map[nod.AgentID]stop{}
	}
	return b
}

// edit changes what is kept and writes it. It reports what could not be written: a
// person should know now that an admission will not survive a restart.
func (b *savedState) edit(f func(*savedFile)) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&b.kept)
	if b.file == "" {
		return nil
	}
	if b.err = b.write(); b.err != nil {
		b.log.Warn("keyboards are not kept", "file", b.file, "err", b.err)
		return nod.Errorf(nod.Unavailable, "it counts now, but it cannot be written down, so it ends when nod does. Is the disk full?").Because(b.err)
	}
	return nil
}

func (b *savedState) health() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return nod.Errorf(nod.Unavailable, "%s cannot be written, so keyboards have to be admitted again after a restart. Is the disk full?", b.file).Because(b.err)
	}
	return nil
}

func (b *savedState) write() error {
	text, err := json.Marshal(b.kept)
	if err != nil {
		return err
	}
	return replace.File(b.file, text, 0o600)
}

func (b *savedState) session() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.kept.Session
}

func (b *savedState) admission(id string) (admission, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.kept.Keyboards[id]
	return a, ok
}

func (b *savedState) admissions() map[string]admission {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.kept.Keyboards)
}

func (b *savedState) stop(id nod.AgentID) (stop, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	st, ok := b.kept.Stops[id]
	return st, ok
}

func (b *savedState) stops() map[nod.AgentID]stop {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.kept.Stops)
}
