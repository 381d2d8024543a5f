package hasskit

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "write the golden files and the examples anew")

// examples are files that people can take as they are, once they know their device.
const examples = "../../../examples/homeassistant/voice-pe"

// everything is all files, with the names of a stock device.
func everything(t *testing.T, say words.Printer) []File {
	t.Helper()
	o := Options{Say: say, Device: "09f5a3"}
	var all []File
	add := func(files []File, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, files...)
	}
	add(Package(o))
	add(Blueprint(o))
	add(Sentences(o))
	if say.Lang() != words.Japanese {
		add(Lovelace(o, []string{"shop_on_desk"}))
	}
	return all
}

func TestExamplesAreUpToDate(t *testing.T) {
	for _, f := range everything(t, words.In(words.English)) {
		same(t, filepath.Join(examples, f.Name), f.Data)
	}
}

func TestInPolishWithEverythingElse(t *testing.T) {
	files, err := Package(Options{Say: words.In(words.Polish), Device: "kitchen", Dial: "event.kitchen_dial", RingAction: "esphome.kitchen_nod_ring", Prefix: "house/kitchen"})
	if err != nil {
		t.Fatal(err)
	}
	same(t, filepath.Join("testdata", "package-pl.yaml"), files[0].Data)
	if files, err = Package(Options{TTS: "tts.piper", Device: "kitchen"}); err != nil {
		t.Fatal(err)
	}
	if text := string(files[0].Data); !strings.Contains(text, "action: tts.speak") || strings.Contains(text, "assist_satellite.announce\n") {
		t.Error("a voice of one's own does not speak, or the satellite does as well")
	}
}

func same(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil || string(want) != string(got) {
		t.Errorf("%s is not what is written now (-update writes it): %v", name, err)
	}
}

