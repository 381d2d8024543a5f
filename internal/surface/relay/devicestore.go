package relay

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

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
	Apple    []*appleDevice `json:"apnsDevices"`
	Browsers []*browser     `json:"webPushDevices"`
}

// device is an *appleDevice or a *browser.
type device interface {
	comparable
	id() string
	times() *usage
}

func appleOf(r *roomDevices) *[]*appleDevice { return &r.Apple }
func browsersOf(r *roomDevices) *[]*browser  { return &r.Browsers }

// addDevice adds a device to a room and removes it from all others. In a full room it
// replaces the one that was not reached for the longest time.
func addDevice[D device](b *deviceStore, to roomID, d D, of func(*roomDevices) *[]D) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, room := range b.rooms {
		list := of(room)
		*list = slices.DeleteFunc(*list, func(old D) bool {
			if old.id() == d.id() && id == to {
				d.times().Pushed = old.times().Pushed
			}
			return old.id() == d.id()
		})
	}
	list := of(b.room(to))
	if len(*list) >= mostDevices {
		oldest := slices.MinFunc(*list, func(x, y D) int { return cmp.Compare(x.times().last(), y.times().last()) })
		*list = slices.DeleteFunc(*list, func(old D) bool { return old == oldest })
	}
	*list = append(*list, d)
	b.changed = true
}

// removeDevice removes a device of a room.
func removeDevice[D device](b *deviceStore, from roomID, id string, of func(*roomDevices) *[]D) {
	b.edit(from, func(r *roomDevices) {
		list := of(r)
		*list = slices.DeleteFunc(*list, func(d D) bool { return d.id() == id })
	})
}

// reached notes that a device was reached, which decides which one is replaced first.
func reached[D device](b *deviceStore, in roomID, id string, at time.Time, of func(*roomDevices) *[]D) {
	b.edit(in, func(r *roomDevices) {
		for _, d := range *of(r) {
			if d.id() == id {
				d.times().Pushed = at.UnixMilli()
			}
		}
	})
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
			if room != nil && !slices.Contains(room.Apple, nil) && !slices.Contains(room.Browsers, nil) {
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
func (b *deviceStore) of(id roomID) ([]*appleDevice, []*browser) {
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
