package talk

import "testing"

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		told, text string
		want       int
	}{
		{"", "abc", 0}, {"ab", "abc", 2}, {"abc", "abc", 3}, {"xxab", "abc", 2}, {"abx", "abc", 0},
		{"aab", "ab", 2}, {"abcabc", "abc", 3}, {"aaa", "aaaa", 3}, {"abab", "ababc", 4}, {"long before", "b", 0}, {"x", "", 0},
	} {
		if got := overlap(c.told, c.text); got != c.want {
			t.Errorf("%q then %q: %d, want %d", c.told, c.text, got, c.want)
		}
	}
}
