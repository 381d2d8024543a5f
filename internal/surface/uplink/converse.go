package uplink

import (
	"context"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
)

// converse opens or ends a conversation that was opened or ended elsewhere. One that
// cannot be opened is recorded as ended, with the reason, here and there.
func (o *orders) converse(ctx context.Context, e *nod.Event) {
	desk, a := o.Hub.Desk(o.actorFor(e.By)), e.Agent
	var err error
	switch {
	case a == nil || a.Talk == nil:
		return
	case !a.Alive():
		err = desk.Leave(ctx, a.ID)
	default:
		_, err = desk.Open(ctx, nod.Opening{
			ID: a.ID, Assistant: o.localName(a.Talk.Assistant), Name: a.Name, Room: a.Talk.Room, User: a.Talk.User,
			Language: a.Talk.Language, Hints: a.Talk.Hints, Context: time.Duration(a.Talk.Context) * time.Second,
		})
		if err != nil && ctx.Err() == nil {
			err = o.Hub.Link("uplink").Report(ctx, o.unopened(a, nod.MessageOf(err)))
		}
	}
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		o.Log.Warn("a conversation could not be opened or ended", "agent", a.ID, "err", err)
	}
}

// localName is an assistant's name here; elsewhere it includes this host. An unknown one
// keeps the whole name, which matches none.
func (o *orders) localName(name string) string {
	best := name
	for _, a := range o.Assistants {
		if strings.HasPrefix(name, hub.AssistantAt(a.Name, "")) && (best == name || len(a.Name) > len(best)) {
			best = a.Name
		}
	}
	return best
}

// unopened records a conversation that could not be opened, unless an agent has its id.
func (o *orders) unopened(there *nod.Agent, why string) hub.Fact {
	return func(s *nod.State, now time.Time) []nod.Event {
		if s.Agents[there.ID] != nil {
			return nil
		}
		return hub.Agent(there.ID, func(a *nod.Agent, now time.Time) {
			a.Kind, a.Name = there.Kind, there.Name
			a.Talk = &nod.Conversation{Assistant: o.localName(there.Talk.Assistant), Room: there.Talk.Room, User: there.Talk.User}
			a.Enter(nod.AgentEnded, now)
			a.Problem = why
		})(s, now)
	}
}
