package claude

import (
	"nod"
	"nod/internal/agent/claude/wire"
)

// stopOrder is the output of a hook whose agent was told to stop: between two steps of a
// turn this is the only way to stop it.
func (d *Driver) stopOrder(c Call) []byte {
	var order *nod.Stopping
	d.link.State(func(s *nod.State) {
		if a := s.Agents[c.agent()]; a != nil {
			order = a.Stopping
		}
	})
	if order == nil {
		return nil
	}
	out, err := wire.EndTurn(c.Payload.Event, "Stopped by "+order.By+".")
	if err != nil {
		d.Log.Error("an order to stop could not be put into Claude Code's words", "agent", c.agent(), "err", err)
		return nil
	}
	return out
}
