package nod

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// FewestLetters is how many first letters of an id at least stand for it. Fewer fit by accident.
const FewestLetters = 4

// ShortFor reports whether text stands for an id, or for another name: it is its beginning, and long enough.
func ShortFor(text, id string) bool {
	return len([]rune(text)) >= FewestLetters && strings.HasPrefix(id, text)
}

// TooShort is the error for a beginning that is too short to stand for anything.
func TooShort(text string) error {
	return Errorf(NotFound, "%q is no whole id, and too short for the beginning of one: type at least %d characters", Fold(OneLine(text), 20), FewestLetters)
}

// NumberOf is an agent's number: 1 for the first agent of the log, then 2, and so on. Every hub on a log gives the same
// numbers, they survive restarts and pruning, and none is given twice. 0: no such agent is known.
func (s *State) NumberOf(id AgentID) int { return s.Numbers[id] }

// number gives an agent its number when it is first seen.
func (s *State) number(id AgentID) {
	if s.Numbers == nil {
		s.Numbers = map[AgentID]int{}
	}
	if s.Numbers[id] == 0 {
		s.Numbered++
		s.Numbers[id] = s.Numbered
	}
}

// numberAll upgrades a State from before agents had numbers.
func (s *State) numberAll() {
	for _, a := range slices.SortedFunc(maps.Values(s.Agents), func(a, b *Agent) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	}) {
		s.number(a.ID)
	}
}
