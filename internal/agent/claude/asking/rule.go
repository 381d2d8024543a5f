package asking

import (
	"encoding/json"
	"fmt"
	"strings"

	"nod"
)

// update is one of Claude Code's permission updates.
type update struct {
	Type        string   `json:"type"`
	Rules       []rule   `json:"rules"`
	Behavior    string   `json:"behavior"`
	Mode        string   `json:"mode"`
	Directories []string `json:"directories"`
	Destination string   `json:"destination"`
}

type rule struct {
	Tool    string `json:"toolName"`
	Content string `json:"ruleContent"`
}

// rules turns the updates that Claude Code suggests into options with their
// exact text. A rule that would be kept in a file is offered for this session
// too, because people say "always" and mean "today".
func rules(suggestions []json.RawMessage) []nod.Option {
	var kept, session []nod.Option
	for i, raw := range suggestions {
		var u update
		if err := json.Unmarshal(raw, &u); err != nil || u.label() == "" {
			continue
		}
		id := fmt.Sprintf("rule-%d", i+1)
		kept = append(kept, nod.Option{ID: id, Kind: nod.OptionAlways, Label: u.label(), Detail: u.Destination, Update: raw})
		if u.Destination != "session" {
			if forSession, err := redirect(raw, "session"); err == nil {
				session = append(session, nod.Option{ID: id + "-session", Kind: nod.OptionAlways, Label: u.label(), Detail: "session", Update: forSession})
			}
		}
	}
	return append(kept, session...)
}

// label is the rule as Claude Code's own settings would write it.
func (u update) label() string {
	switch u.Type {
	case "addRules":
		texts := make([]string, len(u.Rules))
		for i, r := range u.Rules {
			texts[i] = r.Tool
			if r.Content != "" {
				texts[i] += "(" + r.Content + ")"
			}
		}
		return u.Behavior + " " + strings.Join(texts, ", ")
	case "setMode":
		return "mode " + u.Mode
	case "addDirectories":
		return "folder " + strings.Join(u.Directories, ", ")
	}
	return ""
}

func redirect(raw json.RawMessage, destination string) (json.RawMessage, error) {
	fields := map[string]any{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	fields["destination"] = destination
	return json.Marshal(fields)
}
