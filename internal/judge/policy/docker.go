package policy

import "strings"

// docker and podman, by subcommand. Flags before it choose another machine (-H, --context) or configuration
// (--config, whose helpers are programs): ask.
func docker(c call) finding {
	if len(c.args) == 0 || strings.HasPrefix(c.args[0].text, "-") {
		if len(c.args) == 1 && (c.args[0].text == "--version" || c.args[0].text == "-v") {
			return harmless(c.name+" --version", "shows a version")
		}
		return asks(Unknown, c.name, "flags before the command")
	}
	sub := c.args[0].text
	c.args = c.args[1:]
	switch sub {
	case "container", "image", "volume", "network", "compose", "system":
		if len(c.args) > 0 {
			sub += " " + c.args[0].text
			c.args = c.args[1:]
		}
	}
	if f, ok := dockerDanger(c.name, sub); ok {
		return f
	}
	s, ok := dockerSpec(sub)
	if !ok {
		return asks(Unknown, c.name+" "+short(sub), "not known to only read")
	}
	s.dangers = []danger{{"f", Read, "never ends by itself"}, {"follow", Read, "never ends by itself"}}
	return s.judge(c.name+" "+sub, c)
}

func dockerSpec(sub string) (spec, bool) {
	const format = " format= no-trunc quiet "
	switch sub {
	case "ps", "container ls", "container list":
		return spec{what: "lists containers", bare: "aqsl", take: "fn", long: "all filter= last= latest size" + format}, true
	case "images", "image ls", "image list":
		return spec{what: "lists images", operands: anyText, bare: "aq", take: "f", long: "all filter= digests" + format}, true
	case "volume ls", "network ls":
		return spec{what: "lists them", bare: "q", take: "f", long: "filter=" + format}, true
	case "logs", "container logs":
		return spec{what: "shows logs", operands: anyText, bare: "t", take: "n", long: "tail= since= until= timestamps details"}, true
	case "inspect", "container inspect", "image inspect":
		// The full output includes the environment, where passwords are; a part of it does not.
		return spec{what: "shows details", operands: anyText, bare: "s", take: "f", long: "size type=" + format, check: func(_ call, p parsed) (finding, bool) {
			return stops(Secret, "docker inspect", "may show a container's environment"), !dockerPart(p)
		}}, true
	case "network inspect":
		return spec{what: "shows details", operands: anyText, take: "f", long: format}, true
	case "version", "info", "system info":
		return spec{what: "shows details", take: "f", long: format}, true
	case "system df":
		return spec{what: "shows disk use", bare: "v", long: "verbose" + format}, true
	case "history", "image history", "volume inspect":
		// Passwords given to a build, or to a network disk.
		return spec{what: "shows details", operands: anyText, long: format, check: func(call, parsed) (finding, bool) {
			return stops(Secret, "docker "+sub, "may show passwords"), true
		}}, true
	case "top", "port", "diff":
		// top hands its operands to ps, which can print environments: allow only one.
		return spec{what: "shows details", operands: anyText, max: 1, bare: "Hq", long: "human" + format}, true
	case "stats":
		return spec{what: "shows load", operands: anyText, bare: "a", long: "all no-stream" + format, check: func(_ call, p parsed) (finding, bool) {
			return asks(Read, "docker stats", "never ends by itself"), !p.has("no-stream")
		}}, true
	case "compose ls", "compose version":
		// compose ps reads the project's file, which may include others from the net.
		return spec{what: "lists services", bare: "aq", long: "all services status= filter=" + format}, true
	}
	return spec{}, false
}

// dockerPart reports whether a format selects only parts without secrets.
func dockerPart(p parsed) bool {
	some := false
	for _, f := range p.flags {
		if f.name != "f" && f.name != "format" {
			continue
		}
		if some = strings.Contains(f.value, "{{"); !some {
			return false // json, table and an empty format print everything
		}
		for rest := f.value; ; {
			_, after, found := strings.Cut(rest, "{{")
			if !found {
				break
			}
			field, after, closed := strings.Cut(after, "}}")
			field = strings.TrimPrefix(strings.Trim(field, " "), "json ")
			part, _, _ := strings.Cut(strings.TrimPrefix(field, "."), ".")
			if !closed || !strings.HasPrefix(field, ".") || !tame(field) || patterned(field) || !listed("Id Name Names State Status Created Image NetworkSettings RestartCount Platform Driver RepoTags RepoDigests Size Os Architecture", part) {
				return false
			}
			rest = after
		}
	}
	return some
}

func dockerDanger(name, sub string) (finding, bool) {
	level, why := Destructive, ""
	first, second, _ := strings.Cut(sub, " ")
	if second == "" {
		second = first
	}
	switch second {
	case "rm", "rmi", "prune":
		why = "deletes containers, images or volumes"
	case "stop", "kill", "restart", "pause", "down":
		why = "stops containers"
	case "run", "exec", "start", "up", "create", "compose":
		why = "runs commands in a container"
	case "push", "pull", "login", "search":
		level, why = Network, "talks to a registry"
	case "build", "buildx", "cp", "commit", "tag", "load", "import", "save", "export":
		level, why = Write, "writes images or files"
	default:
		return finding{}, false
	}
	return asks(level, level+": "+name+" "+sub, why), true
}
