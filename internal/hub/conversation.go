package hub

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nod"
)

// Assistants lists whom a conversation can be opened with.
func (d Desk) Assistants(ctx context.Context) ([]nod.Assistant, error) {
	if err := d.require(ctx, nod.View, "see the assistants"); err != nil {
		return nil, err
	}
	list := slices.Clone(d.hub.assistants)
	d.hub.Look(func(s *nod.State) {
		for _, h := range s.HostList() {
			if h.Up {
				list = append(list, offeredBy(h)...)
			}
		}
	})
	return list, nil
}

// Open begins a conversation with an assistant. When it returns, it is on disk
// and can be spoken to; its driver starts a program when there is something to
// say. The same opening again finds the same conversation.
func (d Desk) Open(ctx context.Context, o nod.Opening) (*nod.Agent, error) {
	if err := d.require(ctx, nod.Answering, "open a conversation"); err != nil {
		return nil, err
	}
	if err := o.Fit(); err != nil {
		return nil, err
	}
	who, lives, err := d.hub.assistant(o.Assistant)
	if err != nil {
		return nil, err
	}
	var opened *nod.Agent
	err = d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		if known, ok := s.Agents[o.ID]; ok {
			if known.Talk == nil || known.Talk.Assistant != who.Name {
				return nil, nod.Errorf(nod.Conflict, "the id %q belongs to another agent already", o.ID)
			}
			opened = known
			return nil, nil
		}
		if err := fitFolder(s, who, o.Folder); err != nil {
			return nil, err
		}
		opened = open(who, o, now)
		opened.Hub = lives
		e, by := agentEvent(opened), d.by
		e.By = &by
		return []nod.Event{e}, nil
	})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// fitFolder refuses folders in which no agent of the assistant's machine has worked: a
// person at a distance must not send a program just anywhere.
func fitFolder(s *nod.State, who nod.Assistant, folder string) error {
	if folder == "" || folder == who.Cwd {
		return nil
	}
	for _, a := range s.Agents {
		if a.Cwd == folder && a.Host == who.Host {
			return nil
		}
	}
	return nod.Errorf(nod.NotFound, "no agent has worked in %q lately: start one there in a terminal first", nod.Fold(nod.OneLine(folder), 200))
}

func open(who nod.Assistant, o nod.Opening, now time.Time) *nod.Agent {
	talk := &nod.Conversation{
		Assistant: who.Name, Room: o.Room, User: o.User, Language: o.Language, Hints: o.Hints,
		Context: int(o.Context / time.Second),
	}
	if talk.Language == "" {
		talk.Language = who.Language
	}
	talk.Held(now)
	if o.Folder != "" && o.Folder != who.Cwd {
		talk.Folder, who.Cwd = o.Folder, o.Folder
		if o.Name == "" {
			o.Name = path.Base(filepath.ToSlash(o.Folder))
		}
	}
	a := &nod.Agent{
		ID: o.ID, Kind: who.Kind, Name: o.Name, Host: who.Host, Cwd: who.Cwd, Model: who.Model,
		Can: []nod.Ability{nod.CanSay, nod.CanInterrupt}, Talk: talk, Started: now, Seen: now,
	}
	if a.Name == "" {
		a.Name, _, _ = strings.Cut(who.Name, assistantAt)
	}
	a.Enter(nod.AgentIdle, now)
	return a
}

// Leave ends a conversation: what it asks is withdrawn, words that have not
// reached it have failed, and its driver ends its program.
func (d Desk) Leave(ctx context.Context, id nod.AgentID) error {
	if err := d.require(ctx, nod.Answering, "end conversation "+string(id)); err != nil {
		return err
	}
	return d.hub.writer.commit(ctx, func(s *nod.State, now time.Time) ([]nod.Event, error) {
		a, ok := s.Agents[id]
		switch {
		case !ok:
			return nil, nod.Errorf(nod.NotFound, "there is no conversation %q; `nod agents` lists them", id)
		case a.Talk == nil:
			return nil, nod.Errorf(nod.Unreachable, "%s has a terminal of its own: end it there", a.Name)
		case !a.Alive():
			return nil, nil
		}
		by := d.by
		events := EndOf(id, "ended by "+by.Name)(s, now)
		for i := range events {
			if events[i].Kind == nod.AgentChanged {
				events[i].By = &by
			}
		}
		return events, nil
	})
}

// EndOf reports in one commit that an agent has ended, and why, and settles everything
// that waits for it or for which it waits.
func EndOf(id nod.AgentID, why string) Fact {
	withdraw := WithdrawAll(id, nod.Withdrawal{Reason: nod.WithdrawnEnded})
	end := Agent(id, func(a *nod.Agent, now time.Time) {
		a.Enter(nod.AgentEnded, now)
		a.Problem, a.Tool = why, ""
		if a.Talk != nil {
			a.Talk.Until, a.Talk.Warm = nil, false
		}
	})
	return func(s *nod.State, now time.Time) []nod.Event {
		return append(withdraw(s, now), end(s, now)...)
	}
}

// assistant finds one by its name, and the hub that its conversations live with.
func (h *Hub) assistant(name string) (who nod.Assistant, lives string, err error) {
	if len(h.assistants) > 0 && name == "" {
		return h.assistants[0], h.name, nil
	}
	var names []string
	for _, a := range h.assistants {
		if a.Name == name {
			return a, h.name, nil
		}
		names = append(names, a.Name)
	}
	var away string
	h.Look(func(s *nod.State) {
		for _, host := range s.HostList() {
			for _, a := range offeredBy(host) {
				switch {
				case a.Name == name && host.Up:
					who, lives = a, Linked+host.Name
				case a.Name == name:
					away = host.Name
				case host.Up:
					names = append(names, a.Name)
				}
			}
		}
	})
	switch {
	case lives != "":
		return who, lives, nil
	case away != "":
		return who, "", nod.Errorf(nod.Unavailable, "%s is away now, and its assistants with it. Try again when `nod hosts` says that it is here", away)
	case len(names) == 0:
		return who, "", nod.Errorf(nod.Unavailable, "this hub keeps no conversations: it has no assistant")
	case name == "":
		return who, "", nod.Errorf(nod.NotFound, "this hub has no assistant of its own; there is: %s", strings.Join(names, ", "))
	}
	return who, "", nod.Errorf(nod.NotFound, "there is no assistant %q; there is: %s", name, strings.Join(names, ", "))
}

// assistantAt is between the name of an assistant and the host that has it.
const assistantAt = "@"

// AssistantAt is what an assistant of another machine is called here.
func AssistantAt(name, host string) string { return name + assistantAt + host }

// offeredBy lists the assistants of another machine as they are called here.
func offeredBy(h *nod.Host) []nod.Assistant {
	list := slices.Clone(h.Assistants)
	for i := range list {
		list[i].Name, list[i].Host = AssistantAt(list[i].Name, h.Name), h.Name
	}
	return list
}
