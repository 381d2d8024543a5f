package policy

import "strings"

// golang judges the go command. list, vet and mod why may fetch missing modules: those pinned by go.sum, verified by
// checksum, so that only a module's name leaves the machine and nothing fetched is run. Left out everywhere:
// -toolexec, -vettool and -exec (run programs), -overlay and -modfile (other sources), -mod=mod (writes go.mod), -C
// (another module), -u and -versions of list (network).
func golang(c call) finding {
	if len(c.args) == 0 {
		return asks(Unknown, "go", "no go command known here")
	}
	sub := c.args[0].text
	c.args = c.args[1:]
	if f, ok := goElsewhere(sub, c); ok {
		return f
	}
	if f, ok := c.place.strange("go"); ok && (sub == "list" || sub == "vet" || sub == "version" || sub == "env" || sub == "doc" || sub == "mod" && len(c.args) > 0 && (c.args[0].text == "why" || c.args[0].text == "graph")) {
		// It asks the folder's own repository for its state, and go.mod for another version of Go; a repository's
		// settings can run programs.
		return f
	}
	s := spec{operands: anyText, oneDash: true, dangers: []danger{
		{"toolexec", Unknown, "runs another program"}, {"vettool", Unknown, "runs another program"}, {"exec", Unknown, "runs another program"},
		{"w", Write, "changes Go's settings"}, {"u", Network, "may ask the network"}, {"mod", Write, "may change go.mod"}, {"modfile", Write, "uses another go.mod"},
		{"overlay", Unknown, "uses other sources"}, {"http", Network, "starts a web server"}, {"versions", Network, "may ask the network"}, {"C", Unknown, "works in another folder"},
		{"fix", Write, "changes source files"},
	}}
	switch sub {
	case "version":
		s.what, s.long = "shows a version", "m v"
	case "list":
		s.what, s.long = "lists packages", "json? m f= deps test e find tags="
	case "vet":
		// vet compiles and analyses, but runs nothing of the project.
		s.what, s.long = "checks source code", "tags= v json n c= composites? copylocks? printf? unusedresult? shadow?"
	case "env":
		s.what, s.long = "shows Go's settings", "json changed"
	case "doc":
		s.what, s.long = "shows documentation", "all c cmd short src u"
	case "help":
		s.what = "shows help"
	case "test", "run", "generate", "tool":
		return asks(Unknown, "go "+sub, "runs the project's own code")
	case "mod":
		if len(c.args) == 0 || c.args[0].text != "why" && c.args[0].text != "graph" {
			return asks(Write, "go mod", "writes files, may use the network")
		}
		sub, c.args = "mod "+c.args[0].text, c.args[1:]
		s.what, s.long = "explains modules", "m vendor"
	case "build", "install", "get", "work", "fmt", "fix", "clean":
		return asks(Write, "go "+sub, "writes files, may use the network")
	default:
		return asks(Unknown, "go "+short(sub), "a go command not known harmless")
	}
	s.check = func(_ call, p parsed) (finding, bool) {
		for _, o := range p.operands {
			// A package with a version is fetched; NAME=value is for env -w.
			if strings.ContainsAny(o.text, "@=") {
				return asks(Network, "go "+sub+" "+short(o.text), "may ask the network"), true
			}
		}
		return finding{}, false
	}
	return s.judge("go "+sub, c)
}

// goElsewhere finds the flags that make go run another program, build something else or write outside the project,
// which an allowed `go test` must not include. Read-only commands have their own list.
func goElsewhere(sub string, c call) (finding, bool) {
	switch sub {
	case "test", "run", "build", "install", "generate", "mod", "fmt", "fix":
	default:
		return finding{}, false
	}
	for i, a := range c.args {
		name, value, attached := strings.Cut(strings.TrimLeft(a.text, "-"), "=")
		if !strings.HasPrefix(a.text, "-") {
			continue
		}
		if name == "args" || a.text == "--" {
			break // the rest belongs to the test
		}
		if !attached && i+1 < len(c.args) {
			value = c.args[i+1].text
		}
		switch strings.TrimPrefix(name, "test.") {
		case "exec", "toolexec", "vettool", "compiler", "gccgoflags":
			return stops(Unknown, "go "+sub+" -"+name, "runs another program"), true
		case "overlay", "modfile", "C":
			return stops(Unknown, "go "+sub+" -"+name, "uses other sources"), true
		case "ldflags", "gcflags":
			if strings.Contains(value, "ext") || strings.Contains(value, "toolexec") {
				return stops(Unknown, "go "+sub+" -"+name, "runs another program"), true
			}
		case "o", "coverprofile", "cpuprofile", "memprofile", "blockprofile", "mutexprofile", "trace", "outputdir":
			if f := writing(c.place, c.place.each(value)[0]); f.firm && value != "/dev/null" {
				f.rule = "go " + sub + " -" + name
				return f, true
			}
		}
	}
	return finding{}, false
}
