// Package diff compares two sequences, and writes how one text became another.
package diff

import "slices"

// Change says that before[OldStart:OldEnd] became after[NewStart:NewEnd]; all
// else is common.
type Change struct{ OldStart, OldEnd, NewStart, NewEnd int }

// farthest bounds the work on two sequences: when they differ in more places,
// what lies between their common beginning and end is one change.
const farthest = 1000

// Changes compares two sequences: the shortest way from one to the other after
// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
func Changes[T comparable](before, after []T) []Change {
	head, tail := CommonEnds(before, after)
	a, b := before[head:len(before)-tail], after[head:len(after)-tail]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	found, ok := shortest(a, b)
	if !ok || len(a) == 0 || len(b) == 0 {
		found = []Change{{0, len(a), 0, len(b)}}
	}
	for i, c := range found {
		found[i] = Change{c.OldStart + head, c.OldEnd + head, c.NewStart + head, c.NewEnd + head}
	}
	return found
}

// CommonEnds is how much two sequences share at their beginning and, of the
// rest, at their end.
func CommonEnds[T comparable](a, b []T) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// shortest goes forward with one more difference at a time and keeps how far
// each diagonal came, then walks the same way back.
func shortest[T comparable](a, b []T) ([]Change, bool) {
	limit := min(len(a)+len(b), farthest)
	reach := make([]int32, 2*limit+3)
	mid := limit + 1
	var trail [][]int32
	for d := 0; d <= limit; d++ {
		trail = append(trail, slices.Clone(reach[mid-d:mid+d+1]))
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && reach[mid+k-1] < reach[mid+k+1] {
				x = int(reach[mid+k+1])
			} else {
				x = int(reach[mid+k-1]) + 1
			}
			y := x - k
			for x < len(a) && y >= 0 && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
			}
			reach[mid+k] = int32(x)
			if x >= len(a) && y >= len(b) {
				return walkBack(trail, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// walkBack reads the changes from the end; trail[d] holds what the diagonals
// -d…d had reached before step d.
func walkBack(trail [][]int32, x, y int) []Change {
	var out []Change
	add := func(c Change) {
		if n := len(out); n > 0 && out[n-1].OldStart == c.OldEnd && out[n-1].NewStart == c.NewEnd {
			out[n-1].OldStart, out[n-1].NewStart = c.OldStart, c.NewStart
			return
		}
		out = append(out, c)
	}
	for d := len(trail) - 1; d > 0; d-- {
		reach := func(k int) int { return int(trail[d][k+d]) }
		k := x - y
		down := k == -d || k != d && reach(k-1) < reach(k+1)
		if down {
			x = reach(k + 1)
			y = x - k - 1
			add(Change{x, x, y, y + 1})
		} else {
			x = reach(k - 1)
			y = x - k + 1
			add(Change{x, x + 1, y, y})
		}
	}
	slices.Reverse(out)
	return out
}
