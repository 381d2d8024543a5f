package voicebridge

import (
	"encoding/json"
	"strings"

	"nod"
	"nod/internal/present/ear"
	"nod/internal/present/risk"
	"nod/internal/present/words"
	"nod/internal/talk"
)

// choice is one of the answers that a person can pick. It stands for one of nod's own
// answers, never for a key that is pressed at a place on a screen.
type choice struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`

	answer nod.Answer
}

// asking is one of several questions on this wire.
type asking struct {
	Question string   `json:"question"`
	Header   string   `json:"header,omitempty"`
	Multi    bool     `json:"multiSelect"`
	Options  []choice `json:"options"`
}

// toolInput is the structure behind a question.
type toolInput struct {
	Questions []asking `json:"questions"`
	Status    string   `json:"status"` // pending, complete
	Safety    string   `json:"safety,omitempty"`
	Context   string   `json:"command_context,omitempty"`
	Plan      string   `json:"plan_content,omitempty"`
}

// choicesOf are the answers to a request without questions of its own: exactly what
// can be decided, the refusal last.
func choicesOf(r *nod.Request, say words.Printer) []choice {
	var list []choice
	add := func(label string, a nod.Answer) { list = append(list, choice{Label: label, answer: a}) }
	switch r.Kind {
	case nod.KindApproval:
		add(say.Say(words.PushAllow), nod.Answer{Verdict: nod.VerdictAllow})
		for _, o := range r.Options {
			if o.Kind == nod.OptionAlways {
				add(say.Say(words.VoiceAlways, o.Label), nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.Remember(o.ID)})
			}
		}
	case nod.KindPlan:
		for _, o := range r.Options {
			if o.Kind == nod.OptionMode {
				add(say.Say(words.VoiceApproveMode, o.Label), nod.Answer{Verdict: nod.VerdictAllow, Mode: o.ID})
			}
		}
	default:
		return nil
	}
	add(say.Say(words.PushDeny), nod.Answer{Verdict: nod.VerdictDeny})
	return list
}

// questionsOf are all questions of a request in the form of this wire.
func questionsOf(r *nod.Request, say words.Printer) []asking {
	if list := choicesOf(r, say); list != nil {
		return []asking{{Question: r.Title, Options: list}}
	}
	var out []asking
	for _, q := range r.Questions {
		a := asking{Question: q.Text, Header: q.Header, Multi: q.Multi, Options: []choice{}}
		for _, c := range q.Choices {
			a.Options = append(a.Options, choice{Label: c.Label, Description: c.Description})
		}
		out = append(out, a)
	}
	return out
}

// source is this wire's word for where a question comes from.
func source(r *nod.Request) string {
	if r.Kind == nod.KindApproval {
		return "permission_request"
	}
	return "ask_user_question"
}

// questionTurn is the turn in which an agent asks.
func questionTurn(r *nod.Request, say words.Printer) Turn {
	asked := questionsOf(r, say)
	texts := make([]string, len(asked))
	for i, a := range asked {
		texts[i] = a.Question
	}
	input := &toolInput{Questions: asked, Status: "pending"}
	if r.Settled() {
		input.Status = "complete"
	}
	if r.Risk != nil {
		input.Safety = r.Risk.Level
	}
	switch r.Kind {
	case nod.KindApproval:
		input.Context = nod.Fold(r.Display, 2000)
	case nod.KindPlan:
		input.Plan = r.Display
	}
	t := Turn{
		ID: turnID(r.Seq), Actor: agent, Intent: question, Text: strings.Join(texts, " | "), At: r.AskedAt,
		Source: source(r), Input: input, Request: r.ID, Tool: r.Tool,
	}
	t.Question = t.Text
	if len(asked) == 1 {
		t.Options = asked[0].Options
	} else {
		t.Options = asked
	}
	return t
}

// answerTurn is the turn that settled a request; empty if no person answered.
func answerTurn(r *nod.Request, say words.Printer) Turn {
	t := Turn{ID: answerID(r.Seq), Actor: user, Intent: answer, Answers: turnID(r.Seq), Request: r.ID}
	switch {
	case r.Decision != nil:
		t.At, t.By, t.Text = r.Decision.At, r.Decision.By, decisionText(r, say)
		return t
	case r.Withdrawal != nil && r.Withdrawal.Outcome != "":
		t.At, t.Text = r.Withdrawal.At, outcomeText(r, say)
		return t
	}
	return Turn{}
}

func decisionText(r *nod.Request, say words.Printer) string {
	d := r.Decision
	switch {
	case d.Verdict == nod.VerdictAnswer:
		return repliesText(r, d.Answers)
	case d.Verdict == nod.VerdictDeny && d.Message != "":
		return say.Say(words.VoiceChosen, say.Say(words.PushDeny), d.Message)
	case d.Verdict == nod.VerdictDeny:
		return say.Say(words.PushDeny)
	}
	for _, c := range choicesOf(r, say) {
		if c.answer.Verdict == d.Verdict && c.answer.Remember == d.Remember && c.answer.Mode == d.Mode {
			return c.Label
		}
	}
	return say.Say(words.PushAllow)
}

func outcomeText(r *nod.Request, say words.Printer) string {
	switch w := r.Withdrawal; {
	case len(w.Answers) > 0:
		return repliesText(r, w.Answers)
	case w.Outcome == nod.WasDenied:
		return say.Say(words.PushDeny)
	case w.Outcome == nod.WasAllowed:
		return say.Say(words.PushAllow)
	default:
		return say.Say(words.StatusAnswered)
	}
}

func repliesText(r *nod.Request, answers nod.Answers) string {
	var parts []string
	for _, q := range r.Questions {
		if reply, ok := answers[q.Key()]; ok {
			parts = append(parts, reply.Joined())
		}
	}
	return strings.Join(parts, " | ")
}

// hidden reports whether no person was asked because a rule or a lease answered.
func hidden(r *nod.Request) bool { return r.Decision != nil && r.Decision.Automatic() }

// mainText is what an approval is about: the command, the file.
func mainText(r *nod.Request) string {
	fields := map[string]json.RawMessage{}
	var text string
	for _, name := range []string{r.EditField, "command"} {
		if name == "" || json.Unmarshal(r.Input, &fields) != nil || json.Unmarshal(fields[name], &text) != nil {
			continue
		}
		return text
	}
	if _, rest, ok := strings.Cut(r.Title, ": "); ok {
		return rest
	}
	return r.Title
}

// risky reports whether a bare "yes" is not enough, because speech is misheard, or does
// not say all of it.
func risky(r *nod.Request) bool {
	return risk.On(risk.Voice, r) != risk.Once || r.Kind == nod.KindApproval && (talk.TooLong(r) || strings.HasPrefix(r.Tool, "mcp__"))
}

// asked reads a request out: what is asked, then what can be answered.
func (s speaker) asked(r *nod.Request, name string) Voice {
	v := Voice{Next: s.say.Say(words.VoiceYesNo)}
	switch r.Kind {
	case nod.KindApproval:
		v.Status = s.say.Say(words.VoiceApproval, name)
		if r.Risk != nil && r.Risk.Level != "read" {
			v.Results = append(v.Results, s.say.Say(words.VoiceRisk, s.say.Risk(r.Risk.Level)))
		}
		if r.Tool == "Bash" {
			v.Results = append(v.Results, s.say.Say(words.VoiceRun, s.command(mainText(r))))
		} else {
			v.Results = append(v.Results, s.say.Say(words.VoiceUse, ear.Name(r.Tool), ear.In(s.say).Line(nod.Fold(mainText(r), 200))))
		}
		if risky(r) {
			v.Next = s.say.Say(words.VoiceSayAllow)
		}
	case nod.KindPlan:
		v.Status = s.say.Say(words.VoicePlan, name)
		v.Results = append(v.Results, s.brief(r.Display, 600))
	default:
		v.Status = s.say.Say(words.VoiceQuestion, name)
		if r.Kind == nod.KindElicitation {
			v.Status = s.say.Say(words.VoiceForm, name)
		}
		s.askEach(&v, r)
		return v
	}
	s.options(&v, choicesOf(r, s.say))
	return v
}

func (s speaker) askEach(v *Voice, r *nod.Request) {
	if r.Kind == nod.KindElicitation && r.Title != "" {
		v.Results = append(v.Results, s.text(r.Title))
	}
	for i, q := range r.Questions {
		v.Results = append(v.Results, s.text(q.Text))
		s.options(v, questionsOf(r, s.say)[i].Options)
	}
	switch {
	case len(r.Questions) > 1:
		v.Next = s.say.Count(words.VoiceEach, len(r.Questions))
	case len(r.Questions) == 1 && len(r.Questions[0].Choices) == 0:
		v.Next = s.say.Say(words.VoiceSayAnswer)
	case len(r.Questions) == 1 && r.Questions[0].FreeText:
		v.Next = s.say.Say(words.VoiceNumberOwn)
	default:
		v.Next = s.say.Say(words.VoiceSayNumber)
	}
}

// options reads choices out with their numbers, counted from one.
func (s speaker) options(v *Voice, list []choice) {
	for i, c := range list {
		label, why := s.phrase(c.Label), s.phrase(c.Description)
		if why == "" {
			v.Results = append(v.Results, s.say.Say(words.VoiceOption, i+1, label))
		} else {
			v.Results = append(v.Results, s.say.Say(words.VoiceOptionWhy, i+1, label, why))
		}
	}
}

// phrase is a text without its full stop, to be put into a sentence.
func (s speaker) phrase(text string) string {
	return strings.TrimRight(s.brief(nod.Fold(text, 300), 120), ".。")
}
