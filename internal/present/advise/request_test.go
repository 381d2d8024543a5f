package advise

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nod"
	"nod/internal/present/risk"
	"nod/internal/present/words"
)

var agent = &nod.Agent{ID: "a", State: nod.AgentWaiting, Can: []nod.Ability{nod.CanSay, nod.CanBackground}}

func approval(level string, options ...nod.Option) *nod.Request {
	r := &nod.Request{ID: "r1", Agent: nod.AgentRef{ID: "a"}, Kind: nod.KindApproval, Title: "Bash: ls", OneTap: true, Status: nod.Pending, Options: options}
	if level != "" {
		r.Risk = &nod.Risk{Level: level}
	}
	return r
}

func question(labels ...string) *nod.Request {
	q := nod.Question{Text: "Which?", FreeText: true}
	for _, l := range labels {
		q.Choices = append(q.Choices, nod.Choice{Label: l})
	}
	return &nod.Request{ID: "r1", Agent: nod.AgentRef{ID: "a"}, Kind: nod.KindQuestion, Title: "Which?", OneTap: true, Status: nod.Pending, Questions: []nod.Question{q}}
}

func plan() *nod.Request {
	return &nod.Request{ID: "r1", Agent: nod.AgentRef{ID: "a"}, Kind: nod.KindPlan, Title: "A plan", Status: nod.Pending, Options: []nod.Option{{ID: "default", Kind: nod.OptionMode}, {ID: "auto", Kind: nod.OptionMode}}}
}

var rule = nod.Option{ID: "o1", Kind: nod.OptionAlways, Label: "Bash(go test:*)", Detail: "localSettings"}

func buttons(s Situation, r *nod.Request, most int) []Suggestion {
	s.Agent, s.Pending = agent, []*nod.Request{r}
	return For(s, most)
}

// row draws buttons as a person sees them: a star must be held.
func row(list []Suggestion) string {
	var out []string
	for _, b := range list {
		hold := ""
		if b.Hold {
			hold = "*"
		}
		out = append(out, b.Label+hold)
	}
	return strings.Join(out, " | ")
}

