package nod

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Fit normalizes an answer for recording, or says why it does not fit this request. It does not check who answers or
// whether another answer came first.
func (r *Request) Fit(a Answer) (Answer, error) {
	if a.Verdict == "" {
		return a, Errorf(Invalid, "an answer needs a verdict: allow, deny or answer")
	}
	if err := fitText("the message", a.Message); err != nil {
		return a, err
	}
	switch a.Verdict {
	case VerdictDeny:
		return r.fitDeny(a)
	case VerdictAllow:
		return r.fitAllow(a)
	case VerdictAnswer:
		return r.fitReplies(a)
	}
	return a, Errorf(Invalid, "unknown verdict %q: use allow, deny or answer", a.Verdict)
}

// longestText bounds the text for the agent in one answer: agents truncate anything longer and would read something
// else than was written.
const longestText = 10_000

func fitText(what, text string) error {
	if utf8.RuneCountInString(text) > longestText {
		return Errorf(TooLarge, "%s is longer than %d characters, and agents cut it there: say it shorter", what, longestText)
	}
	return fitBytes(what, text)
}

func fitBytes(what, text string) error {
	if !Clean(text) {
		return Errorf(Invalid, "%s holds bytes that are not text (UTF-8)", what)
	}
	return nil
}

func (r *Request) fitDeny(a Answer) (Answer, error) {
	if len(a.Input) > 0 || len(a.Answers) > 0 || a.Remember != "" || a.Mode != "" || a.Lease != nil {
		return a, Errorf(Unprocessable, "a deny takes a message and stop, nothing else")
	}
	return a, nil
}

func (r *Request) fitAllow(a Answer) (Answer, error) {
	if r.Kind == KindQuestion || r.Kind == KindElicitation {
		return a, Errorf(Unprocessable, "this is a question: answer it, or deny it; a bare allow would answer nothing")
	}
	if len(a.Answers) > 0 || a.Stop {
		return a, Errorf(Unprocessable, "an allow takes no answers and no stop")
	}
	if a.Message != "" {
		return a, cannotCarry("an allow")
	}
	if err := r.fitMode(&a); err != nil {
		return a, err
	}
	if a.Remember != "" {
		o, ok := r.Option(OptionAlways, string(a.Remember))
		if !ok {
			return a, Errorf(Unprocessable, "%q cannot be made a rule: the agent offers none here; allow it once", r.Title)
		}
		a.Remember = Remember(o.ID)
	}
	if a.Lease != nil {
		terms, err := r.fitLease(a)
		if err != nil {
			return a, err
		}
		a.Lease = &terms
	}
	if len(a.Input) > 0 {
		input, err := r.edited(a.Input)
		if err != nil {
			return a, err
		}
		a.Input = input
	}
	return a, nil
}

// fitLease: a lease covers the kind of thing that was shown. An edit is a different thing, and a consent is
// remembered in one place only.
func (r *Request) fitLease(a Answer) (Terms, error) {
	if len(a.Input) > 0 || a.Remember != "" {
		return Terms{}, Errorf(Unprocessable, "a lease goes with a plain allow: neither edited nor made a rule as well")
	}
	id := a.Lease.Option
	if id == "" {
		id = string(RememberFirst)
	}
	o, ok := r.Option(OptionLease, id)
	if !ok {
		return Terms{}, Errorf(Unprocessable, "%q cannot be allowed for a while: nothing of its kind is safe to let pass unseen; allow it once", r.Title)
	}
	terms, err := a.Lease.fit()
	terms.Option = o.ID
	return terms, err
}

func (r *Request) fitMode(a *Answer) error {
	if r.Kind != KindPlan {
		if a.Mode != "" {
			return Errorf(Unprocessable, "only a plan is approved into a mode")
		}
		return nil
	}
	if a.Mode == "" {
		// No surprises: by default the agent keeps asking.
		a.Mode = "default"
	}
	if _, ok := r.Option(OptionMode, a.Mode); !ok {
		return Errorf(Unprocessable, "unknown mode %q for this plan", a.Mode)
	}
	return nil
}

func (r *Request) fitReplies(a Answer) (Answer, error) {
	if r.Kind != KindQuestion && r.Kind != KindElicitation {
		return a, Errorf(Unprocessable, "this is no question: allow it or deny it")
	}
	if len(a.Input) > 0 || a.Remember != "" || a.Stop || a.Mode != "" || a.Lease != nil {
		return a, Errorf(Unprocessable, "an answer takes replies to the questions, nothing else")
	}
	if a.Message != "" {
		return a, cannotCarry("an answer")
	}
	fitted := make(Answers, len(r.Questions))
	for _, q := range r.Questions {
		reply, given := a.Answers[q.Key()]
		if !given && q.Optional {
			continue
		}
		for _, text := range append([]string{reply.Text, reply.Notes}, reply.Picked...) {
			if err := fitText("the answer", text); err != nil {
				return a, err
			}
		}
		fit, err := q.Fit(reply)
		if err != nil {
			return a, err
		}
		fitted[q.Key()] = fit
	}
	for key := range a.Answers {
		if _, known := fitted[key]; !known {
			return a, Errorf(Unprocessable, "there is no question %q in this request", key)
		}
	}
	a.Answers = fitted
	return a, nil
}

// cannotCarry rejects text that would be recorded but never reach the agent: people must not believe that the agent has
// read it.
func cannotCarry(what string) error {
	return Errorf(Unprocessable, "%s cannot carry a message: the agent would not hear it. Deny with a message, or tell it in its next prompt", what)
}

// edited applies an edit to the recorded input.
func (r *Request) edited(edit json.RawMessage) (json.RawMessage, error) {
	if !r.CanEdit {
		return nil, Errorf(Unprocessable, "this request cannot be edited: allow it as it is, or deny it")
	}
	switch edit = bytes.TrimSpace(edit); {
	case len(edit) > 0 && edit[0] == '{' && json.Valid(edit):
		return edit, nil
	case len(edit) > 0 && edit[0] == '"' && r.EditField != "":
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(r.Input, &fields); err != nil {
			return nil, Errorf(Unprocessable, "the recorded input is no object, so its text cannot be replaced").Because(err)
		}
		var text string
		if err := json.Unmarshal(edit, &text); err != nil {
			return nil, Errorf(Invalid, "the edit is no valid JSON string").Because(err)
		}
		fields[r.EditField] = edit
		return json.Marshal(fields)
	}
	return nil, Errorf(Unprocessable, "an edit is a JSON object (the whole new input)%s", orText(r.EditField))
}

func orText(field string) string {
	if field == "" {
		return ""
	}
	return " or the new text of " + field
}
