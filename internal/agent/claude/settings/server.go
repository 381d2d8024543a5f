package settings

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// Server is an MCP server that Claude Code starts by itself.
type Server struct {
	Name, Command string
	Args          []string
}

// StateFile is where Claude Code keeps a user's servers, among much of its own state.
const StateFile = ".claude.json"

// IsNodServer recognises `nod mcp …`.
func IsNodServer(command string, args []string) bool {
	return len(args) > 0 && args[0] == "mcp" && programName(command) == "nod"
}

// ErrForeign marks a server of our name that is not ours.
var ErrForeign = errors.New("the name belongs to another server")

// InstallServer registers a server in Claude Code's state file, as `claude mcp add --scope user` does
// (measured with 2.1.325), and changes nothing else. nod makes no backup: Claude Code rewrites this file all
// day and keeps copies itself, and RemoveServer removes what was added.
func InstallServer(file string, want Server) (Change, error) {
	return applyState(file, serverInstaller(want))
}

// PlanInstallServer returns what InstallServer would do and changes nothing.
func PlanInstallServer(file string, want Server) (Change, error) {
	return previewState(file, serverInstaller(want))
}

// RemoveServer removes the server of that name, if it is ours.
func RemoveServer(file, name string) (Change, error) { return applyState(file, serverRemover(name)) }

// PlanRemoveServer returns what RemoveServer would do and changes nothing.
func PlanRemoveServer(file, name string) (Change, error) {
	return previewState(file, serverRemover(name))
}

type serverEdit func(d *document) error

func serverInstaller(want Server) serverEdit {
	return func(d *document) error {
		s := d.style() // before anything of ours is in it
		servers, err := d.servers(&s)
		if err != nil {
			return err
		}
		at, _ := member(d.top(), "mcpServers")
		indent := lineIndent(d.top().Members[at].Name.BeforeExtra, "")
		_, have := member(servers, want.Name)
		switch {
		case have == nil:
			s.addMember(servers, indent, want.Name, want.value())
		case !oursServer(have):
			return d.foreign(want.Name, have.StartOffset)
		case !want.sameAs(have):
			i, _ := member(servers, want.Name)
			v := want.value()
			s.layOut(&v, lineIndent(servers.Members[i].Name.BeforeExtra, indent), false)
			have.Value = v.Value
		}
		return nil
	}
}

func serverRemover(name string) serverEdit {
	return func(d *document) error {
		servers, err := d.servers(nil)
		if err != nil || servers == nil {
			return err
		}
		i, have := member(servers, name)
		if have == nil || !oursServer(have) {
			return nil
		}
		drop(objectList{servers}, i)
		if bare(objectList{servers}) {
			at, _ := member(d.top(), "mcpServers")
			dropMember(d.top(), at)
		}
		return nil
	}
}

// servers is the object that holds them; nil when there is none and none is wanted.
func (d *document) servers(create *style) (*hujson.Object, error) {
	_, v := member(d.top(), "mcpServers")
	if v == nil {
		if create == nil {
			return nil, nil
		}
		create.addMember(d.top(), "", "mcpServers", hujson.Value{Value: &hujson.Object{}})
		_, v = member(d.top(), "mcpServers")
	}
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, d.errorAt(v.StartOffset, "mcpServers is "+kindName(*v)+", not an object", "repair the file there and try again")
	}
	return o, nil
}

// value has the members of `claude mcp add`, in its order.
func (s Server) value() hujson.Value {
	o := &hujson.Object{}
	put(o, "type", quoted("stdio"))
	put(o, "command", quoted(s.Command))
	put(o, "args", Hook{Args: s.Args}.argsArray())
	put(o, "env", &hujson.Object{})
	return hujson.Value{Value: o}
}

func readServer(v *hujson.Value) (s Server, ok bool) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return s, false
	}
	_, command := member(o, "command")
	if s.Command, ok = stringValue(command); !ok {
		return s, false
	}
	if _, args := member(o, "args"); args != nil {
		s.Args, ok = stringsValue(args)
	}
	return s, ok
}

func oursServer(v *hujson.Value) bool {
	s, ok := readServer(v)
	return ok && IsNodServer(s.Command, s.Args)
}

// sameAs compares only what is started: an env that a person added does not count.
func (s Server) sameAs(v *hujson.Value) bool {
	have, ok := readServer(v)
	return ok && have.Command == s.Command && slices.Equal(have.Args, s.Args)
}

func (d *document) foreign(name string, at int) error {
	line, column := position(d.src, at)
	return &FileError{File: d.file, Line: line, Column: column, Err: ErrForeign,
		Problem: fmt.Sprintf("an MCP server named %q is there already and starts something else", name),
		Fix:     fmt.Sprintf("rename it, or remove it with `claude mcp remove --scope user %s`", name)}
}
