package render

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the style sheet")

func TestStylesheetIsWritten(t *testing.T) {
	file := filepath.Join("..", "..", "..", "web", "css", "code.css")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(stylesheet()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != stylesheet() {
		t.Errorf("%s is old: go test ./internal/present/render -update", file)
	}
}

func TestEveryClassHasAColour(t *testing.T) {
	for c := keyword; c <= heading; c++ {
		if !strings.Contains(stylesheet(), "\n."+c.String()+" { color: var(--"+c.String()+"); }") {
			t.Errorf("%s is not in the style sheet", c)
		}
	}
}

// Commands are read before something runs: 7:1 on the page. Within a diff 4.5:1.
func TestColoursCanBeRead(t *testing.T) {
	for _, c := range colours {
		enough(t, c.name, c.light, "#ffffff", 7)
		enough(t, c.name, c.dark, "#0f1216", 7)
		for _, g := range grounds {
			enough(t, c.name+" on "+g.name, c.light, g.light, 4.5)
			enough(t, c.name+" on "+g.name, c.dark, g.dark, 4.5)
		}
	}
	enough(t, "hidden characters", tagColours[0].light, tagColours[1].light, 7)
	enough(t, "hidden characters", tagColours[0].dark, tagColours[1].dark, 7)
}

func enough(t *testing.T, name, text, ground string, want float64) {
	t.Helper()
	a, b := luminance(t, text), luminance(t, ground)
	if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < want {
		t.Errorf("%s: %s on %s is %.2f:1", name, text, ground, ratio)
	}
}

// luminance as WCAG 2.2 defines it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("%q is no colour", hex)
	}
	part := func(shift int) float64 {
		v := float64(n>>shift&0xff) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
