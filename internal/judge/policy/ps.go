package policy

import "strings"

// ps: in BSD style, without a dash, e prints environments, which hold tokens. procps rereads dashed flags that it
// cannot parse as if there were no dash, so beside a dashed e only letters that it surely knows are accepted.
func ps(c call) finding {
	const take = "opCUG"
	s := spec{what: "lists processes", operands: anyText, bare: "AaefFlLjMmTuxwHdycNZ", take: take, long: "sort= forest no-headers headers pid= ppid= user= cols= width= format="}
	every, others := false, false
	for i, a := range c.args {
		dashed := strings.HasPrefix(a.text, "-")
		long := strings.HasPrefix(a.text, "--")
		before := ""
		if i > 0 {
			before = c.args[i-1].text
		}
		value := len(before) > 1 && before[0] == '-' && before[1] != '-' && strings.ContainsAny(before[len(before)-1:], take)
		letters := ""
		if dashed && !long {
			// What follows o and the like is a value.
			letters = a.text[1:]
			if at := strings.IndexAny(letters, take); at >= 0 {
				letters = letters[:at+1]
			}
		}
		every = every || strings.Contains(letters, "e")
		others = others || strings.Trim(letters, "AefFlLjHwydcop") != "" || !dashed && !value
		bsd := !dashed && !value || strings.ContainsAny(letters, "aux")
		if low := strings.ToLower(a.text); bsd && strings.ContainsAny(a.text, "eE") || a.glob || strings.Contains(low, "env") || strings.Contains(letters, "E") {
			return stops(Secret, "ps e", "shows the environment of processes")
		}
	}
	if every && others {
		return stops(Secret, "ps -e", "may show the environment of processes")
	}
	return s.judge("ps", c)
}
