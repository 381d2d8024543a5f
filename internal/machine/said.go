package machine

import "nod/internal/present/words"

// said is an error whose words are ready for the person: whoever runs the
// command prints them as they are (nothing, when there are none) and exits with
// the code.
type said struct {
	text string
	exit int
}

func (e *said) Error() string { return e.text }

// ExitCode is the exit code that goes with it.
func (e *said) ExitCode() int { return e.exit }

// The exit codes of this package's commands.
const (
	exitFailed = 1
	exitUsage  = 2
)

func (m *Machine) failed(text words.Message, args ...any) error {
	return &said{m.say.Say(text, args...), exitFailed}
}

func (m *Machine) misused(text words.Message, args ...any) error {
	return &said{m.say.Say(text, args...), exitUsage}
}