// read gives YAML as Home Assistant reads it; a key twice is an error there too.
func read(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", `
import json, sys
try:
    import yaml
except ImportError:
    sys.exit(3)
class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    def construct_mapping(self, node, deep=False):
        keys = [k.value for k, _ in node.value]
        if len(keys) != len(set(keys)):
            raise ValueError(f"twice the same key: {keys}")
        return super().construct_mapping(node, deep)
Loader.add_constructor("!input", lambda loader, node: "!input " + node.value)
json.dump(yaml.load(open(sys.argv[1], encoding="utf-8"), Loader), sys.stdout)`, file)
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 3 {
		t.Skip("python3 with PyYAML is not installed")
	}
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The names of the design that the puck follows are there on demand.
func TestAliases(t *testing.T) {
	for _, aliases := range []bool{false, true} {
		files, err := Package(Options{Device: "09f5a3", Aliases: aliases})
		if err != nil {
			t.Fatal(err)
		}
		file := read(t, files[0].Data)
		for domain, names := range map[string][]string{
			"input_select": {"claude_state"}, "input_text": {"claude_request_id", "claude_pending_command", "claude_choice_options"},
			"input_number": {"claude_approval_count", "claude_current_approval", "claude_choice_selected", "claude_choice_count", "claude_conversation_turn"},
			"script":       {"claude_transition"},
		} {
			all, _ := file[domain].(map[string]any)
			for _, name := range names {
				if _, there := all[name]; there != aliases {
					t.Errorf("aliases %v: %s.%s is there: %v", aliases, domain, name, there)
				}
			}
		}
		if states, _ := file["input_select"].(map[string]any); aliases && len(states["claude_state"].(map[string]any)["options"].([]any)) != len(puck.States()) {
			t.Errorf("the states are %v", states)
		}
	}
}

// Every row of the table is in the package, and no other.
func TestPackageMatchesTheTable(t *testing.T) {
	files, err := Package(Options{})
	if err != nil {
		t.Fatal(err)
	}
	machine := read(t, files[0].Data)["template"].([]any)[0].(map[string]any)["variables"].(map[string]any)
	got := map[string][]any{}
	for from, events := range machine["table"].(map[string]any) {
		for on, rows := range events.(map[string]any) {
			got[from+" "+on] = rows.([]any)
		}
	}
	want := map[string][]any{}
	for _, row := range puck.Table() {
		one := map[string]any{"to": string(row.To)}
		if row.When != "" {
			one["when"] = string(row.When)
		}
		var effects []any
		for _, d := range row.Do {
			effects = append(effects, effect(d))
		}
		if effects != nil {
			one["do"] = effects
		}
		at := string(row.From) + " " + string(row.On)
		want[at] = append(want[at], one)
	}
	if !reflect.DeepEqual(got, want) {
		for at := range want {
			if !reflect.DeepEqual(got[at], want[at]) {
				t.Errorf("%s: %v, want %v", at, got[at], want[at])
			}
		}
		t.Errorf("%d places, want %d", len(got), len(want))
	}
}

// Bugs that such files had before.
func TestRegressions(t *testing.T) {
	for _, say := range []words.Printer{words.In(words.English), words.In(words.Polish), words.In(words.Japanese)} {
		for _, f := range everything(t, say) {
			v := read(t, f.Data)
			for _, domain := range []string{"input_text", "input_number", "input_select", "input_boolean"} {
				if v[domain] != nil {
					t.Errorf("%s: %s: what is remembered belongs into the sensor", f.Name, domain)
				}
			}
			for _, word := range []string{"omit", "trigger.payload }}", "intent_handled", "'remaining'", "easter_egg"} {
				if strings.Contains(string(f.Data), word) {
					t.Errorf("%s has %q in it", f.Name, word)
				}
			}
			walk(v, func(key string, value any) {
				switch key {
				case "service", "platform", "service_template", "data_template", "event_data_template", "entity_namespace":
					t.Errorf("%s: %s is an old word of Home Assistant's", f.Name, key)
				case "mode":
					if _, ok := value.(bool); ok {
						t.Errorf("%s: a mode is true or false: quote it", f.Name)
					}
				case "options":
					list, _ := value.([]any)
					for _, o := range list {
						if _, ok := o.(string); !ok {
							t.Errorf("%s: option %v is not a text: quote it", f.Name, o)
						}
					}
				}
			})
		}
	}
}

// Every script that is called exists, and every effect of the table is implemented.
func TestNothingIsMissing(t *testing.T) {
	files, err := Package(Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := read(t, files[0].Data)
	scripts, timers := v["script"].(map[string]any), v["timer"].(map[string]any)
	calls := 0
	walk(v, func(key string, value any) {
		text, _ := value.(string)
		if name, ok := strings.CutPrefix(text, "script."); ok && (key == "action" || key == "entity_id") && !strings.HasPrefix(name, "turn_") {
			if calls++; scripts[name] == nil {
				t.Errorf("%s is called and not there", text)
			}
		}
	})
	if calls < 10 {
		t.Errorf("%d calls: is the test looking in the right place?", calls)
	}
	for _, timer := range puck.Timers() {
		if timers["claude_"+string(timer.Timer)] == nil {
			t.Errorf("there is no timer %s", timer.Timer)
		}
	}
	text := string(files[0].Data)
	for _, one := range puck.Sentences() {
		if !strings.Contains(text, "key == '"+string(one.Key)+"'") {
			t.Errorf("nothing is said for %s", one.Key)
		}
	}
}

func walk(v any, visit func(key string, value any)) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			visit(key, value)
			walk(value, visit)
		}
	case []any:
		for _, value := range v {
			walk(value, visit)
		}
	}
}

// A sentence in two lists would trigger both.
func TestSentencesAreUnambiguous(t *testing.T) {
	for _, lang := range []words.Lang{words.English, words.Polish, words.Japanese} {
		v := vocabularyOf(words.In(lang))
		seen := map[string]bool{}
		for _, list := range [][]string{v.ask, v.yes, v.no, v.cancel, v.stop, v.option} {
			if len(list) == 0 {
				t.Errorf("language %v: a list is empty: %+v", lang, v)
			}
			for _, s := range list {
				if seen[s] || s == "" || strings.ContainsAny(s, ".,!?;:") {
					t.Errorf("language %v: %q", lang, s)
				}
				seen[s] = true
			}
		}
		if len(v.numbers) != puck.MostOptions {
			t.Errorf("language %v: %d numbers", lang, len(v.numbers))
		}
	}
}

func TestInvalidNamesAreRefused(t *testing.T) {
	for _, o := range []Options{
		{Satellite: "light.kitchen"}, {Ring: "light.a: b"}, {Button: "event.{{ x }}"}, {Dial: "dial"}, {TTS: "media_player.x"}, {RingAction: "shell_command.x"},
		{Prefix: "a b"}, {Prefix: "/a"}, {Prefix: "a#"}, {Prefix: strings.Repeat("a", 61)}, {Owner: "me"}, {Device: "my device"},
	} {
		if _, err := Package(o); nod.CodeOf(err) != nod.Invalid {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Lovelace(Options{}, []string{"…"}); nod.CodeOf(err) != nod.Invalid {
		t.Errorf("an agent without a name: %v", err)
	}
}

func TestMessagesBecomeTemplates(t *testing.T) {
	for format, want := range map[string][2]string{
		"Run %s?":                 {"Run {{ a }}?", "('Run ' ~ a ~ '?')"},
		"%[2]d of %[1]s: it's %%": {"{{ b }} of {{ a }}: it's %", `(b ~ ' of ' ~ a ~ ': it\'s ' ~ '%')`},
		"%s %s":                   {"{{ a }} {{ b }}", "(a ~ ' ' ~ b)"},
	} {
		if got := [2]string{sentence(format, "a", "b"), expression(format, "a", "b")}; got != want {
			t.Errorf("%q: %q, want %q", format, got, want)
		}
	}
}

func TestNamesAreCutAsHomeAssistantDoes(t *testing.T) {
	for name, want := range map[string]string{"Waiting for you": "waiting_for_you", "Prośba": "prosba", "Pozwól": "pozwol", "shop (desk)": "shop_desk", "…": ""} {
		if got := slug(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
