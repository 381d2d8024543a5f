package push

import (
	"time"

	"nod"
	"nod/internal/present/words"
)

// news is something an agent did that needs no answer.
type news struct {
	agent *nod.Agent
	what  words.Message
	seq   nod.Seq
	at    time.Time
}

// newsOf compares an agent with its state before. A new agent has no news.
func newsOf(before nod.AgentState, a *nod.Agent) (news, bool) {
	busy := before == nod.AgentWorking || before == nod.AgentWaiting
	switch {
	case before == "" || before == a.State:
	case a.State == nod.AgentIdle && busy:
		return news{agent: a, what: words.PushFinished}, true
	case a.State == nod.AgentError:
		return news{agent: a, what: words.PushFailed}, true
	case a.State == nod.AgentLimited:
		return news{agent: a, what: words.PushLimited}, true
	case a.State == nod.AgentEnded && busy:
		return news{agent: a, what: words.PushEnded}, true
	}
	return news{}, false
}
