package headless

import (
	"strings"
	"testing"
)

func TestFindMarker(t *testing.T) {
	for text, want := range map[string]marker{
		"PERMISSION_REQUIRED: lights off | COMMANDS: light.off":               {"lights off", "light.off"},
		"Sure.\n**PERMISSION_REQUIRED: lights off** | COMMANDS: `a`, `b`\nok": {"lights off", "a`, `b"},
		"PERMISSION_REQUIRED: lights off":                                     {"lights off", ""},
		"PERMISSION_REQUIRED: | COMMANDS: rm":                                 {"rm", "rm"},
	} {
		if got, ok := findMarker(text); !ok || got != want {
			t.Errorf("%q: %+v", text, got)
		}
	}
	for _, text := range []string{"", "I say PERMISSION_REQUIRED: x", "PERMISSION_REQUIRED:", "PERMISSION"} {
		if got, ok := findMarker(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// Whatever the pieces, a marker is never shown, and nothing else is lost.
func TestMarkerIsNeverShown(t *testing.T) {
	const text = "Well.\nPERM is short.\n PERMISSION_REQUIRED: off | COMMANDS: x\n**PERMISSION_REQUIRED: on**\nP\nPERMISSION_REQUIRE\nthe end"
	const want = "Well.\nPERM is short.\nP\nPERMISSION_REQUIRE\nthe end"
	for size := 1; size < len(text); size++ {
		var f flow
		var out strings.Builder
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			out.WriteString(f.add(rest[:n]))
			rest = rest[n:]
		}
		if got := out.String(); got != want {
			t.Fatalf("pieces of %d: %q", size, got)
		}
	}
}
