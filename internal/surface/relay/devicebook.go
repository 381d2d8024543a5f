package relay

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"

	"nod/internal/sys/replace"
)

// deviceBook keeps which devices of which room want to be told. They can be
// removed, so they are no facts of the log but a file of their own.
type deviceBook struct {
	file string // empty: nothing is kept
	log  *slog.Logger

	mu      sync.Mutex
	rooms   map[roomID]*roomDevices
	changed bool
}

type roomDevices struct {
	Apple    []appleDevice `json:"apnsDevices"`
	Browsers []browser     `json:"webPushDevices"`
}

// bookVersion is the original's form of the file, except that rooms are named
// without telling their keys.
const bookVersion = 1

type bookFile struct {
	Version int                     `json:"version"`
	Rooms   map[roomID]*roomDevices `json:"rooms"`
}

func openDevices(file string, log *slog.Logger) *deviceBook {
	b := &deviceBook{file: file, log: log, rooms: map[roomID]*roomDevices{}}
	if file == "" {
		return b
	}
	var kept bookFile
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		log.Warn("the devices of Prompt Relay have to register again", "file", file, "err", err)
	case kept.Version == bookVersion:
		for id, room := range kept.Rooms {
			if room != nil {
				b.rooms[id] = room
			}
		}
	}
	return b
}

// room is the devices of a room. The lock is held.
func (b *deviceBook) room(id roomID) *roomDevices {
	if b.rooms[id] == nil {
		b.rooms[id] = &roomDevices{}
	}
	return b.rooms[id]
}

func (b *deviceBook) edit(id roomID, f func(*roomDevices)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room, ok := b.rooms[id]
	if !ok {
		return
	}
	f(room)
	if len(room.Apple)+len(room.Browsers) == 0 {
		delete(b.rooms, id)
	}
	b.changed = true
}

// of are the devices of a room, as they are now.
func (b *deviceBook) of(id roomID) ([]appleDevice, []browser) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room, ok := b.rooms[id]
	if !ok {
		return nil, nil
	}
	return slices.Clone(room.Apple), slices.Clone(room.Browsers)
}

func (b *deviceBook) none(id roomID) bool {
	apple, browsers := b.of(id)
	return len(apple)+len(browsers) == 0
}

func (b *deviceBook) forget(id roomID) {
	b.edit(id, func(r *roomDevices) { *r = roomDevices{} })
}

// keep writes the file anew if something changed, whole or not at all. That it
// cannot be written stops nobody: devices register again.
func (b *deviceBook) keep() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.file == "" || !b.changed {
		return
	}
	if err := b.write(); err != nil {
		b.log.Warn("the devices of Prompt Relay are not kept", "file", b.file, "err", err)
		return
	}
	b.changed = false
}

func (b *deviceBook) write() error {
	text, err := json.Marshal(bookFile{bookVersion, b.rooms})
	if err != nil {
		return err
	}
	return replace.File(b.file, text, 0o600)
}
