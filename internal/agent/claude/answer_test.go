package claude

import (
	"encoding/json"
	"testing"

	"nod"
	"nod/internal/agent/claude/asking"
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

const form = `{"session_id":"s1","cwd":"/p","hook_event_name":"Elicitation","mcp_server_name":"house","message":"Which room?","mode":"form",
 "requested_schema":{"type":"object","properties":{"room":{"type":"string","enum":["kitchen","hall"],"enumNames":["Kitchen","Hall"]},"level":{"type":"integer","title":"Level","description":"1 to 9"},"on":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["room"]}}`

func decided(t testing.TB, text string, a nod.Answer) *nod.Request {
	t.Helper()
	r, err := asking.Ask("r1", payload(t, text))
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

// The output for Claude Code, byte for byte.
func TestHookOutput(t *testing.T) {
	specific := func(body string) string { return `{"hookSpecificOutput":{` + body + `}}` }
	permission := func(decision string) string {
		return specific(`"hookEventName":"PermissionRequest","decision":` + decision)
	}
	for _, c := range []struct {
		name, in string
		answer   nod.Answer
		want     string
	}{
		{"allow carries the recorded input", bash, nod.Answer{Verdict: nod.VerdictAllow},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push \u003c\u0026\u003e","description":"push it"}}`)},
		{"always echoes the suggestion", bash, nod.Answer{Verdict: nod.VerdictAllow, Remember: nod.RememberFirst},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push \u003c\u0026\u003e","description":"push it"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"git push"}],"behavior":"allow","destination":"localSettings"}]}`)},
		{"edited", bash, nod.Answer{Verdict: nod.VerdictAllow, Input: json.RawMessage(`"git push -n"`)},
			permission(`{"behavior":"allow","updatedInput":{"command":"git push -n","description":"push it"}}`)},
		{"deny with words", bash, nod.Answer{Verdict: nod.VerdictDeny, Message: "use staging"},
			permission(`{"behavior":"deny","message":"use staging"}`)},
		{"deny without words", bash, nod.Answer{Verdict: nod.VerdictDeny},
			permission(`{"behavior":"deny","message":"The user denied this request."}`)},
		{"deny and stop", bash, nod.Answer{Verdict: nod.VerdictDeny, Stop: true},
			permission(`{"behavior":"deny","message":"The user denied this request.","interrupt":true}`)},
		{"an answer echoes the questions", ask1, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"Which DB?": {Text: "2", Notes: "small"}}},
			permission(`{"behavior":"allow","updatedInput":{"annotations":{"Which DB?":{"notes":"small"}},"answers":{"Which DB?":"SQLite"},"questions":[{"question":"Which DB?","header":"DB","multiSelect":false,"options":[{"label":"Postgres","description":"big"},{"label":"SQLite","description":"small"}]}]}}`)},
		{"a plan says its mode", plan, nod.Answer{Verdict: nod.VerdictAllow, Mode: "acceptEdits"},
			permission(`{"behavior":"allow","updatedInput":{"plan":"# Do\n\n1. it","planFilePath":"/c/plans/x.md"},"updatedPermissions":[{"destination":"session","mode":"acceptEdits","type":"setMode"}]}`)},
		{"keep planning", plan, nod.Answer{Verdict: nod.VerdictDeny, Message: "smaller"},
			permission(`{"behavior":"deny","message":"smaller"}`)},
		{"a form", form, nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{"room": {Text: "kitchen"}}},
			specific(`"hookEventName":"Elicitation","action":"accept","content":{"room":"kitchen"}`)},
		{"a form declined", form, nod.Answer{Verdict: nod.VerdictDeny}, specific(`"hookEventName":"Elicitation","action":"decline"`)},
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
		r, err := asking.Ask("r1", payload(t, bash))
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
		p, err := wire.Parse(body)
		if err != nil {
			return
		}
		r, err := asking.Ask("r1", p)
		if err != nil {
			return
		}
		r.Status = nod.Pending
		for _, a := range []nod.Answer{{Verdict: nod.VerdictAllow}, {Verdict: nod.VerdictDeny}, {Verdict: nod.VerdictAllow, Remember: nod.RememberFirst}} {
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
