package diff

import (
	"math/rand/v2"
	"testing"
)

func TestChangesAreTheShortest(t *testing.T) {
	check := func(before, after string) {
		n, list := 0, Changes([]byte(before), []byte(after))
		for _, c := range list {
			n += c.OldEnd - c.OldStart + c.NewEnd - c.NewStart
		}
		if want := distance(before, after); n != want || apply(before, after, list) != after {
			t.Errorf("%q to %q in %d, could be %d: %v", before, after, n, want, list)
		}
	}
	for before, after := range map[string]string{"ABCABBA": "CBABAC", "": "abc", "abc": "", "abcd": "bcde", "aXbXc": "aYbYc"} {
		check(before, after)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		check(randomText(r), randomText(r))
	}
}

func randomText(r *rand.Rand) string {
	b := make([]byte, r.IntN(30))
	for i := range b {
		b[i] = byte('a' + r.IntN(4))
	}
	return string(b)
}

func apply(a, b string, list []Change) string {
	out, at := "", 0
	for _, c := range list {
		out += a[at:c.OldStart] + b[c.NewStart:c.NewEnd]
		at = c.OldEnd
	}
	return out + a[at:]
}

// distance is the plain old table.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		last := row[0]
		for k := range b {
			keep := row[k+1]
			if a[i] == b[k] {
				row[k+1] = last + 1
			} else {
				row[k+1] = max(row[k+1], row[k])
			}
			last = keep
		}
	}
	return len(a) + len(b) - 2*row[len(b)]
}
