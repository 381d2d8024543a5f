package webapp

import (
	"path"
	"regexp"
	"slices"
)

// first are the entry points of the first screen: the app itself, and the inbox, which
// it imports dynamically.
var first = [...]string{"app.js", "js/screens/inbox.js"}

// firstModules follows the imports of the first screen.
func firstModules(raw map[string][]byte) []string {
	// The app's modules import in this form only; a test checks that all are found.
	static := regexp.MustCompile(`(?m)^(?:import|export) (?:[^"';]*? from )?"(\.[^"]+)";`)
	var found []string
	queue := slices.Clone(first[:])
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		body, there := raw[name]
		if !there || slices.Contains(found, name) {
			continue
		}
		found = append(found, name)
		for _, m := range static.FindAllSubmatch(body, -1) {
			queue = append(queue, path.Join(path.Dir(name), string(m[1])))
		}
	}
	return found
}
