package homeassistant

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"nod"
	"nod/internal/net/hass"
)

// satellite is a device that speaks and listens, and what belongs to it. What it
// does not have is empty.
type satellite struct {
	id, name                   string
	ring, player, button, dial string // entities
	paint                      string // the action that lights single LEDs
}

// find asks Home Assistant for its satellites.
func (s *Surface) find(ctx context.Context) (found []satellite, missing []string, err error) {
	entities, err := s.client.Entities(ctx)
	if err != nil {
		return nil, nil, err
	}
	devices, err := s.client.Devices(ctx)
	if err != nil {
		return nil, nil, err
	}
	found = satellites(entities, devices, nil)
	// The list is long and slow, so it is fetched only if it may help.
	if slices.ContainsFunc(found, func(one satellite) bool { return one.dial != "" }) {
		actions, err := s.client.Actions(ctx, "esphome")
		if err != nil {
			s.Log.Warn("rings have one colour at a time: Home Assistant does not tell its actions", "err", err)
		}
		found = satellites(entities, devices, actions)
	}
	found, missing = pick(found, s.Satellites)
	return found, missing, nil
}

// satellites are all that the registries know, sorted by id.
func satellites(entities []hass.Entity, devices []hass.Device, actions []string) []satellite {
	var list []satellite
	for _, e := range entities {
		if !strings.HasPrefix(e.ID, "assist_satellite.") || e.Disabled != nil {
			continue
		}
		one := satellite{id: e.ID, name: e.ID}
		if e.Device != "" {
			one.addEntities(e.Device, entities)
			for _, d := range devices {
				if d.ID != e.Device {
					continue
				}
				if name := strings.TrimSpace(nod.Fold(nod.OneLine(d.Called()), 80)); name != "" {
					one.name = name
				}
				if action := slug(d.Name) + "_nod_ring"; slices.Contains(actions, action) {
					one.paint = action
				}
			}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b satellite) int { return strings.Compare(a.id, b.id) })
	return list
}

// addEntities finds the other entities of the device by the names that the device
// itself gives them, because people rename entities.
func (one *satellite) addEntities(device string, entities []hass.Entity) {
	for _, e := range entities {
		if e.Device != device || e.Disabled != nil {
			continue
		}
		domain, object, _ := strings.Cut(e.ID, ".")
		named := func(what string) bool { return strings.HasSuffix(object, "_"+what) || slug(e.Original) == what }
		switch {
		case domain == "light" && named("led_ring"):
			one.ring = e.ID
		case domain == "media_player" && (named("media_player") || one.player == ""):
			one.player = e.ID
		case domain == "event" && named("button_press"):
			one.button = e.ID
		case domain == "event" && named("dial"):
			one.dial = e.ID
		}
	}
}

// pick selects those that the configuration names, by entity or by device.
func pick(all []satellite, names []string) (found []satellite, missing []string) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(all, func(one satellite) bool {
			return strings.EqualFold(one.id, name) || strings.EqualFold(one.name, name) || strings.EqualFold(strings.TrimPrefix(one.id, "assist_satellite."), name)
		})
		switch {
		case i < 0:
			missing = append(missing, name)
		case !slices.Contains(found, all[i]):
			found = append(found, all[i])
		}
	}
	return found, missing
}

// slug is a name as Home Assistant makes ids of it.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), "_")
}
