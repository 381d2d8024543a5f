package policy

import (
	"strconv"
	"strings"
)

// coldest is the temperature, in °C, at or below which a home gets cold.
const coldest = 15

// homeAssistant knows the tools of Home Assistant that affect a whole home. The tool's name may follow that of any
// server.
func homeAssistant(tool string, in input) (finding, bool) {
	_, name, ok := strings.Cut(strings.TrimPrefix(tool, "mcp__"), "__")
	if !ok {
		name = tool
	}
	low := strings.ToLower(name)
	service := strings.ToLower(in.text("service"))
	switch {
	case strings.Contains(low, "turnoff") || strings.Contains(low, "turn_off") || strings.Contains(service, "turn_off"):
		if everything(in, 0) {
			return stops(Destructive, "destructive: turn everything off", "turns off everything in the house"), true
		}
		return asks(Write, "Home Assistant", "turns something off"), true
	case strings.Contains(low, "temperature") || strings.Contains(service, "temperature") || strings.Contains(low, "climate"):
		if t, ok := temperature(in, 0); ok && t <= coldest {
			return stops(Destructive, "destructive: cold house", "sets the temperature to "+strconv.FormatFloat(t, 'f', -1, 64)+" °C"), true
		}
		return asks(Write, "Home Assistant", "sets a temperature"), true
	case strings.HasPrefix(name, "Hass"):
		return asks(Write, "Home Assistant", "changes something in the house"), true
	}
	return finding{}, false
}

// everything reports whether a target is the whole home: named as such, or nothing narrower than a domain.
func everything(in input, depth int) bool {
	named := false
	for _, f := range in {
		text := strings.ToLower(strings.Trim(string(f.raw), `[]" `))
		switch strings.ToLower(f.name) {
		case "name", "area", "area_id", "floor", "floor_id", "entity_id", "device_id", "label_id":
			switch text {
			case "all", "everything", "*", "house", "home", "wszystko", "dom", "cały dom":
				return true
			case "", "null":
			default:
				named = true
			}
		case "target", "data", "service_data":
			if sub, err := fields(f.raw); err == nil && depth < 3 && len(sub) > 0 {
				named = named || !everything(sub, depth+1)
			}
		}
	}
	return !named
}

// temperature finds the lowest temperature anywhere in an input.
func temperature(in input, depth int) (float64, bool) {
	lowest, found := 0.0, false
	note := func(t float64) {
		if !found || t < lowest {
			lowest, found = t, true
		}
	}
	for _, f := range in {
		if strings.Contains(strings.ToLower(f.name), "temp") {
			if t, err := strconv.ParseFloat(strings.Trim(string(f.raw), `" °C`), 64); err == nil {
				note(t)
			}
		}
		if sub, err := fields(f.raw); err == nil && depth < 3 {
			if t, ok := temperature(sub, depth+1); ok {
				note(t)
			}
		}
	}
	return lowest, found
}
