package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/surface/brain"
)

const houseFiles = "../examples/homeassistant/"

// readYAML gives a YAML file as Home Assistant reads it; secrets stay names.
func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	cmd := exec.Command("python3", "-c", `
import json, sys
try:
    import yaml
except ImportError:
    sys.exit(3)
class Loader(yaml.SafeLoader): pass
Loader.add_constructor("!secret", lambda loader, node: "!secret " + node.value)
json.dump(yaml.load(open(sys.argv[1], encoding="utf-8"), Loader), sys.stdout)`, houseFiles+file)
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 3 {
		t.Skip("python3 with PyYAML is not installed")
	}
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

type restCommand struct {
	URL     string `json:"url"`
	Method  string `json:"method"`
	Type    string `json:"content_type"`
	Headers map[string]string
	Timeout int
	Payload string
}

// What /ask and /cancel take, and what they answer.
var (
	askFields   = []string{"query", "session_id", "confirm_action", "language", "room", "user"}
	replyFields = []string{"text", "language", "session_id", "timestamp", "requires_permission", "action_id", "action_description", "action_executed", "cancelled", "error"}
)

func TestHomeAssistantPackageCallsExistingEndpoints(t *testing.T) {
	t.Parallel()
	var house struct {
		Rest map[string]restCommand `json:"rest_command"`
	}
	var secrets map[string]string
	readYAML(t, "packages/nod.yaml", &house)
	readYAML(t, "secrets.yaml", &secrets)
	key := regexp.MustCompile(`(\w+)=`)
	sent := map[string]bool{}
	var conf brain.Config
	conf.Defaults()
	for name, c := range house.Rest {
		path, fields := "/ask", askFields
		if name == "nod_cancel" {
			path, fields = "/cancel", []string{"session_id"}
		} else if wait := int(conf.Wait.Seconds()); c.Timeout <= wait {
			t.Errorf("%s gives up after %d s, before nod does after %d", name, c.Timeout, wait)
		}
		if url := secrets[strings.TrimPrefix(c.URL, "!secret ")]; !strings.HasSuffix(url, ":8742"+path) {
			t.Errorf("%s calls %q", name, url)
		}
		if secret := secrets[strings.TrimPrefix(c.Headers["authorization"], "!secret ")]; !strings.HasPrefix(secret, "Bearer nod_") {
			t.Errorf("%s shows %q", name, secret)
		}
		if c.Method != "post" || c.Type != "application/json" || !strings.HasSuffix(c.Payload, "| to_json }}") {
			t.Errorf("%s: %+v", name, c)
		}
		for _, m := range key.FindAllStringSubmatch(c.Payload, -1) {
			if !slices.Contains(fields, m[1]) {
				t.Errorf("%s sends %q, which %s does not take", name, m[1], path)
			}
			sent[m[1]] = true
		}
	}
	if len(sent) != len(askFields) {
		t.Errorf("only %v are sent of %q", sent, askFields)
	}
}

func TestHomeAssistantPackageReadsTheAnswers(t *testing.T) {
	t.Parallel()
	var house map[string]any
	readYAML(t, "packages/nod.yaml", &house)
	field := regexp.MustCompile(`\b(?:asked|said|action_response|answer\.content)\.(\w+)`)
	uses, calls, gives := 0, map[string]bool{}, map[string]bool{}
	walk(house, func(key string, value any) {
		text, _ := value.(string)
		for _, m := range field.FindAllStringSubmatch(text, -1) {
			uses++
			if !slices.Contains(replyFields, m[1]) {
				t.Errorf("%q reads %s, which nod does not answer", text, m[1])
			}
		}
		switch key {
		case "action":
			calls[text] = true
		case "response_variable":
			gives[text] = true
		case "service", "platform", "service_template":
			t.Errorf("%s is an old word of Home Assistant's", key)
		}
	})
	for call := range calls {
		domain, name, _ := strings.Cut(call, ".")
		if own, ok := house[domain].(map[string]any); ok && own[name] == nil {
			t.Errorf("%s is called and not there", call)
		}
	}
	for _, a := range house["automation"].([]any) {
		a := a.(map[string]any)
		if a["triggers"] == nil || a["actions"] == nil || a["id"] == nil {
			t.Errorf("%v lacks a part", a["alias"])
		}
	}
	if uses < 8 || !calls["assist_satellite.announce"] || !calls["script.nod_confirm"] || !gives["reply"] {
		t.Errorf("%d uses, %v: is the test looking in the right place?", uses, calls)
	}
}

// walk visits every member of every object.
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

