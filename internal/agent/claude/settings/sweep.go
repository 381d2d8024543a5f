package settings

import (
	"slices"

	"github.com/tailscale/hujson"
)

// sweep removes the given handlers, and every container that becomes empty.
func (d *document) sweep(gone []placed) {
	hooks, _ := d.hooksObject()
	if hooks == nil || len(gone) == 0 {
		return
	}
	for i := len(hooks.Members) - 1; i >= 0; i-- {
		groups := hooks.Members[i].Value.Value.(*hujson.Array)
		if sweepEvent(groups, gone) && bare(arrayList{groups}) {
			dropMember(hooks, i)
		}
	}
	if bare(objectList{hooks}) {
		i, _ := member(d.top(), "hooks")
		dropMember(d.top(), i)
	}
}

// dropMember leaves a member alone that has a comment between its name and its value.
func dropMember(o *hujson.Object, i int) {
	if m := o.Members[i]; !hasComment(m.Name.AfterExtra) && !hasComment(m.Value.BeforeExtra) {
		drop(objectList{o}, i)
	}
}

func sweepEvent(groups *hujson.Array, gone []placed) (changed bool) {
	for j := len(groups.Elements) - 1; j >= 0; j-- {
		_, handlers := handlersOf(&groups.Elements[j])
		if handlers != nil && sweepGroup(handlers, gone) {
			changed = true
			if bare(arrayList{handlers}) && !commented(groups.Elements[j]) {
				drop(arrayList{groups}, j)
			}
		}
	}
	return changed
}

func sweepGroup(handlers *hujson.Array, gone []placed) (changed bool) {
	for k := len(handlers.Elements) - 1; k >= 0; k-- {
		object, ok := handlers.Elements[k].Value.(*hujson.Object)
		if ok && slices.ContainsFunc(gone, func(p placed) bool { return p.object == object }) {
			drop(arrayList{handlers}, k)
			changed = true
		}
	}
	return changed
}

// commented reports whether v has a comment inside; drop keeps those around it.
func commented(v hujson.Value) bool {
	v.BeforeExtra, v.AfterExtra = nil, nil
	minimal := v.Clone()
	for part := range minimal.All() {
		if hasComment(part.BeforeExtra) || hasComment(part.AfterExtra) {
			return true
		}
		switch c := part.Value.(type) {
		case *hujson.Array:
			if hasComment(c.AfterExtra) {
				return true
			}
		case *hujson.Object:
			if hasComment(c.AfterExtra) {
				return true
			}
		}
	}
	return false
}
