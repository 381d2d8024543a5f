package voicepe

import (
	"context"
	"time"

	"nod"
	"nod/internal/present/puck/attend"
	"nod/internal/present/words"
)

// resumable is how long a person can go back to a conversation after its ring went dark.
const resumable = 30 * time.Minute

// resumes goes back to the last conversation, if the words ask for it: "ask Claude to resume".
func (q *asking) resumes(ctx context.Context) bool {
	if !attend.Resumes(q.r.Text) {
		return false
	}
	if q.find(); q.talk == nil || q.talk.Talk.Turns >= q.s.Turns {
		q.talk = nil
		_ = q.s.out.say(ctx, q.about(response{Type: typeQuestion, Text: q.say.Say(words.PuckNoResume)}))
		return true
	}
	about, err := attend.About(ctx, q.desk, q.say, q.talk)
	if err != nil {
		q.trouble(ctx, err)
		return true
	}
	q.s.active.resume(q.talk.ID, q.s.Now())
	r := q.about(response{Type: typeResumed, Text: about})
	r.Turn = max(r.Turn, 1)
	_ = q.s.out.say(ctx, r)
	return true
}

// resume notes that a person went back to a conversation.
func (g *activeWork) resume(id nod.AgentID, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.resumed, g.resumedAt = id, now
}

// dark reports whether a conversation is silent for so long that its ring is dark, and no person went back to it.
func (g *activeWork) dark(a *nod.Agent, context time.Duration, now time.Time) bool {
	if a.Talk.Until == nil {
		return false // it works
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	last := a.Talk.Until.Add(-time.Duration(a.Talk.Context) * time.Second)
	if g.resumed == a.ID && g.resumedAt.After(last) {
		last = g.resumedAt
	}
	return now.Sub(last) > context
}
