package render

import "slices"

// change says that before[a:aEnd] became after[b:bEnd]; all else is common.
type change struct{ a, aEnd, b, bEnd int }

// farthest bounds the work on two texts: when they differ in more places, what
// lies between their common beginning and end is shown as one change.
const farthest = 1000

// changes compares two sequences: the shortest way from one to the other after
// E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
func changes[T comparable](before, after []T) []change {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	a, b := before[head:len(before)-tail], after[head:len(after)-tail]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	found, ok := shortest(a, b)
	if !ok || len(a) == 0 || len(b) == 0 {
		found = []change{{0, len(a), 0, len(b)}}
	}
	for i := range found {
		found[i].a += head
		found[i].aEnd += head
		found[i].b += head
		found[i].bEnd += head
	}
	return found
}

// shortest goes forward with one more difference at a time and keeps how far
// each diagonal came, then walks the same way back.
func shortest[T comparable](a, b []T) ([]change, bool) {
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
func walkBack(trail [][]int32, x, y int) []change {
	var out []change
	add := func(c change) {
		if n := len(out); n > 0 && out[n-1].a == c.aEnd && out[n-1].b == c.bEnd {
			out[n-1].a, out[n-1].b = c.a, c.b
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
			add(change{x, x, y, y + 1})
		} else {
			x = reach(k - 1)
			y = x - k + 1
			add(change{x, x + 1, y, y})
		}
	}
	slices.Reverse(out)
	return out
}
