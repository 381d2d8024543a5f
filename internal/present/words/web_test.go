package words

import "testing"

func TestWebAppKeysAreUnique(t *testing.T) {
	seen := map[string]bool{}
	once := func(key string) {
		if key == "" || seen[key] {
			t.Errorf("the key %q is there twice, or empty", key)
		}
		seen[key] = true
	}
	for _, list := range webWords() {
		for _, w := range list {
			once(w.Key)
		}
	}
	for _, list := range webCounts() {
		for _, c := range list {
			once(c.Key)
		}
	}
	for _, l := range []Lang{English, Polish, Japanese} {
		if got := len(Web(l)); got != len(seen) {
			t.Errorf("the book has %d words, want %d", got, len(seen))
		}
	}
}
