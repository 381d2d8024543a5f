package asking

import (
	"encoding/json"
	"slices"
)

// exactly decodes an agent's input by the exact names of its fields.
// encoding/json also takes "Command" for "command", and the later of the two
// would be shown while the agent runs the other.
func exactly(input json.RawMessage, into any, names ...string) error {
	var v any
	if err := json.Unmarshal(input, &v); err != nil {
		return err
	}
	only(v, names)
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// only drops every field with another name, at every depth.
func only(v any, names []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if !slices.Contains(names, name) {
				delete(v, name)
				continue
			}
			only(inner, names)
		}
	case []any:
		for _, inner := range v {
			only(inner, names)
		}
	}
}
