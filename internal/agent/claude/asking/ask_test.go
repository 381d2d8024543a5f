package asking

import (
	"encoding/json"
	"strings"
	"testing"

	"nod"
	"nod/internal/agent/claude/wire"
)

func payload(t testing.TB, text string) wire.Payload {
	t.Helper()
	p, err := wire.Parse([]byte(text))
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
	r, err := Ask("r1", payload(t, bash))
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != nod.KindApproval || r.Title != "git push <&>" || r.Display != "git push <&>\n\n# push it" || r.EditField != "command" {
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

// What the model says about its command stands below it, and cannot look like more of it.
func TestDescriptionOfACommand(t *testing.T) {
	for input, want := range map[string]string{
		`{"command":"ls","description":"run"}`:                        "ls",
		`{"command":"ls","description":""}`:                           "ls",
		`{"command":"ls","description":"List\n\nall files"}`:          "ls\n\n# List all files",
		`{"command":"ls","description":"List files","timeout":5}`:     "ls\n\n# List files\n\ntimeout: 5",
		`{"command":"ls","description":["a b"],"Description":"x  y"}`: "ls\n\nDescription: \"x  y\"\ndescription: [\"a b\"]",
	} {
		if got := Describe("Bash", json.RawMessage(input)); got.Text != want || got.Line != "ls" {
			t.Errorf("%s: %q", input, got.Text)
		}
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
		got := Describe(c.tool, json.RawMessage(c.input))
		if got.Line != c.line {
			t.Errorf("%s: line %q, want %q", c.tool, got.Line, c.line)
		}
		if !strings.Contains(got.Text, "secret") || !strings.Contains(got.Text, "stuff") {
			t.Errorf("%s: something is missing in %q", c.tool, got.Text)
		}
	}
}

func TestALongCommandShowsItsEndInTheTitle(t *testing.T) {
	in, _ := json.Marshal(map[string]string{"command": "echo " + strings.Repeat("x", 1<<20) + "; rm -rf ~"})
	r, err := Ask("r1", wire.Payload{Event: "PermissionRequest", Session: "s", Tool: "Bash", Input: in})
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
	r, err := Ask("r1", payload(t, form))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range r.Questions {
		got = append(got, q.ID)
	}
	if r.Kind != nod.KindElicitation || r.Tool != "house" || strings.Join(got, " ") != "room level on tags" || r.Dialog != nod.DialogAfter {
		t.Errorf("%+v", r)
	}
	fit, err := r.Fit(nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"room": {Text: "2"}, "level": {Text: "7"}, "on": {Text: "true"}, "tags": {Text: "a,b"}}})
	if err != nil {
		t.Fatal(err)
	}
	filled, err := content(r.Questions, fit.Answers)
	if err != nil || string(filled) != `{"level":7,"on":true,"room":"hall","tags":["a","b"]}` {
		t.Errorf("%s, %v", filled, err)
	}
}

// What is shown is what runs: a second field whose name differs in its case
// must not be shown in place of the real one.
func TestOnlyTheRealFieldsAreShown(t *testing.T) {
	got := Describe("Bash", json.RawMessage(`{"command":"rm -rf /","Command":"ls","COMMAND":"ls"}`))
	if got.Line != "rm -rf /" || !strings.HasPrefix(got.Text, "rm -rf /") || !strings.Contains(got.Text, "Command") {
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
