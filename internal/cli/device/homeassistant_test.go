package device

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nod/internal/cli/clitest"
)

func hassRun(t *testing.T, args ...string) (out, stderr string, err error) {
	t.Helper()
	return runner{}.nod(t, append([]string{"homeassistant"}, args...)...)
}

func TestFilesForHomeAssistantGoToStdout(t *testing.T) {
	for _, tt := range []struct {
		args         string
		want, stderr string
	}{
		{"package --device 09f5a3", "entity_id: event.home_assistant_voice_09f5a3_button_press", ""},
		{"package --device kitchen --ring light.lamp --prefix house/kitchen", "topic: house/kitchen/response", ""},
		{"package", "entity_id: event.home_assistant_voice_button_press", "a guess"},
		{"package --device 09f5a3 --language pl", "Uruchomić {{ command }}?", ""},
		{"package --device 09f5a3 --tts tts.piper", "action: tts.speak", ""},
		{"blueprint", "min_version: 2025.7.0", ""},
		{"sentences --language pl", "language: pl", "--dir"},
		{"lovelace --agent shop_on_desk", "entity: button.shop_on_desk_allow", ""},
		{"lovelace --owner homeassistant", "entity: sensor.claude_puck", ""},
	} {
		out, stderr, err := hassRun(t, strings.Fields(tt.args)...)
		if err != nil || !strings.Contains(out, tt.want) || !strings.Contains(stderr, tt.stderr) || (tt.stderr == "") != (stderr == "") {
			t.Errorf("%s: %v, %q, %d bytes without %q", tt.args, err, stderr, len(out), tt.want)
		}
	}
}

func TestFilesForHomeAssistantGoToItsFolders(t *testing.T) {
	dir := t.TempDir()
	for args, names := range map[string][]string{
		"package --device 09f5a3":         {"packages/claude_voice_pe.yaml"},
		"blueprint":                       {"blueprints/automation/nod/voice_puck.yaml"},
		"sentences --owner homeassistant": {"custom_sentences/en/nod_puck.yaml", "custom_sentences/pl/nod_puck.yaml", "packages/nod_puck_sentences.yaml"},
		"lovelace":                        {"nod_cards.yaml"},
	} {
		out, stderr, err := hassRun(t, append(strings.Fields(args), "--dir", dir)...)
		if err != nil || stderr != "" || !strings.Contains(out, "Next:") {
			t.Errorf("%s: %v\n%s%s", args, err, out, stderr)
		}
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				t.Error(err)
			}
		}
	}
	file := filepath.Join(dir, "new", "puck.yaml")
	if out, _, err := hassRun(t, "package", "--device", "kitchen", "--output", file); err != nil || !strings.Contains(out, file) {
		t.Errorf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "light.kitchen_led_ring") {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestHomeAssistantUsageErrors(t *testing.T) {
	for args, want := range map[string]string{
		"pakage":                                  "pakage",
		"package extra":                           "extra",
		"package --language de":                   "en, pl or ja",
		"package --device my:device":              "my:device",
		"package --satellite light.kitchen":       "assist_satellite.kitchen",
		"package --prefix a+b":                    "a+b",
		"blueprint --output a --dir b":            "choose one place",
		"sentences --owner me":                    "homeassistant",
		"lovelace --language ja":                  "en",
		"lovelace --agent !":                      "shop_on_desk",
		"package --device k --output /dev/null/x": "/dev/null/x",
	} {
		out, _, err := hassRun(t, strings.Fields(args)...)
		if err == nil || out != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %.100q", args, err, out)
		}
	}
}

// The pages of help, in every language.
func TestHelpOfHomeAssistant(t *testing.T) {
	for tag := range clitest.Languages {
		for _, name := range []string{"", "package", "blueprint", "sentences", "lovelace"} {
			out, _, err := runner{env: map[string]string{"NOD_LANG": tag}}.nod(t, strings.Fields("homeassistant "+name+" --help")...)
			if err != nil || !strings.Contains(out, "nod homeassistant ") {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
			clitest.GoldenFile(t, strings.Join(strings.Fields("help-homeassistant "+name+" "+tag), "-")+".txt", out)
		}
	}
}
