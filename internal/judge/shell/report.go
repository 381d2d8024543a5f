package shell

// report is what was found in one line so far.
type report struct {
	commands []Command
	pipes    []pipe // one for each command
	problem  string
	traits   Trait
}

// pipe is where the output of a command goes. It is kept beside the commands: a long line of pipes passes each of
// them many times.
type pipe struct {
	to       int // -1: not into a pipe
	captured int // how many substitutions surround the command
}

func (r *report) fail(why string) {
	if r.problem == "" {
		r.problem = why
	}
}

// deeper goes one level down, and returns false where that is too deep.
func (r *report) deeper(p place) (place, bool) {
	p.depth++
	if p.depth > maxDepth {
		r.fail("nested too deep")
		return p, false
	}
	return p, r.problem == ""
}

// bashOnly rejects what another shell reads differently: [[ a > b ]] writes a file where [[ is not a keyword.
func (r *report) bashOnly(at place) {
	if at.foreign {
		r.fail("bash syntax in a string for another shell")
	}
}

func (r *report) add(c Command, at place) {
	if len(r.commands) >= maxCommands {
		r.fail("too many commands")
		return
	}
	if len(at.assigns) > 0 {
		c.Assigns = append(at.assigns[:len(at.assigns):len(at.assigns)], c.Assigns...)
	}
	if len(c.Assigns) > maxAssigns && c.Name != (Word{}) {
		r.fail("too many assignments")
		return
	}
	c.Where |= at.where
	c.Wrappers = at.wrappers
	if r.commands == nil {
		r.commands, r.pipes = make([]Command, 0, 4), make([]pipe, 0, 4)
	}
	r.commands = append(r.commands, c)
	r.pipes = append(r.pipes, pipe{-1, at.captured})
	r.traits |= c.Where
}
