package claude

import (
	"nod"
	"nod/internal/agent/claude/asking"
	"nod/internal/agent/claude/wire"
)

// answer is what the hook writes for Claude Code. It is nothing when nod did not decide,
// so that silence never becomes consent.
func answer(r *nod.Request) ([]byte, error) {
	reply, err := asking.Answer(r)
	switch {
	case err != nil || reply == nil:
		return nil, err
	case reply.Action != "":
		return wire.Elicit(reply.Action, reply.Content)
	case reply.Behavior == asking.Denies:
		return wire.Deny(reply.Message, reply.Interrupt)
	}
	return wire.Allow(reply.Input, reply.Permissions...)
}
