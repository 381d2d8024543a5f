package policy

import "strings"

// meet reports whether some name matches both patterns; * ? and [ ] mean the same as in a shell, with a class
// matching any one letter. b has only * and letters. In a shell a pattern does not match a leading dot; in most
// programs it does.
func meet(a, b string, dots bool) bool {
	if len(a) > 255 || len(b) > 255 {
		return true // no file has such a name; a pattern this long is a trap
	}
	if !dots && strings.HasPrefix(b, ".") && a != "" && strings.ContainsRune("*?[", rune(a[0])) {
		return false
	}
	if a != "" && b != "" { // most pairs already differ in their first or last letter
		first, last := a[0], a[len(a)-1]
		if first != b[0] && b[0] != '*' && b[0] != '?' && first != '*' && first != '?' && first != '[' ||
			last != b[len(b)-1] && b[len(b)-1] != '*' && last != '*' && last != '?' && last != ']' {
			return false
		}
	}
	if !patterned(a) {
		return wild(b, a)
	}
	var rows [2][256]bool // rows[0][j]: the rest of a can meet b[j:]
	row, next := rows[0][:], rows[1][:]
	tokens := split(a)
	for i := len(tokens); i >= 0; i-- {
		for j := len(b); j >= 0; j-- {
			switch {
			case i == len(tokens):
				next[j] = strings.Trim(b[j:], "*") == ""
			case tokens[i] == '*':
				next[j] = row[j] || j < len(b) && next[j+1]
			case j == len(b):
				next[j] = false
			case b[j] == '*':
				next[j] = next[j+1] || row[j]
			default:
				next[j] = row[j+1] && (tokens[i] == '?' || tokens[i] == b[j])
			}
		}
		row, next = next, row
	}
	return row[0]
}

// wild matches a name against a pattern that has only * and letters.
func wild(pattern, name string) bool {
	star, from := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == name[n] || pattern[p] == '?'):
			p, n = p+1, n+1
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// split turns a shell pattern into letters, '?' and '*'.
func split(a string) []byte {
	var out []byte
	for i := 0; i < len(a); i++ {
		if a[i] == '[' {
			if end := classEnd(a, i); end > 0 {
				i = end
				out = append(out, '?')
				continue
			}
		}
		out = append(out, a[i])
	}
	return out
}

// classEnd is the position of the ] that closes the class starting here, 0 if there is none. The first letter may be
// a ], as in []a] and [!]a], and a [:name:] has one of its own.
func classEnd(a string, at int) int {
	i := at + 1
	if i < len(a) && (a[i] == '!' || a[i] == '^') {
		i++
	}
	for first := i; i < len(a); i++ {
		switch {
		case a[i] == ']' && i > first:
			return i
		case a[i] == '[' && i+1 < len(a) && strings.IndexByte(":.=", a[i+1]) >= 0:
			if end := strings.Index(a[i+2:], a[i+1:i+2]+"]"); end >= 0 {
				i += end + 3
			}
		}
	}
	return 0
}
