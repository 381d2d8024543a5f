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

// deviceStore keeps which devices of which room receive notifications. They can be
// removed, so they are in a file of their own and not in the log.
type deviceStore struct {
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

// deviceFileVersion is that of the original's format. Unlike there, the names of rooms
// do not reveal their keys.
const deviceFileVersion = 1

type deviceFile struct {
	Version int                     `json:"version"`
	Rooms   map[roomID]*roomDevices `json:"rooms"`
}

func openDevices(file string, log *slog.Logger) *deviceStore {
	b := &deviceStore{file: file, log: log, rooms: map[roomID]*roomDevices{}}
	if file == "" {
		return b
	}
	var kept deviceFile
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		log.Warn("the devices of Prompt Relay have to register again", "file", file, "err", err)
	case kept.Version == deviceFileVersion:
		for id, room := range kept.Rooms {
			if room != nil {
				b.rooms[id] = room
			}
		}
	}
	return b
}

// room is the devices of a room. The lock is held.
func (b *deviceStore) room(id roomID) *roomDevices {
	if b.rooms[id] == nil {
		b.rooms[id] = &roomDevices{}
	}
	return b.rooms[id]
}

func (b *deviceStore) edit(id roomID, f func(*roomDevices)) {
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
func (b *deviceStore) of(id roomID) ([]appleDevice, []browser) {
	b.mu.Lock()
	defer b.mu.Unlock()
	room, ok := b.rooms[id]
	if !ok {
		return nil, nil
	}
	return slices.Clone(room.Apple), slices.Clone(room.Browsers)
}

func (b *deviceStore) none(id roomID) bool {
	apple, browsers := b.of(id)
	return len(apple)+len(browsers) == 0
}

func (b *deviceStore) forget(id roomID) {
	b.edit(id, func(r *roomDevices) { *r = roomDevices{} })
}

// save writes the file if something changed, whole or not at all. A failure is only
// logged: devices register again.
func (b *deviceStore) save() {
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

func (b *deviceStore) write() error {
	text, err := json.Marshal(deviceFile{deviceFileVersion, b.rooms})
	if err != nil {
		return err
	}
	return replace.File(b.file, text, 0o600)
}
