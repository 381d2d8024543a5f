package show

import (
	"slices"

	"nod"
)

// ShortIDs are unique prefixes of the ids, at least four letters long: short enough
// to type, long enough not to match by accident.
func ShortIDs(list []*nod.Request) map[nod.RequestID]string {
	return Shortest(list, func(r *nod.Request) nod.RequestID { return r.ID })
}

func Shortest[T any, ID ~string](list []T, idOf func(T) ID) map[ID]string {
	ids := make([]string, len(list))
	for i, x := range list {
		ids[i] = string(idOf(x))
	}
	slices.Sort(ids)
	short := make(map[ID]string, len(ids))
	for i, id := range ids {
		n := 4
		if i > 0 {
			n = max(n, shared(id, ids[i-1])+1)
		}
		if i+1 < len(ids) {
			n = max(n, shared(id, ids[i+1])+1)
		}
		short[ID(id)] = id[:min(n, len(id))]
	}
	return short
}

func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
