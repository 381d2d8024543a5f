package push

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
)

func question(labels ...string) nod.Request {
	r := request("q1")
	r.Kind, r.Title, r.Risk, r.Status = nod.KindQuestion, "Which colour?", nil, nod.Pending
	q := nod.Question{Text: "Which colour?", FreeText: true}
	for _, l := range labels {
		q.Choices = append(q.Choices, nod.Choice{Label: l})
	}
	r.Questions = []nod.Question{q}
	return r
}

func labels(list []Button) string {
	var all []string
	for _, b := range list {
		all = append(all, b.Label)
	}
	return strings.Join(all, " | ")
}

func TestQuestionIsAnsweredFromTheLockScreen(t *testing.T) {
	for name, tt := range map[string]struct {
		r      nod.Request
		change func(*nod.Request)
		rights nod.Rights
		want   string
	}{
		"two choices":             {question("Blue", "Green"), nil, answering, "Blue | Green"},
		"one that is long":        {question("Blue", "A rather long shade of green"), nil, answering, "Blue | A rather…"},
		"one that hides":          {question("Bl\u202eue", "Green"), nil, answering, nod.OneLine("Bl\u202eue") + " | Green"},
		"more than fit":           {question("Blue", "Green", "Red"), nil, answering, ""},
		"none":                    {question(), nil, answering, ""},
		"a device that may not":   {question("Blue", "Green"), nil, nod.RightsOf(nod.View), ""},
		"several may be chosen":   {question("Blue", "Green"), func(r *nod.Request) { r.Questions[0].Multi = true }, answering, ""},
		"more is to be read":      {question("Blue", "Green"), func(r *nod.Request) { r.OneTap = false }, answering, ""},
		"longer than its line":    {question("Blue", "Green"), func(r *nod.Request) { r.Questions[0].Text = strings.Repeat("Which colour, or… ", 20) }, answering, ""},
		"two questions":           {question("Blue", "Green"), func(r *nod.Request) { r.Questions = append(r.Questions, r.Questions[0]) }, answering, ""},
		"an approval has its own": {request("r1"), nil, answering, ""},
	} {
		if tt.change != nil {
			tt.change(&tt.r)
		}
		got := requestPayload(&tt.r, words.In(words.English), tt.rights)
		if labels(got.Buttons) != tt.want {
			t.Errorf("%s: %q", name, labels(got.Buttons))
		}
		for i, b := range got.Buttons {
			picked := b.Answer.Answers[tt.r.Questions[0].Key()].Picked
			if b.Answer.Verdict != nod.VerdictAnswer || len(picked) != 1 || picked[0] != tt.r.Questions[0].Choices[i].Label || b.Say != "" {
				t.Errorf("%s: %s answers %+v", name, b.Label, b.Answer)
			}
		}
	}
}

func TestFailedAgentGetsARemedyFromTheLockScreen(t *testing.T) {
	say := []nod.Ability{nod.CanSay}
	for name, tt := range map[string]struct {
		agent  nod.Agent
		rights nod.Rights
		want   bool
	}{
		"it failed":              {nod.Agent{ID: "a", State: nod.AgentError, Problem: "529", Can: say}, answering, true},
		"nobody can speak to it": {nod.Agent{ID: "a", State: nod.AgentError}, answering, false},
		"a device that may not":  {nod.Agent{ID: "a", State: nod.AgentError, Can: say}, nod.RightsOf(nod.View), false},
		"it is done":             {nod.Agent{ID: "a", State: nod.AgentIdle, Can: say}, answering, false},
	} {
		got := remedies(&tt.agent, words.In(words.English), tt.rights)
		if (len(got) == mostButtons) != tt.want || !tt.want && len(got) > 0 {
			t.Errorf("%s: %q", name, labels(got))
		}
		for _, b := range got {
			if b.Say == "" || b.Answer != nil {
				t.Errorf("%s: %+v", name, b)
			}
		}
	}
}

func TestTooLongMessageHasNoButtons(t *testing.T) {
	r := question(strings.Repeat("\U0001F468", 900), "Green")
	r.ID = "q1"
	m, err := job{request: &r}.message(words.In(words.English), answering, time.Now())
	if err != nil || len(m.Payload) > maxPayload || strings.Contains(string(m.Payload), "buttons") {
		t.Errorf("%s, %v", fmt.Sprintf("%.200s", m.Payload), err)
	}
}
