package nod

import "testing"

// A dialog's own Yes, Always and No are on every surface already.
func TestRepliesSayMoreThanTheButtons(t *testing.T) {
	r := Request{Kind: KindApproval, Options: []Option{{ID: "choice-2", Kind: OptionAlways}}, Suggestions: []Suggestion{
		{Label: "Yes", Answer: Answer{Verdict: VerdictAllow}},
		{Label: "Always", Answer: Answer{Verdict: VerdictAllow, Remember: "choice-2"}},
		{Label: "Always, elsewhere", Answer: Answer{Verdict: VerdictAllow, Remember: "choice-9"}},
		{Label: "No", Answer: Answer{Verdict: VerdictDeny}},
		{Label: "Use make", Answer: Answer{Verdict: VerdictDeny, Message: "Use make"}},
	}}
	var labels []string
	for _, s := range r.Replies() {
		labels = append(labels, s.Label)
	}
	if len(labels) != 2 || labels[0] != "Always, elsewhere" || labels[1] != "Use make" || len(r.Suggestions) != 5 {
		t.Errorf("%q", labels)
	}
	r.Kind = KindQuestion
	if got := r.Replies(); len(got) != 5 {
		t.Errorf("a question offers %d of its replies", len(got))
	}
}
