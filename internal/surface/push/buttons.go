package push

import (
	"nod"
	"nod/internal/present/advise"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

// mostButtons is how many buttons every browser shows on a notification.
const mostButtons = 2

// longestButton is how many cells of a button every system shows in full.
const longestButton = 20

// Button is an action on a notification: an answer to the request, or a message to the
// agent.
type Button struct {
	Label  string      `json:"label"`
	Answer *nod.Answer `json:"answer,omitempty"`
	Say    string      `json:"say,omitempty"`
}

// choices are the answers to a question that can be read in full on a lock screen. If
// not all of them fit, there are none: a person would not think of the missing ones.
func choices(r *nod.Request, p words.Printer, rights nod.Rights) []Button {
	if r.Kind != nod.KindQuestion || !rights.Has(nod.Answering) || len(r.Questions) != 1 || len(r.Questions[0].Choices) > mostButtons || line(r.Questions[0].Text) != r.Title {
		return nil
	}
	agent := &nod.Agent{ID: r.Agent.ID, State: nod.AgentWaiting}
	var list []Button
	for _, s := range advise.All(advise.Situation{On: risk.Notification, Agent: agent, Pending: []*nod.Request{r}, Say: p}) {
		if s.Do.Kind != advise.Decide || s.Do.Answer.Verdict != nod.VerdictAnswer {
			continue
		}
		label := s.Label
		if picked := s.Do.Answer.Answers[r.Questions[0].Key()].Picked; len(picked) == 1 && advise.Width(picked[0]) <= longestButton && r.Questions[0].Type != "boolean" {
			label = nod.OneLine(picked[0])
		}
		list = append(list, Button{Label: label, Answer: s.Do.Answer})
	}
	if len(list) != len(r.Questions[0].Choices) || len(list) > mostButtons {
		return nil
	}
	return list
}

// remedies are messages to an agent that failed, whose problem the notification shows.
// What an agent *said* is not on it, so no button answers that.
func remedies(a *nod.Agent, p words.Printer, rights nod.Rights) []Button {
	if a.State != nod.AgentError || !rights.Has(nod.Answering) {
		return nil
	}
	var list []Button
	for _, s := range advise.All(advise.Situation{On: risk.Notification, Agent: a, Say: p}) {
		if s.Do.Kind == advise.Say && !s.Hold && len(list) < mostButtons {
			list = append(list, Button{Label: s.Label, Say: s.Do.Text})
		}
	}
	return list
}