func TestWhatIsAskedDecidesTheButtons(t *testing.T) {
	two := []nod.Option{rule, {ID: "l1", Kind: nod.OptionLease, Label: "go test", Rules: []string{"Bash(go test:*)"}}}
	several := question("a", "b")
	several.OneTap, several.Questions = false, append(several.Questions, nod.Question{Text: "And?"})
	unread := approval("read", rule)
	unread.OneTap = false
	form := question("true", "false")
	form.Kind, form.Questions[0].Type = nod.KindElicitation, "boolean"
	link := question()
	link.Kind, link.Link = nod.KindElicitation, "https://example.org"
	for _, tt := range []struct {
		name string
		s    Situation
		r    *nod.Request
		most int
		want string
	}{
		{"harmless", Situation{}, approval("read"), 4, "Yes | No"},
		{"with a rule", Situation{}, approval("write", rule), 4, "Yes | Always… | No"},
		{"with a rule, three buttons", Situation{}, approval("write", rule), 3, "Yes | Always… | No"},
		{"with a rule, two buttons", Situation{}, approval("write", rule), 2, "Yes | No"},
		{"the rules", Situation{Page: 1}, approval("write", two...), 4, "Bash(go t… | 20 min | Back"},
		{"the rules, three buttons", Situation{Page: 1}, approval("write", two...), 3, "Bash(go t… | 20 min | Back"},
		{"the rules, in Japanese", Situation{Page: 1, Say: words.In(words.Japanese)}, approval("write", two...), 4, "Bash(go t… | 20 分 | 戻る"},
		{"in Polish", Situation{Say: words.In(words.Polish)}, approval("write", rule), 4, "Tak | Zawsze… | Nie"},
		{"destructive, keys cannot be held", Situation{}, approval("destructive", rule), 4, "Open nod | No"},
		{"destructive, keys can be held", Situation{Holds: true}, approval("destructive", rule), 4, "Yes* | No"},
		{"secret", Situation{Holds: true}, approval("secret"), 4, "Yes* | No"},
		{"nobody knows the risk", Situation{}, approval(""), 4, "Open nod | No"},
		{"an unknown level", Situation{Reads: true}, approval("new"), 4, "Open nod | No"},
		{"it takes a passkey", Situation{Holds: true, Proof: []string{"write"}}, approval("write", rule), 4, "Open nod | No"},
		{"it must be read", Situation{Holds: true}, unread, 4, "Open nod | No"},
		{"it is read", Situation{Reads: true}, unread, 4, "Yes | Always… | No"},
		{"a question", Situation{}, question("Redis", "Memcached"), 4, "Redis | Memcached | Skip"},
		{"four choices", Situation{}, question("a", "b", "c", "d"), 4, "a | b | c | d"},
		{"five choices", Situation{}, question("a", "b", "c", "d", "e"), 4, "a | b | c | More"},
		{"five choices, on", Situation{Page: 1}, question("a", "b", "c", "d", "e"), 4, "d | e | Skip | More"},
		{"a page that is no more", Situation{Page: 7}, question("a", "b", "c", "d", "e"), 4, "a | b | c | More"},
		{"long labels", Situation{}, question("Approach one: slow", "Approach one: fast"), 4, "1 Approac… | 2 Approac… | Skip"},
		{"free text", Situation{}, question(), 4, "Open nod | Skip"},
		{"several questions", Situation{}, several, 4, "Open nod | Skip"},
		{"a yes or no in a form", Situation{Say: words.In(words.Polish)}, form, 4, "Tak | Nie | Pomiń"},
		{"a page to open", Situation{}, link, 4, "Open nod | Skip"},
		{"a plan that is read", Situation{Reads: true}, plan(), 4, "Approve | Changes"},
		{"a plan, keys can be held", Situation{Holds: true}, plan(), 4, "Approve* | Changes | Open nod"},
		{"a plan, keys cannot be held", Situation{}, plan(), 4, "Open nod | Changes"},
		{"one button", Situation{}, question("a", "b"), 1, "a"},
		{"none", Situation{}, question("a", "b"), 0, ""},
	} {
		got := row(buttons(tt.s, tt.r, tt.most))
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAllButtonsForASurfaceThatPages(t *testing.T) {
	short := nod.Option{ID: "o2", Kind: nod.OptionAlways, Label: "WebFetch"}
	all := func(s Situation, r *nod.Request) string {
		s.Agent, s.Pending = agent, []*nod.Request{r}
		return row(All(s))
	}
	for name, tt := range map[string]struct{ got, want string }{
		"choices":             {all(Situation{}, question("a", "b", "c", "d", "e")), "a | b | c | d | e | Skip"},
		"a rule that is seen": {all(Situation{}, approval("read", rule, short)), "Yes | No | WebFetch"},
		"rules can be held":   {all(Situation{Holds: true}, approval("read", rule, short)), "Yes | No | Bash(go t…* | WebFetch"},
		"rules are shown":     {all(Situation{Shows: true}, approval("read", rule, short)), "Yes | No | Bash(go t… | WebFetch"},
		"risky":               {all(Situation{Holds: true}, approval("secret", rule, short)), "Yes* | No"},
		"nobody":              {row(All(Situation{})), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", name, tt.got, tt.want)
		}
	}
}

func TestPressDoesWhatWasShown(t *testing.T) {
	text := func(list []Suggestion, id string) string {
		for _, b := range list {
			if b.ID == id {
				js, err := json.Marshal(b.Do)
				if err != nil {
					t.Fatal(err)
				}
				return string(js)
			}
		}
		return "none"
	}
	rules := buttons(Situation{Page: 1}, approval("read", rule), 4)
	if rules[0].Detail != "Bash(go test:*) · "+words.In(words.English).Kept("localSettings") {
		t.Errorf("the rule is not shown in full: %q", rules[0].Detail)
	}
	for name, tt := range map[string]struct{ got, want string }{
		"yes":    {text(buttons(Situation{}, approval("read"), 4), "yes"), `{"kind":"decide","request":"r1","answer":{"verdict":"allow"}}`},
		"no":     {text(buttons(Situation{}, approval("read"), 4), "no"), `{"kind":"decide","request":"r1","answer":{"verdict":"deny"}}`},
		"always": {text(buttons(Situation{}, approval("read", rule), 4), "always"), `{"kind":"page","page":1}`},
		"rule":   {text(rules, "always-1"), `{"kind":"decide","request":"r1","answer":{"verdict":"allow","remember":"o1"}}`},
		"choice": {text(buttons(Situation{}, question("a", "b"), 4), "choice-2"), `{"kind":"decide","request":"r1","answer":{"verdict":"answer","answers":{"Which?":{"picked":["b"]}}}}`},
		"open":   {text(buttons(Situation{}, approval("secret"), 4), "open"), `{"kind":"open","request":"r1"}`},
		"plan":   {text(buttons(Situation{Reads: true}, plan(), 4), "approve"), `{"kind":"decide","request":"r1","answer":{"verdict":"allow"}}`},
		"on":     {text(buttons(Situation{}, question("a", "b", "c", "d", "e"), 4), "page-1"), `{"kind":"page","page":1}`},
		"round":  {text(buttons(Situation{Page: 1}, question("a", "b", "c", "d", "e"), 4), "page-0"), `{"kind":"page"}`},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", name, tt.got, tt.want)
		}
	}
}

// The words of a suggestion are the agent's: it may not call an allow "No".
func TestWhatAnAgentSuggestsIsShownAsWhatItDoes(t *testing.T) {
	r := approval("read", rule)
	r.Suggestions = []nod.Suggestion{
		{Label: "No", Answer: nod.Answer{Verdict: nod.VerdictAllow}},
		{Label: "Yes", Answer: nod.Answer{Verdict: nod.VerdictDeny, Message: "use rg"}},
		{Label: "Edit", Answer: nod.Answer{Verdict: nod.VerdictDeny, Remember: "o1"}},
	}
	if got := row(buttons(Situation{}, r, 4)); got != "Yes | Always… | No | use rg" {
		t.Error(got)
	}
	if got := row(buttons(Situation{}, r, 3)); got != "Yes | No | More" {
		t.Errorf("no is not on the first page: %s", got)
	}
	q := question("a", "b")
	q.Suggestions = []nod.Suggestion{
		{Label: "a", Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which?": {Picked: []string{"b"}}}}},
		{Label: "a", Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which?": {Text: "neither"}}}},
		{Label: "z", Answer: nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"What?": {Text: "x"}}}},
	}
	if got := row(buttons(Situation{}, q, 4)); got != "a | b | neither | Skip" {
		t.Error(got)
	}
}

func TestHostileLabelsStayOnTheirKey(t *testing.T) {
	for _, label := range []string{
		"\x1b[31mred", strings.Repeat("x", 10_000), strings.Repeat("語", 3_000), "a\u202Ecba", "a\u200Bb\u200Bc", "a\nb\tc", "$(rm -rf ~)", "a" + strings.Repeat("\u0301", 500), "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", " ", "שלום עולם ארוך",
	} {
		for _, b := range buttons(Situation{}, question("ok", label), 4) {
			if Width(b.Label) > Cells || b.Label == "" || strings.ContainsFunc(b.Label, func(r rune) bool { return r < ' ' || r == 0x202E || r == 0x200B }) {
				t.Errorf("%.40q is shown as %q", label, b.Label)
			}
		}
	}
}

func TestTheAgentsStateDecidesTheRest(t *testing.T) {
	idle := func(text string) Situation {
		return Situation{Agent: &nod.Agent{ID: "a", State: nod.AgentIdle, Can: []nod.Ability{nod.CanSay}}, Last: &nod.Turn{Role: nod.TurnAgent, Text: text}}
	}
	state := func(s nod.AgentState, can ...nod.Ability) Situation {
		return Situation{Agent: &nod.Agent{ID: "a", State: s, Can: can}}
	}
	stopping := state(nod.AgentWorking)
	stopping.Agent.Stopping = &nod.Stopping{By: "anna"}
	others := state(nod.AgentWorking)
	others.Pending = []*nod.Request{{ID: "r2", Agent: nod.AgentRef{ID: "b"}, Kind: nod.KindApproval, Status: nod.Pending}, nil}
	held := idle("Shall I delete the database?")
	held.Holds = true
	for name, tt := range map[string]struct {
		s    Situation
		want string
	}{
		"working":             {state(nod.AgentWorking, nod.CanSay, nod.CanBackground), "STOP | BACKGROUND"},
		"working, no keys":    {state(nod.AgentWorking), "STOP"},
		"stopping":            {stopping, ""},
		"another one asks":    {others, "STOP"},
		"waits elsewhere":     {state(nod.AgentWaiting, nod.CanBackground), "STOP"},
		"ended":               {state(nod.AgentEnded, nod.CanSay), ""},
		"nobody":              {Situation{}, ""},
		"no way to say":       {state(nod.AgentIdle), ""},
		"idle":                {idle(""), "Continue | Summary | Plan | Help"},
		"yes or no":           {idle("Go on?"), "Yes | No | Explain | Example"},
		"this or that":        {idle("Should I use A or B?"), "First | Second | You choose | Explain"},
		"a list":              {idle("1. a\n2. b\nWhich one?"), "1 | 2 | You choose | Explain"},
		"a long list":         {idle("1. a\n2. b\n3. c\n4. d\nWhich one?"), "1 | 2 | 3 | More"},
		"letters":             {idle("a) x\nb) y\nWhich one?"), "A | B | You choose | Explain"},
		"grave":               {idle("Shall I delete the database?"), "Open nod | No | Explain | Example"},
		"grave, can be held":  {held, "Yes* | No | Explain | Example"},
		"grave, this or that": {idle("Should I delete it or keep it?"), "Open nod | Explain"},
		"error":               {idle("The build failed."), "Fix it | Debug | Retry | Skip"},
		"limit":               {state(nod.AgentLimited, nod.CanSay), "Continue"},
	} {
		if got := row(For(tt.s, 4)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// Whatever an agent writes, what a button says to it is nod's.
func FuzzAMessageNeverBecomesAnAct(f *testing.F) {
	own := map[string]bool{}
	say := words.In(words.English)
	for _, name := range Names() {
		b, _ := Reply(name, say)
		own[b.Do.Text] = true
	}
	for n := range mostOptions {
		own[fmt.Sprintf("Option %d.", n+1)], own[fmt.Sprintf("Option %c.", 'A'+n)] = true, true
	}
	for _, m := range messages {
		f.Add(m.text, uint8(4), uint8(0))
	}
	f.Add("\xff1. \n2) ?\x00", uint8(2), uint8(9))
	f.Fuzz(func(t *testing.T, text string, most, page uint8) {
		s := Situation{Agent: &nod.Agent{ID: "a", State: nod.AgentIdle, Can: []nod.Ability{nod.CanSay}}, Last: &nod.Turn{Role: nod.TurnAgent, Text: text}, Page: int(page)}
		list := For(s, int(most))
		if len(list) > int(most) || len(list) == 0 && most > 0 {
			t.Errorf("%d buttons for %d places", len(list), most)
		}
		for _, b := range list {
			if b.Do.Kind == Say && !own[b.Do.Text] || Width(b.Label) > Cells {
				t.Errorf("%q became %+v", text, b)
			}
		}
	})
}

// Whatever is asked: buttons fit, names are distinct, and every answer is one
// that the request takes.
func FuzzButtonsOfARequest(f *testing.F) {
	f.Add("a\x00b\x00c", "Which?", "read", uint8(4), uint8(0), uint8(0))
	f.Add("a\x00a\x00\x00\xff", "", "destructive", uint8(3), uint8(1), uint8(7))
	f.Add("Bash(ls:*)\x00b", "x", "write", uint8(2), uint8(2), uint8(2))
	f.Fuzz(func(t *testing.T, labels, text, level string, most, page, bits uint8) {
		kinds := []nod.RequestKind{nod.KindApproval, nod.KindQuestion, nod.KindPlan, nod.KindElicitation}
		r := question(strings.Split(labels, "\x00")...)
		r.Kind, r.Title, r.Questions[0].Text, r.Risk, r.OneTap = kinds[bits%4], text, text, &nod.Risk{Level: level}, bits&4 == 0
		for i, l := range strings.Split(labels, "\x00") {
			r.Options = append(r.Options, nod.Option{ID: fmt.Sprint(i), Kind: nod.OptionAlways, Label: l}, nod.Option{ID: "default", Kind: nod.OptionMode})
			r.Suggestions = append(r.Suggestions, nod.Suggestion{Label: l, Answer: nod.Answer{Verdict: nod.VerdictDeny, Message: l}})
		}
		list := buttons(Situation{Page: int(page), Holds: bits&8 > 0, Reads: bits&16 > 0}, r, int(most))
		names := map[string]bool{}
		for _, b := range list {
			if names[b.ID] || Width(b.Label) > Cells || b.Label == "" {
				t.Errorf("%+v", b)
			}
			names[b.ID] = true
			if b.Do.Kind == Page && (b.Do.Page < 0 || b.Do.Page == int(page) && page > 0) {
				t.Errorf("it leads nowhere: %+v", b)
			}
			if b.Do.Kind != Decide {
				continue
			}
			if _, err := r.Fit(*b.Do.Answer); err != nil {
				t.Errorf("%+v does not fit: %v", b, err)
			}
			if b.Do.Answer.Verdict == nod.VerdictAllow && risk.On(risk.Phone, r) != risk.Once && !b.Hold {
				t.Errorf("one press allows what is risky: %+v", b)
			}
		}
		if len(list) > int(most) {
			t.Errorf("%d buttons for %d places", len(list), most)
		}
	})
}
