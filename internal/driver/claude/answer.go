package claude

import (
	"nod"
	"nod/internal/claudecode"
	"nod/internal/claudecode/asking"
)

// answer is what the hook writes for Claude Code: nothing when the request was
// not decided by us, so that silence never becomes consent.
func answer(r *nod.Request) ([]byte, error) {
	reply, err := asking.Answer(r)
	switch {
	case err != nil || reply == nil:
		return nil, err
	case reply.Action != "":
		return claudecode.Elicit(reply.Action, reply.Content)
	case reply.Behavior == asking.Denies:
		return claudecode.Deny(reply.Message, reply.Interrupt)
	}
	return claudecode.Allow(reply.Input, reply.Permissions...)
}
