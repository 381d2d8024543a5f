package shell

import "strings"

// ssh joins its words and passes them to a shell on the other machine. It accepts further options after the host.
func (u *unwrapper) ssh(words []word, c Command, at place) {
	c.Where |= Remote
	spec := options{flags: "46AaCfGgKkMNnqsTtVvXxYy", values: "BbcDeEiIJLlmOopQRSWw"}
	n, seen, ok := spec.take(words[1:])
	n++
	if !ok || n >= len(words) || !words[n].solid() {
		u.unknown(words, c, at)
		return
	}
	more, after, ok := spec.take(words[n+1:])
	n += 1 + more
	seen = append(seen, after...)
	switch {
	case !ok || !harmlessSSH(seen) || words[n-1].Text == "--":
		u.unknown(words, c, at)
	case n >= len(words):
		u.plain(words, c, at)
	default:
		at.foreign = true
		u.nested(words, sentence(words[n:]), c, at)
	}
}

// harmlessSSH rejects options that run something locally: ProxyCommand, LocalCommand, KnownHostsCommand, Match exec,
// a provider library.
func harmlessSSH(seen []option) bool {
	for _, o := range seen {
		value := strings.ToLower(o.value.Text)
		switch {
		case o.name == "I":
			return false
		case o.name == "o" && (!o.value.Literal || strings.Contains(value, "command") ||
			strings.Contains(value, "provider") || strings.Contains(value, "include") || strings.Contains(value, "xauth") || strings.Contains(value, "askpass")):
			return false
		}
	}
	return true
}

// container unwraps docker exec and docker run. What run starts also depends on the image's entry point, so it is
// never fully known.
func (u *unwrapper) container(words []word, c Command, at place) {
	if len(words) < 2 || words[1].solid() && words[1].Literal && words[1].Text != "exec" && words[1].Text != "run" {
		u.plain(words, c, at) // docker ps, docker compose …
		return
	}
	if !words[1].Literal || strings.HasPrefix(words[1].Text, "-") {
		u.unknown(words, c, at)
		return
	}
	spec := options{flags: "dit", values: "euw", operands: 1,
		long: "detach interactive tty privileged env= env-file= user= workdir= detach-keys="}
	if words[1].Text == "run" {
		spec.flags += "P"
		spec.values += "vplmhc"
		spec.long += " rm init read-only volume= publish= name= network= net= platform= pull= memory= cpus= hostname= label= mount= tmpfs= shm-size= add-host= restart="
		c.Where |= Dynamic
	}
	n, _, ok := spec.take(words[2:])
	n += 2
	c.Where |= Remote
	switch {
	case !ok:
		u.unknown(words, c, at)
	case n >= len(words):
		u.plain(words, c, at)
	default:
		u.inner(words, n, c, at)
	}
}

// pod unwraps kubectl exec pod -- command. Any option may precede the --, so every word there must be known.
func (u *unwrapper) pod(words []word, c Command, at place) {
	execs, end := false, 0
	for i, x := range words[1:] {
		if x.Place {
			continue // a path, not a command
		}
		if !x.Literal {
			execs = true
			break
		}
		execs = execs || x.Text == "exec" || x.Text == "debug" || x.Text == "run"
		if x.Text == "--" {
			end = i + 2
			break
		}
	}
	if !execs {
		u.plain(words, c, at)
		return
	}
	c.Where |= Remote
	if end == 0 || end >= len(words) || words[1].Text != "exec" {
		u.unknown(words, c, at)
		return
	}
	u.inner(words, end, c, at)
}
