package homeassistant

import (
	"context"
	"slices"
	"strings"

	"nod"
	"nod/internal/net/hass"
	"nod/internal/present/words"
)

// Announce says something on a satellite, named by its entity: an answer that came
// later than a person could wait for it. It waits while the satellite asks, listens or
// speaks, and plays Home Assistant's own sound first, because it is unexpected.
func (s *Surface) Announce(ctx context.Context, id, text string) error {
	if !satelliteID(id) {
		return nod.Errorf(nod.Invalid, "%q is no voice satellite of Home Assistant", nod.Fold(nod.OneLine(id), 80))
	}
	d := s.known(id)
	if d == nil { // one that nod does not attend may have asked another way
		var end func()
		var err error
		if d, end, err = s.stranger(ctx, id); err != nil {
			return err
		}
		defer end()
	}
	if !d.voice.await(ctx) {
		return nod.Errorf(nod.Unavailable, "the satellite had no time to speak").Because(ctx.Err())
	}
	defer d.voice.speaking.release()
	return d.voice.announce(ctx, map[string]any{"message": text, "preannounce": true})
}

// stranger is a satellite that nod does not attend, with its state, which is followed until end.
func (s *Surface) stranger(ctx context.Context, id string) (d *device, end func(), err error) {
	d = newDevice(s, satellite{id: id, name: id}, words.In(words.English), "en")
	ctx, cancel := context.WithCancel(ctx)
	err = s.client.Follow(ctx, []string{id}, func(now hass.State, _ bool) { d.voice.report(now.State) })
	var all []hass.State
	if err == nil {
		all, err = s.client.States(ctx)
	}
	at := slices.IndexFunc(all, func(one hass.State) bool { return one.Entity == id })
	if err == nil && at < 0 {
		err = nod.Errorf(nod.NotFound, "Home Assistant has no satellite %s", id)
	}
	if err != nil {
		cancel()
		return nil, nil, err
	}
	if d.voice.reported() == "" {
		d.voice.report(all[at].State)
	}
	return d, cancel, nil
}

// Answering is the satellite that waits for its agent's answer now; empty if none or
// more than one does.
func (s *Surface) Answering() string {
	found := ""
	for _, d := range s.all() {
		if d.voice.reported() != processing {
			continue
		}
		if found != "" {
			return ""
		}
		found = d.satellite().id
	}
	return found
}

// satelliteID checks ids, which come from elsewhere: "all" would speak in every room.
func satelliteID(id string) bool {
	name, ok := strings.CutPrefix(id, "assist_satellite.")
	return ok && name != "" && len(id) <= 255 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func (s *Surface) known(id string) *device {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.devices[id]
}