type sentences struct {
	Language string
	Intents  map[string]struct {
		Data []struct {
			Sentences []string
			Slots     map[string]string
		}
	}
	Lists map[string]struct{ Wildcard bool }
}

func TestHomeAssistantSentencesMatch(t *testing.T) {
	t.Parallel()
	var house struct {
		Intents map[string]any `json:"intent_script"`
	}
	readYAML(t, "packages/nod.yaml", &house)
	for name, lang := range map[string]words.Lang{"en": words.English, "pl": words.Polish} {
		var s sentences
		readYAML(t, "custom_sentences/"+name+"/nod.yaml", &s)
		if s.Language != name || !s.Lists["query"].Wildcard || len(s.Intents) != len(house.Intents) {
			t.Errorf("%s: %+v", name, s)
		}
		for intent, i := range s.Intents {
			if house.Intents[intent] == nil {
				t.Errorf("%s: nobody handles %s", name, intent)
			}
			for _, d := range i.Data {
				yes, no := ear.Assent(lang, d.Slots["words"])
				if yes != (intent == "ConfirmNod") || no != (intent == "CancelNod") || d.Slots["language"] != name {
					t.Errorf("%s: %s says %q to nod", name, intent, d.Slots)
				}
				for _, text := range d.Sentences {
					if strings.Contains(text, "{query}") != (intent == "AskNod") {
						t.Errorf("%s: %s: %q", name, intent, text)
					}
				}
			}
		}
	}
	var polish sentences
	readYAML(t, "custom_sentences/pl/nod.yaml", &polish)
	for intent, all := range map[string][]string{
		"ConfirmNod": {"tak", "potwierdź", "zgoda", "wykonaj", "ok", "dobrze", "tak zrób to"},
		"CancelNod":  {"nie", "anuluj", "stop", "nie rób tego", "rezygnuję", "przerwij"},
		"AskNod":     {"claude {query}", "zapytaj claude {query}", "wyjaśnij {query}", "co to jest {query}"},
	} {
		var known []string
		for _, d := range polish.Intents[intent].Data {
			for _, text := range d.Sentences {
				known = append(known, everyWay(text)...)
			}
		}
		for _, text := range all {
			if !slices.Contains(known, text) {
				t.Errorf("%s does not know %q, only %q", intent, text, known)
			}
		}
	}
}

var group = regexp.MustCompile(`[\[(]([^\[\]()]*)[\])]`)

// everyWay is every way to say a template: (a|b) is one of them, [a] is perhaps.
func everyWay(template string) []string {
	at := group.FindStringSubmatchIndex(template)
	if at == nil {
		return []string{strings.Join(strings.Fields(template), " ")}
	}
	ways := strings.Split(template[at[2]:at[3]], "|")
	if template[at[0]] == '[' {
		ways = append(ways, "")
	}
	var all []string
	for _, way := range ways {
		all = append(all, everyWay(template[:at[0]]+way+template[at[1]:])...)
	}
	return all
}

func TestNixModuleMatchesThePackage(t *testing.T) {
	t.Parallel()
	nix, err := exec.LookPath("nix-instantiate")
	if err != nil {
		t.Skip("nix-instantiate is not installed (Debian: nix-bin)")
	}
	run := func(args ...string) []byte {
		cmd := exec.Command(nix, args...)
		dir := t.TempDir()
		cmd.Env = []string{"HOME=" + dir, "NIX_STORE_DIR=" + dir + "/store", "NIX_STATE_DIR=" + dir + "/var", "NIX_LOG_DIR=" + dir + "/log", "NIX_CONF_DIR=" + dir}
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("nix-instantiate %q: %v %s", args, err, err.(*exec.ExitError).Stderr)
		}
		return out
	}
	file, err := filepath.Abs(houseFiles + "nod.nix")
	if err != nil {
		t.Fatal(err)
	}
	run("--parse", file)
	var module, house map[string]any
	out := run("--eval", "--strict", "--json", "-E",
		`((import `+file+`) { config.services.home-assistant.configDir = "/var/lib/hass"; }).services.home-assistant.config`)
	if err := json.Unmarshal(out, &module); err != nil {
		t.Fatal(err)
	}
	readYAML(t, "packages/nod.yaml", &house)
	for key := range house {
		if !reflect.DeepEqual(house[key], module[key]) {
			t.Errorf("%s: the package says\n%v\nthe module says\n%v", key, house[key], module[key])
		}
	}
	if len(module) != len(house) {
		t.Errorf("%d parts, want %d", len(module), len(house))
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(text), "nod_…") {
		t.Error("a token is in the Nix store", err)
	}
}
