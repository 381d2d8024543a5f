package claude

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
	"nod/internal/claudecode"
)

func payload(t testing.TB, text string) claudecode.Payload {
	t.Helper()
	p, err := claudecode.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const bash = `{"session_id":"s1","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"Bash",
 "tool_input":{"command":"git push <&>","description":"push it"},
 "permission_suggestions":[
  {"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push"}],"behavior":"allow","destination":"localSettings"},
  {"type":"setMode","mode":"acceptEdits","destination":"session"},
  {"type":"somethingNew","destination":"session"}]}`

func TestApprovalShowsAllThatRuns(t *testing.T) {
	r, err := ask("r1", payload(t, bash))
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != nod.Approval || r.Title != "git push <&>" || !strings.Contains(r.Display, `description: "push it"`) || r.EditField != "command" {
		t.Errorf("%+v", r)
	}
	var ids []string
	for _, o := range r.Options {
		ids = append(ids, o.ID+" "+o.Label+" "+o.Detail)
	}
	want := "rule-1 allow Bash(git push) localSettings|rule-2 mode acceptEdits session|rule-1-session allow Bash(git push) session"
	if got := strings.Join(ids, "|"); got != want {
		t.Errorf("options\n got %s\nwant %s", got, want)
	}
}

func TestNothingOfAnInputIsHidden(t *testing.T) {
	for _, c := range []struct{ tool, input, line string }{
		{"Write", `{"file_path":"/p/a.txt","content":"secret stuff"}`, "/p/a.txt"},
		{"Edit", `{"file_path":"/p/a.txt","old_string":"secret","new_string":"stuff","replace_all":true}`, "/p/a.txt"},
		{"WebFetch", `{"url":"https://x.example/secret","prompt":"stuff"}`, "https://x.example/secret"},
		{"mcp__db__query", `{"sql":"secret stuff"}`, `{"sql":"secret stuff"}`},
		{"Bash", `{"command":"secret","run_in_background":true,"note":"stuff"}`, "secret"},
		{"Bash", `{"command":{"secret":"stuff"}}`, `{"command":{"secret":"stuff"}}`},
		{"Odd", `["secret","stuff"]`, `["secret","stuff"]`},
	} {
		got := describe(c.tool, json.RawMessage(c.input))
		if got.line != c.line {
			t.Errorf("%s: line %q, want %q", c.tool, got.line, c.line)
		}
		if !strings.Contains(got.text, "secret") || !strings.Contains(got.text, "stuff") {
			t.Errorf("%s: something is missing in %q", c.tool, got.text)
		}
	}
}

func TestALongCommandShowsItsEndInTheTitle(t *testing.T) {
	in, _ := json.Marshal(map[string]string{"command": "echo " + strings.Repeat("x", 1<<20) + "; rm -rf ~"})
	r, err := ask("r1", claudecode.Payload{Event: "PermissionRequest", Session: "s", Tool: "Bash", Input: in})
	if err != nil || !strings.HasSuffix(r.Title, "; rm -rf ~") || !strings.Contains(r.Title, "⟨… +") || len(r.Title) > 400 {
		t.Errorf("%q, %v", r.Title, err)
	}
	if !strings.HasSuffix(r.Display, "; rm -rf ~") || len(r.Display) < 1<<20 {
		t.Error("the display was cut")
	}
}

const form = `{"session_id":"s1","cwd":"/p","hook_event_name":"Elicitation","mcp_server_name":"house","message":"Which room?","mode":"form",
 "requested_schema":{"type":"object","properties":{"room":{"type":"string","enum":["kitchen","hall"],"enumNames":["Kitchen","Hall"]},"level":{"type":"integer","title":"Level","description":"1 to 9"},"on":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["room"]}}`

func TestAFormBecomesQuestions(t *testing.T) {
	r, err := ask("r1", payload(t, form))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range r.Questions {
		got = append(got, q.ID)
	}
	if r.Kind != nod.Elicitation || r.Tool != "house" || strings.Join(got, " ") != "room level on tags" || r.Dialog != nod.DialogAfter {
		t.Errorf("%+v", r)
	}
	fit, err := r.Fit(nod.Answer{Verdict: nod.Replies, Answers: nod.Answers{"room": {Text: "2"}, "level": {Text: "7"}, "on": {Text: "true"}, "tags": {Text: "a,b"}}})
	if err != nil {
		t.Fatal(err)
	}
	filled, err := content(r.Questions, fit.Answers)
	if err != nil || string(filled) != `{"level":7,"on":true,"room":"hall","tags":["a","b"]}` {
		t.Errorf("%s, %v", filled, err)
	}
}

func decided(t testing.TB, text string, a nod.Answer) *nod.Request {
	t.Helper()
	r, err := ask("r1", payload(t, text))
	if err != nil {
		t.Fatal(err)
	}
	r.Status = nod.Pending
	fit, err := r.Fit(a)
	if err != nil {
		t.Fatal(err)
	}
	r.Status, r.Decision = nod.Decided, &nod.Decision{Answer: fit, By: "anna"}
	return &r
}

const (
	ask1 = `{"session_id":"s1","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"Which DB?","header":"DB","multiSelect":false,"options":[{"label":"Postgres","description":"big"},{"label":"SQLite","description":"small"}]}]}}`
	plan = `{"session_id":"s1","cwd":"/p","hook_event_name":"PermissionRequest","tool_name":"ExitPlanMode","tool_input":{"plan":"# Do\n\n1. it","planFilePath":"/c/plans/x.md"}}`
)

// The words for Claude Code, exactly.
func TestAnswersInClaudeCodesWords(t *testing.T) {
	specific := func(body string) string { return `{"hookSpecificOutput":{` + body + `}}` }
	permission := func(decision string) string {
		return specific(`"hookEventName":"PermissionRequest","decision":` + decision)
	}
	for _, c := range []struct {
		name, in string
		answer   nod.Answer
		want     string
	}{
		{"allow carries the recorded input", bash, nod.Answer{Verdict: nod.Allow},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push \u003c\u0026\u003e","description":"push it"}}`)},
		{"always echoes the suggestion", bash, nod.Answer{Verdict: nod.Allow, Remember: nod.FirstRule},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push \u003c\u0026\u003e","description":"push it"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push"}],"behavior":"allow","destination":"localSettings"}]}`)},
		{"edited", bash, nod.Answer{Verdict: nod.Allow, Input: json.RawMessage(`"git push -n"`)},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push -n","description":"push it"}}`)},
		{"deny with words", bash, nod.Answer{Verdict: nod.Deny, Message: "use staging"},
			permission(`{"behavior":"deny","message":"use staging"}`)},
		{"deny without words", bash, nod.Answer{Verdict: nod.Deny},
			permission(`{"behavior":"deny","message":"The user denied this request."}`)},
		{"deny and stop", bash, nod.Answer{Verdict: nod.Deny, Stop: true},
			permission(`{"behavior":"deny","message":"The user denied this request.","interrupt":true}`)},
		{"an answer echoes the questions", ask1, nod.Answer{Verdict: nod.Replies, Answers: nod.Answers{"Which DB?": {Text: "2", Notes: "small"}}},
			permission(`{"behavior":"allow","updatedInput":{"annotations":{"Which DB?":{"notes":"small"}},"answers":{"Which DB?":"SQLite"},"questions":[{"question":"Which DB?","header":"DB","multiSelect":false,"options":[{"label":"Postgres","description":"big"},{"label":"SQLite","description":"small"}]}]}}`)},
		{"a plan says its mode", plan, nod.Answer{Verdict: nod.Allow, Mode: "acceptEdits"},
			permission(`{"behavior":"allow","updatedInput":{"plan":"# Do\n\n1. it","planFilePath":"/c/plans/x.md"},"updatedPermissions":[{"destination":"session","mode":"acceptEdits","type":"setMode"}]}`)},
		{"keep planning", plan, nod.Answer{Verdict: nod.Deny, Message: "smaller"},
			permission(`{"behavior":"deny","message":"smaller"}`)},
		{"a form", form, nod.Answer{Verdict: nod.Replies, Answers: nod.Answers{"room": {Text: "kitchen"}}},
			specific(`"hookEventName":"Elicitation","action":"accept","content":{"room":"kitchen"}`)},
		{"a form declined", form, nod.Answer{Verdict: nod.Deny}, specific(`"hookEventName":"Elicitation","action":"decline"`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := answer(decided(t, c.in, c.answer))
			if err != nil || string(got) != c.want {
				t.Errorf("\n got %s\nwant %s\n%v", got, c.want, err)
			}
		})
	}
}

