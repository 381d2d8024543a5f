package talk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"nod"
	"nod/internal/hub"
)

// findOrOpen is the conversation that a question belongs to; it opens one if there is
// none.
func (a *Asker) findOrOpen(ctx context.Context, desk hub.Desk, q Question) (*nod.Agent, error) {
	a.opening.Lock()
	defer a.opening.Unlock()
	if found := a.Find(q); found != nil {
		return found, nil
	}
	return desk.Open(ctx, nod.Opening{
		ID: nod.AgentID(q.family() + "-" + newID()), Assistant: q.Assistant, Room: q.Room, User: q.User,
		Language: q.Language, Hints: q.Hints, Context: q.Context,
	})
}

// Find is the conversation that a question would continue, or nil.
func (a *Asker) Find(q Question) (found *nod.Agent) {
	if q.Fresh {
		return nil
	}
	a.hub.Look(func(s *nod.State) {
		if q.Session != "" {
			if talk := s.Agents[q.Session]; talk != nil && a.canContinue(s, talk, q) {
				found = talk
			}
			return
		}
		for _, talk := range s.Agents {
			if a.canContinue(s, talk, q) && q.belongs(talk) && (found == nil || q.better(talk, found)) {
				found = talk
			}
		}
	})
	return found
}

// canContinue reports whether a conversation accepts another question.
func (a *Asker) canContinue(s *nod.State, talk *nod.Agent, q Question) bool {
	if talk.Talk == nil || !talk.Alive() || q.Assistant != "" && talk.Talk.Assistant != q.Assistant {
		return false
	}
	if !talk.Talk.Over(a.now()) {
		return true
	}
	// It has timed out, unless it is busy.
	return talk.State == nod.AgentWorking || talk.State == nod.AgentWaiting || len(s.MessagesTo(talk.ID)) > 0
}

// belongs reports whether a conversation is the one of this room and user, or of
// this client. One that was started in a room without a user, for example by an
// automation, belongs to everyone there; a user's own belongs to that user.
func (q Question) belongs(talk *nod.Agent) bool {
	if family, _, ok := cutLast(string(talk.ID)); !ok || family != q.family() {
		return false
	}
	if q.Room == "" && q.User == "" && q.Client == "" {
		return false
	}
	t := talk.Talk
	return strings.EqualFold(t.Room, q.Room) && (strings.EqualFold(t.User, q.User) || t.User == "" && t.Room != "")
}

// better: the user's own first, then the newest.
func (q Question) better(one, other *nod.Agent) bool {
	mine, theirs := strings.EqualFold(one.Talk.User, q.User), strings.EqualFold(other.Talk.User, q.User)
	if mine != theirs {
		return mine
	}
	return one.Started.After(other.Started) || one.Started.Equal(other.Started) && one.ID > other.ID
}

// family is the id prefix of the conversations to search. Because it is part of the
// id, it survives a restart of the hub.
func (q Question) family() string {
	via := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(q.Via))
	if via == "" {
		via = "talk"
	}
	via = via[:min(len(via), 20)]
	if q.Room != "" || q.User != "" || q.Client == "" {
		return via
	}
	sum := sha256.Sum256([]byte(q.Client))
	return via + "-" + hex.EncodeToString(sum[:5])
}

func cutLast(id string) (family, rest string, ok bool) {
	at := strings.LastIndexByte(id, '-')
	if at < 0 {
		return "", "", false
	}
	return id[:at], id[at+1:], true
}
