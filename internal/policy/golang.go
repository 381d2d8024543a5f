package policy

import "strings"

// golang judges the go command. Left out of all: -toolexec, -vettool and -exec (run
// programs), -overlay and -modfile (other sources), -mod=mod (writes go.mod),
// -C (another module), -u and -versions of list (network).
func golang(c call) finding {
	if len(c.args) == 0 {
		return asks(Unknown, "go", "no go command known here")
	}
	sub := c.args[0].text
	c.args = c.args[1:]
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
	case "build", "install", "get", "mod", "work", "fmt", "fix", "clean":
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
