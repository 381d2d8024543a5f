package icon

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatFits(t *testing.T) {
	for text, want := range map[string]bool{
		"npm test": true, strings.Repeat("go test ", 11): true, strings.Repeat("word ", 60): false, strings.Repeat("W", 200): false, "": false,
		"make テスト": true, strings.Repeat("テスト", 30): false,
		"make \u202etest": false, "rm … x": false, // what cannot be seen, or looks as if it were cut
	} {
		if Fits(text) != want {
			t.Errorf("%q fits: %v", text, !want)
		}
		if p := DrawAbout(About{Title: "x", Text: text}); (p != nil) != want {
			t.Errorf("%q is drawn: %v", text, !want)
		}
	}
}

// A keyboard keeps every picture for ever, so only so many texts get one.
func TestTextsDoNotFillKeyboards(t *testing.T) {
	cache, err := OpenCache(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for i := range mostAbout + 20 {
		name, err := cache.About(About{Title: "shop", Text: fmt.Sprint("make ", i)})
		if err != nil || len(name) > MostName {
			t.Fatal(name, err)
		}
		if made[name] = true; name != "" {
			if body, err := cache.Read(name); err != nil || len(body) != Bytes {
				t.Fatalf("%s: %d bytes, %v", name, len(body), err)
			}
		}
	}
	if !made[""] || len(made) != mostAbout+1 {
		t.Errorf("%d texts were drawn", len(made)-1)
	}
	if again, err := cache.About(About{Title: "shop", Text: "make 0"}); err != nil || again == "" {
		t.Errorf("one that was drawn is gone: %q, %v", again, err)
	}
}
