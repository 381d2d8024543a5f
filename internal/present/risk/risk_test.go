package risk

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"nod"
)

func approval(level, tool, command string) *nod.Request {
	input, _ := json.Marshal(map[string]string{"command": command})
	r := &nod.Request{Kind: nod.KindApproval, Tool: tool, Input: input, OneTap: true}
	if level != "" {
		r.Risk = &nod.Risk{Level: level}
	}
	return r
}

func TestOn(t *testing.T) {
	for _, c := range []struct {
		level, tool string
		on          Surface
		want        Way
	}{
		{"read", "Bash", Keys, Once},
		{"network", "Bash", Voice, Once},
		{"unknown", "Bash", Keys, Twice},
		{"", "Bash", Keys, Twice},          // nobody judged it
		{"weird", "Bash", Voice, Twice},    // a level of a newer policy
		{"sentence", "Bash", Voice, Twice}, // not a level that a policy can give
		{"unknown", "Bash", Voice, Twice},  // a misheard yes is not enough
		{"unknown", "Confirm", Voice, Once},
		{"unknown", "mcp__home__HassTurnOff", Voice, Once},
		{"unknown", "mcp__Hass__drop_table", Voice, Twice},
		{"destructive", "mcp__home__HassTurnOff", Voice, Never},
		{"destructive", "Bash", Keys, Never},
		{"secret", "Read", Screen, Twice},
		{"secret", "Read", Notification, Never},
		{"read", "Read", Surface("teapot"), Never},
	} {
		if got := On(c.on, approval(c.level, c.tool, "x")); got != c.want {
			t.Errorf("%s %s on %s: %s, want %s", c.level, c.tool, c.on, got, c.want)
		}
	}
}

// Words can be misheard and a puck shows nothing: neither allows what a deliberate
// press may not, except a sentence, which was heard whole.
func TestVoiceIsNeverEasierThanKeys(t *testing.T) {
	ease := []Way{Never, Twice, Once}
	for _, level := range levels {
		row := table[level]
		if len(row) != len(surfaces) {
			t.Errorf("%s has %d surfaces, want %d", level, len(row), len(surfaces))
		}
		for _, s := range []Surface{Voice, Puck, Watch, Notification} {
			if level != sentence && slices.Index(ease, row[s]) > slices.Index(ease, row[Keys]) {
				t.Errorf("%s: %s takes %s, but keys take %s", level, s, row[s], row[Keys])
			}
		}
	}
}

func TestNamed(t *testing.T) {
	names := []string{"kubectl apply", ""}
	for command, want := range map[string]bool{
		"kubectl apply -f manifest.yaml": true, "kubectl  apply": true, "kubectl": false, "kubectl delete -f x": false, "kubectl applyx": false, "": false,
		"kubectl apply -f x && rm -rf /": false, "kubectl apply -f $(cat x)": false, "kubectl apply -f x\nrm y": false, "KUBECONFIG=/x kubectl apply": false,
		"echo kubectl apply": false, "kubectl apply -f `id`": false, "kubectl apply -f x > /etc/passwd": false,
	} {
		if got := Named(approval("destructive", "Bash", command), names); got != want {
			t.Errorf("%q: %v, want %v", command, got, want)
		}
	}
}

func TestOnNamed(t *testing.T) {
	names := []string{"kubectl apply"}
	for command, want := range map[string]Way{"kubectl apply -f x": Twice, "kubectl delete ns x": Never} {
		if got := OnNamed(Voice, approval("destructive", "Bash", command), names); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	if got := OnNamed(Voice, approval("secret", "Bash", "kubectl apply"), names); got != Never {
		t.Errorf("a secret: %s, want never", got)
	}
	if got := OnNamed(Voice, approval("read", "Bash", "kubectl get pods"), names); got != Once {
		t.Errorf("reading: %s, want once", got)
	}
}

func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../../docs/allowing.md")
	if err != nil || !strings.Contains(string(text), markdown()) {
		t.Fatalf("docs/allowing.md (%v) lacks this table:\n%s", err, markdown())
	}
}

// The web app has no Go, so its two lists are compared with the table.
func TestWebApp(t *testing.T) {
	list := func(s Surface, way Way) string {
		var names []string
		for _, level := range []string{read, write, network, destructive, secret, unknown} {
			if table[level][s] == way {
				names = append(names, `"`+level+`"`)
			}
		}
		return "[" + strings.Join(names, ", ") + "]"
	}
	for file, want := range map[string]string{
		"state.js":         "needsHold = (r) => r.kind === \"approval\" && " + list(Phone, Twice),
		"voice/reading.js": "HARMLESS = " + list(Voice, Once),
	} {
		text, err := os.ReadFile("../../../web/js/" + file)
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("web/js/%s (%v) lacks %s", file, err, want)
		}
	}
}

// markdown is the table as the documentation has it.
func markdown() string {
	var b strings.Builder
	b.WriteString("| risk |")
	for _, s := range surfaces {
		b.WriteString(" " + string(s) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(surfaces)) + "\n")
	for _, level := range levels {
		b.WriteString("| " + level + " |")
		for _, s := range surfaces {
			b.WriteString(" " + string(table[level][s]) + " |")
		}
		b.WriteString("\n")
	}
	return b.String()
}
