package esphome

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nod"
	"nod/internal/present/draw"
	"nod/internal/present/words"
)

var update = flag.Bool("update", false, "rewrite examples/esphome")

func options(t *testing.T, b Board) Options {
	t.Helper()
	return Options{Board: b, Name: "nod-m5stack", Hub: "https://desk.local:8742", CA: newCA(t, "nod on desk").pem, Say: words.In(words.English)}
}

func files(t *testing.T, o Options) []File {
	t.Helper()
	list, err := Files(o)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func find(list []File, name string) *File {
	if i := slices.IndexFunc(list, func(f File) bool { return f.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

var boards = []Board{Basic, Core2, CoreS3}

// The examples are complete: ESPHome accepts them as they are. They name no CA, because
// every hub has its own.
func TestExamplesAreWhatTheCommandWrites(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "examples", "esphome")
	known := map[string]bool{}
	for _, b := range boards {
		o := options(t, b)
		o.CA = nil
		for _, f := range files(t, o) {
			name := filepath.Join(dir, filepath.FromSlash(f.Name))
			known[name] = true
			if *update {
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(name); err != nil || !bytes.Equal(f.Data, want) {
				t.Errorf("%s differs from what is generated (%v); go test ./internal/present/esphome -update", name, err)
			}
		}
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !known[name] && filepath.Base(filepath.Dir(name)) != "packages" {
			t.Errorf("%s is written by nothing", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBoardGetsOnlyItsComponents(t *testing.T) {
	for b, power := range map[Board]bool{Basic: false, Core2: true, CoreS3: true} {
		list := files(t, options(t, b))
		if find(list, "components/nod_screen/__init__.py") == nil {
			t.Errorf("%s: Python would not see the component", b)
		}
		if has := find(list, "components/nod_m5stack/output.py") != nil; has != power {
			t.Errorf("%s: the power chip's component is there: %v", b, has)
		}
		for _, f := range list {
			if !filepath.IsLocal(f.Name) || len(f.Data) == 0 {
				t.Errorf("%s: %q has %d bytes", b, f.Name, len(f.Data))
			}
			if f.Yours != (f.Name == "secrets.yaml") {
				t.Errorf("%s: %s may be written over: %v", b, f.Name, !f.Yours)
			}
		}
	}
}

func TestConfigurationNamesOnlyFilesThatExist(t *testing.T) {
	for _, b := range boards {
		list := files(t, options(t, b))
		config, secrets := string(list[0].Data), string(find(list, "secrets.yaml").Data)
		for _, line := range strings.Split(config, "\n") {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			value, _, _ = strings.Cut(value, " #")
			if key == "file" || key == "ca" {
				if find(list, value) == nil {
					t.Errorf("%s: there is no %s", b, value)
				}
			}
			if name, ok := strings.CutPrefix(value, "!secret "); ok && !strings.Contains(secrets, "\n"+name+": ") {
				t.Errorf("%s: there is no secret %s", b, name)
			}
		}
		if strings.Contains(config, "[[") || strings.Contains(config, "<no value>") {
			t.Errorf("%s: the template shows through", b)
		}
	}
}

func TestScreenSaysInItsLanguageThatThereIsNoHub(t *testing.T) {
	seen := map[string]bool{}
	for l, name := range map[words.Lang]string{words.English: "en", words.Polish: "pl", words.Japanese: "ja"} {
		o := options(t, Core2)
		o.Say = words.In(l)
		list := files(t, o)
		if !strings.Contains(string(list[0].Data), "\n  language: "+name+"\n") {
			t.Errorf("the hub is not told to speak %s", name)
		}
		// The strip leaves what was asked readable, and covers the buttons.
		for file, height := range map[string]int{"no-hub.png": draw.M5Stack.H, "no-hub-strip.png": 42} {
			picture := find(list, file).Data
			seen[string(picture)] = true
			shown, err := png.Decode(bytes.NewReader(picture))
			if err != nil || shown.Bounds().Dx() != draw.M5Stack.W || shown.Bounds().Dy() != height {
				t.Errorf("%s, %s: %v, %v", name, file, shown.Bounds(), err)
			}
		}
		if !strings.Contains(string(list[0].Data), "it.image(0, 198, id(no_hub_strip));") {
			t.Errorf("%s: the strip is not over the buttons", name)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d different pictures for three languages", len(seen))
	}
}

func TestWithoutACAPublicOnesAreUsed(t *testing.T) {
	o := options(t, Basic)
	o.CA = nil
	list := files(t, o)
	if strings.Contains(string(list[0].Data), "\n  ca:") || find(list, "nod-ca.pem") != nil {
		t.Error("there is a CA that nobody gave")
	}
}

func TestInvalidOptions(t *testing.T) {
	tests := []struct {
		name  string
		wrong func(*Options)
	}{
		{"an unknown board", func(o *Options) { o.Board = "core9" }},
		{"no board", func(o *Options) { o.Board = "" }},
		{"no name", func(o *Options) { o.Name = "" }},
		{"a name with a line in it", func(o *Options) { o.Name = "a\nwifi:" }},
		{"a name in capitals", func(o *Options) { o.Name = "Desk" }},
		{"a name that is too long", func(o *Options) { o.Name = strings.Repeat("a", 32) }},
		{"a name that begins with a hyphen", func(o *Options) { o.Name = "-a" }},
		{"no hub", func(o *Options) { o.Hub = "" }},
		{"a hub without a scheme", func(o *Options) { o.Hub = "desk.local:8742" }},
		{"a hub that ESPHome would fill in", func(o *Options) { o.Hub = "https://${wifi_password}.example.org" }},
		{"a hub with a password", func(o *Options) { o.Hub = "https://me:secret@desk.local" }},
		{"a hub on the device itself", func(o *Options) { o.Hub = "http://127.0.0.1:8742" }},
		{"the same by name", func(o *Options) { o.Hub = "http://localhost:8742" }},
		{"the same in IPv6", func(o *Options) { o.Hub = "http://[::1]:8742" }},
		{"a hub everywhere", func(o *Options) { o.Hub = "http://0.0.0.0:8742" }},
		{"a CA that is none", func(o *Options) { o.CA = []byte("hello") }},
	}
	for _, tt := range tests {
		o := options(t, Core2)
		tt.wrong(&o)
		if _, err := Files(o); nod.CodeOf(err) != nod.Invalid || err == nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
