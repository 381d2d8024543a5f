package nod

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func approval() *Request {
	return &Request{
		ID: "aa", Kind: KindApproval, Tool: "Bash", Title: "git push", Status: Pending, CanEdit: true, EditField: "command",
		Input:   json.RawMessage(`{"command":"git push","timeout":5}`),
		Options: []Option{{ID: "rule-1", Kind: OptionAlways, Label: "allow Bash(git push)"}},
	}
}

func question() *Request {
	return &Request{ID: "bb", Kind: KindQuestion, Status: Pending, Questions: []Question{
		{Text: "Which DB?", FreeText: true, Choices: []Choice{{Label: "SQLite"}, {Label: "Postgres"}}},
		{Text: "Languages?", Multi: true, FreeText: true, Choices: []Choice{{Label: "Go"}, {Label: "C"}, {Label: "Rust"}}},
	}}
}

func plan() *Request {
	return &Request{ID: "cc", Kind: KindPlan, Status: Pending, CanEdit: true, EditField: "plan", Input: json.RawMessage(`{"plan":"# A"}`),
		Options: []Option{{ID: "default", Kind: OptionMode}, {ID: "acceptEdits", Kind: OptionMode}}}
}

func TestFit(t *testing.T) {
	text := func(s string) Reply { return Reply{Text: s} }
	for _, c := range []struct {
		name string
		r    *Request
		in   Answer
		want Answer
		code Code
	}{
		{"allow", approval(), Answer{Verdict: VerdictAllow}, Answer{Verdict: VerdictAllow}, ""},
		{"no verdict", approval(), Answer{}, Answer{}, Invalid},
		{"unknown verdict", approval(), Answer{Verdict: "maybe"}, Answer{}, Invalid},
		{"message must be text", approval(), Answer{Verdict: VerdictDeny, Message: "\xff"}, Answer{}, Invalid},
		{"message of a book's length", approval(), Answer{Verdict: VerdictDeny, Message: strings.Repeat("x", 10_001)}, Answer{}, TooLarge},
		{"answer of a book's length", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text(strings.Repeat("x", 10_001)), "Languages?": text("Go")}}, Answer{}, TooLarge},
		{"allow and stop", approval(), Answer{Verdict: VerdictAllow, Stop: true}, Answer{}, Unprocessable},
		{"answer to no question", approval(), Answer{Verdict: VerdictAnswer}, Answer{}, Unprocessable},
		{"words that nobody would hear", approval(), Answer{Verdict: VerdictAllow, Message: "but carefully"}, Answer{}, Unprocessable},
		{"first rule", approval(), Answer{Verdict: VerdictAllow, Remember: RememberFirst}, Answer{Verdict: VerdictAllow, Remember: "rule-1"}, ""},
		{"unknown rule", approval(), Answer{Verdict: VerdictAllow, Remember: "rule-9"}, Answer{}, Unprocessable},
		{"edit by text", approval(), Answer{Verdict: VerdictAllow, Input: json.RawMessage(`"git push -n"`)},
			Answer{Verdict: VerdictAllow, Input: json.RawMessage(`{"command":"git push -n","timeout":5}`)}, ""},
		{"edit by object", approval(), Answer{Verdict: VerdictAllow, Input: json.RawMessage(`{"command":"ls"}`)},
			Answer{Verdict: VerdictAllow, Input: json.RawMessage(`{"command":"ls"}`)}, ""},
		{"edit by number", approval(), Answer{Verdict: VerdictAllow, Input: json.RawMessage(`7`)}, Answer{}, Unprocessable},
		{"deny with words and stop", approval(), Answer{Verdict: VerdictDeny, Message: "use staging", Stop: true}, Answer{Verdict: VerdictDeny, Message: "use staging", Stop: true}, ""},
		{"deny with input", approval(), Answer{Verdict: VerdictDeny, Input: json.RawMessage(`{}`)}, Answer{}, Unprocessable},
		{"mode without plan", approval(), Answer{Verdict: VerdictAllow, Mode: "default"}, Answer{}, Unprocessable},

		{"plan goes on asking unless told", plan(), Answer{Verdict: VerdictAllow}, Answer{Verdict: VerdictAllow, Mode: "default"}, ""},
		{"plan into a mode", plan(), Answer{Verdict: VerdictAllow, Mode: "acceptEdits"}, Answer{Verdict: VerdictAllow, Mode: "acceptEdits"}, ""},
		{"plan into no mode of its", plan(), Answer{Verdict: VerdictAllow, Mode: "bypassPermissions"}, Answer{}, Unprocessable},

		{"a bare allow answers nothing", question(), Answer{Verdict: VerdictAllow}, Answer{}, Unprocessable},
		{"labels, numbers", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text("sqlite"), "Languages?": text("1, 3")}},
			Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": {Picked: []string{"SQLite"}}, "Languages?": {Picked: []string{"Go", "Rust"}}}}, ""},
		{"free text keeps its commas", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text("files, really"), "Languages?": text("Go, Zig")}},
			Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text("files, really"), "Languages?": text("Go, Zig")}}, ""},
		{"two for one", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": {Picked: []string{"SQLite", "Postgres"}}, "Languages?": text("Go")}}, Answer{}, Unprocessable},
		{"picked but not offered", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": {Picked: []string{"Oracle"}}, "Languages?": text("Go")}}, Answer{}, Unprocessable},
		{"one missing", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text("SQLite")}}, Answer{}, Unprocessable},
		{"one too many", question(), Answer{Verdict: VerdictAnswer, Answers: Answers{"Which DB?": text("SQLite"), "Languages?": text("Go"), "Why?": text("so")}}, Answer{}, Unprocessable},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.r.Fit(c.in)
			if c.code != "" {
				if err == nil || CodeOf(err) != c.code {
					t.Fatalf("err %v, want code %s", err, c.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestFormFieldsKnowTheirTypes(t *testing.T) {
	r := &Request{Kind: KindElicitation, Status: Pending, Questions: []Question{
		{ID: "port", Text: "Port", Type: "integer", FreeText: true},
		{ID: "note", Text: "Note", Type: "string", FreeText: true, Optional: true},
	}}
	if _, err := r.Fit(Answer{Verdict: VerdictAnswer, Answers: Answers{"port": {Text: "eighty"}}}); CodeOf(err) != Unprocessable {
		t.Errorf("a word for a number: %v", err)
	}
	got, err := r.Fit(Answer{Verdict: VerdictAnswer, Answers: Answers{"port": {Text: "80"}}})
	if err != nil || got.Answers["port"].Text != "80" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestInOrder(t *testing.T) {
	qs := question().Questions
	if _, err := InOrder(qs, []string{"SQLite"}); CodeOf(err) != Unprocessable {
		t.Errorf("one answer for two questions: %v", err)
	}
	got, err := InOrder(qs[:1], []string{"use", "flat", "files"})
	if err != nil || got["Which DB?"].Text != "use flat files" {
		t.Errorf("a sentence without quotes: %+v, %v", got, err)
	}
	got, err = InOrder(qs[1:], []string{"Go", "Rust"})
	if err != nil || len(got["Languages?"].Picked) != 2 {
		t.Errorf("several choices: %+v, %v", got, err)
	}
}

func TestReplyTakesShortForms(t *testing.T) {
	var a Answer
	err := json.Unmarshal([]byte(`{"verdict":"answer","remember":true,"answers":{"A":"x","B":["y","z"],"C":{"text":"t","notes":"n"}}}`), &a)
	if err != nil {
		t.Fatal(err)
	}
	want := Answers{"A": {Text: "x"}, "B": {Picked: []string{"y", "z"}}, "C": {Text: "t", Notes: "n"}}
	if !reflect.DeepEqual(a.Answers, want) || a.Remember != RememberFirst {
		t.Errorf("%+v", a)
	}
	if json.Unmarshal([]byte(`{"answers":{"A":{"txt":"x"}}}`), &a) == nil {
		t.Error("a misspelt field of a reply must be an error")
	}
}