func TestSilenceIsNeverConsent(t *testing.T) {
	for _, status := range []nod.Status{nod.Pending, nod.Expired, nod.Withdrawn, nod.Decided} {
		r, err := ask("r1", payload(t, bash))
		if err != nil {
			t.Fatal(err)
		}
		r.Status = status // Decided without a decision cannot be, and says nothing all the same
		if out, err := answer(&r); out != nil || err != nil {
			t.Errorf("%s: %s, %v", status, out, err)
		}
	}
}

func FuzzAsk(f *testing.F) {
	for _, seed := range []string{bash, ask1, plan, form} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := claudecode.Parse(body)
		if err != nil {
			return
		}
		r, err := ask("r1", p)
		if err != nil {
			return
		}
		r.Status = nod.Pending
		for _, a := range []nod.Answer{{Verdict: nod.Allow}, {Verdict: nod.Deny}, {Verdict: nod.Allow, Remember: nod.FirstRule}} {
			fit, err := r.Fit(a)
			if err != nil {
				continue
			}
			d := r
			d.Status, d.Decision = nod.Decided, &nod.Decision{Answer: fit}
			out, err := answer(&d)
			if err == nil && !json.Valid(out) {
				t.Fatalf("not JSON: %s", out)
			}
		}
	})
}

// What is shown is what runs: a second field whose name differs in its case
// must not be shown in place of the real one.
func TestOnlyTheRealFieldsAreShown(t *testing.T) {
	got := describe("Bash", json.RawMessage(`{"command":"rm -rf /","Command":"ls","COMMAND":"ls"}`))
	if got.line != "rm -rf /" || !strings.HasPrefix(got.text, "rm -rf /") || !strings.Contains(got.text, "Command") {
		t.Errorf("%+v", got)
	}
	r, err := askQuestions(nod.Request{Input: json.RawMessage(`{"questions":[{"question":"Delete all?","Question":"Go on?","options":[{"label":"yes","Label":"no"}]}],"Questions":[]}`)})
	if err != nil || len(r.Questions) != 1 || r.Questions[0].Text != "Delete all?" || r.Questions[0].Choices[0].Label != "yes" {
		t.Errorf("%+v, %v", r.Questions, err)
	}
	if r := askPlan(nod.Request{Input: json.RawMessage(`{"plan":"burn it","Plan":"paint it"}`)}); r.Display != "burn it" {
		t.Errorf("the plan reads %q", r.Display)
	}
}
