package push

import (
	"time"

	"nod"
	"nod/internal/present/words"
)

// news is what an agent did that nobody has to answer.
type news struct {
	agent *nod.Agent
	what  words.Message
	seq   nod.Seq
	at    time.Time
}

// newsOf compares an agent with what it did before. An agent that was not known
// before has done nothing yet.
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
