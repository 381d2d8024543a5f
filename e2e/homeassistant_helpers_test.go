package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The optional helpers use only entities and scripts that they or the package define,
// read only fields that nod sends, and cut what a helper cannot hold.
func TestHomeAssistantHelpersFitThePackage(t *testing.T) {
	t.Parallel()
	type scripts map[string]struct {
		Fields   map[string]any `json:"fields"`
		Sequence []any          `json:"sequence"`
	}
	var house, helpers struct {
		Script  scripts                   `json:"script"`
		Text    map[string]map[string]any `json:"input_text"`
		Boolean map[string]any            `json:"input_boolean"`
	}
	readYAML(t, "packages/nod.yaml", &house)
	readYAML(t, "packages/nod_helpers.yaml", &helpers)
	raw, err := os.ReadFile(filepath.Join(houseFiles, "packages/nod_helpers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, m := range regexp.MustCompile(`script\.((?:nod|claude)_\w+)`).FindAllStringSubmatch(text, -1) {
		if _, ours := helpers.Script[m[1]]; !ours {
			if _, theirs := house.Script[m[1]]; !theirs {
				t.Errorf("there is no script.%s", m[1])
			}
		}
	}
	for _, m := range regexp.MustCompile(`(input_text|input_boolean)\.(claude_\w+)`).FindAllStringSubmatch(text, -1) {
		_, isText := helpers.Text[m[2]]
		_, isBoolean := helpers.Boolean[m[2]]
		if m[1] == "input_text" && !isText || m[1] == "input_boolean" && !isBoolean {
			t.Errorf("there is no %s.%s", m[1], m[2])
		}
	}
	for _, m := range regexp.MustCompile(`reply\.(\w+)`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(replyFields, m[1]) {
			t.Errorf("nod sends no %q", m[1])
		}
	}
	for name := range helpers.Text {
		if helpers.Text[name]["max"] != 255.0 {
			t.Errorf("%s takes %v characters: Home Assistant refuses more than 255", name, helpers.Text[name]["max"])
		}
	}
	if values := regexp.MustCompile(`(?m)^ +value: "(.*)"$`).FindAllStringSubmatch(text, -1); len(values) != len(helpers.Text) {
		t.Errorf("%d values for %d helpers", len(values), len(helpers.Text))
	} else {
		for _, v := range values {
			if !strings.Contains(v[1], "[:255]") {
				t.Errorf("%s may be too long for a helper", v[1])
			}
		}
	}
	for _, name := range []string{"claude_session", "claude_response", "claude_pending_action"} {
		if helpers.Text[name] == nil {
			t.Errorf("input_text.%s is missing", name)
		}
	}
}
