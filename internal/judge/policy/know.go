package policy

// know is all built-in knowledge about one command, by its name and arguments. Destructive knowledge comes first:
// what both sides know is asked.
func know(c call) finding {
	if f, ok := listing(c); ok {
		return f
	}
	if f, ok := dangerous(c); ok {
		return f
	}
	switch c.name {
	case "git":
		return git(c)
	case "kubectl":
		return kubectl(c)
	case "helm":
		return helm(c)
	case "docker", "podman":
		return docker(c)
	case "systemctl":
		return systemctl(c)
	case "go":
		return golang(c)
	case "npm":
		return npm(c)
	case "pip", "pip3":
		return pip(c)
	case "echo", "true", "false", ":":
		return harmless(c.name, "prints text") // no word can make them do more
	case "find":
		return find(c)
	case "test", "[":
		return test(c)
	case "[[":
		return condition(c)
	case "set":
		return set(c)
	case "exit":
		return exit(c)
	case "ps":
		return ps(c)
	case "ip":
		return ip(c)
	}
	for _, family := range []func(string) (spec, bool){files, sums, text, search, system, machine, versions, lists} {
		if s, ok := family(c.name); ok {
			return s.judge(c.name, c)
		}
	}
	return asks(Unknown, "unknown: "+short(c.name), short(c.name)+" is not a known command")
}
