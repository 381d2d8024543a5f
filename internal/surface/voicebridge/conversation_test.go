package voicebridge

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
)

func TestTransitions(t *testing.T) {
	valid := 0
	for _, s := range []state{idle, commanded, processing, awaitingInput, complete} {
		for _, a := range []actor{user, agent} {
			for _, i := range []intent{command, answer, question, progress, completion, endOfCommand} {
				to, ok := next(s, a, i)
				if ok {
					valid++
				} else if to != s {
					t.Errorf("%s, %s %s leads to %s although there is no such way", s, a, i, to)
				}
				if s == complete && ok {
					t.Errorf("complete goes on with %s %s", a, i)
				}
			}
		}
	}
	if valid != 21 {
		t.Errorf("%d ways, want 21", valid)
	}
}

// talk plays a conversation: one step a second. "p:" a person's prompt, "r:" a
// reply, "t:" a tool, "s:" a subagent's reply, "n:" a notice, "q:" a request, "a:" its
// decision, "x:" its withdrawal, "d:" a delivered message, "h:" a prompt that names its
// message, "e:" a trouble that ends a turn, "w:" nothing for a minute.
func converse(steps ...string) string {
	c := newConversation()
	var out []string
	start := time.Unix(1e9, 0)
	now := start
	asked := &nod.Request{}
	for i, step := range steps {
		seq := nod.Seq(i + 1)
		now = now.Add(time.Second)
		verb, text, _ := strings.Cut(step, ":")
		turn := &nod.Turn{Text: text, At: now, Seq: seq}
		var turns []Turn
		switch verb {
		case "p":
			turn.Role = nod.TurnPerson
			turns = c.said(turn)
		case "h":
			turn.Role, turn.To = nod.TurnPerson, nod.MessageID("m-"+text)
			turns = c.said(turn)
		case "e":
			turn.Role, turn.Trouble = nod.TurnSystem, nod.TroubleStopped
			turns = c.said(turn)
		case "r":
			turn.Role = nod.TurnAgent
			turns = c.said(turn)
		case "s":
			turn.Role, turn.Who = nod.TurnAgent, &nod.Subagent{}
			turns = c.said(turn)
		case "t":
			turn.Role, turn.Tool = nod.TurnTool, text
			turns = c.said(turn)
		case "n":
			turn.Role = nod.TurnSystem
			turns = c.said(turn)
		case "q":
			asked = &nod.Request{ID: "q", Seq: seq, Kind: nod.KindApproval, Title: text, AskedAt: now, Status: nod.Pending}
			turns = c.asks(questionTurn(asked, words.In(words.English)))
		case "a":
			asked.Status, asked.Decision = nod.Decided, &nod.Decision{Answer: nod.Answer{Verdict: nod.VerdictAllow}, At: now}
			turns = c.answered(answerTurn(asked, words.In(words.English)))
		case "x":
			asked.Status, asked.Withdrawal = nod.Withdrawn, &nod.Withdrawal{Reason: nod.WithdrawnSuperseded, At: now}
			turns = c.answered(answerTurn(asked, words.In(words.English)))
		case "d":
			turns = c.delivered(&nod.Message{ID: nod.MessageID("m-" + text), Text: text, At: start}, seq)
		case "w":
			now = now.Add(time.Minute)
		}
		for _, t := range turns {
			out = append(out, fmt.Sprintf("%d/%d %s %s", t.ID, t.work.id, t.Actor, t.Intent))
		}
	}
	return strings.Join(append(out, string(c.at)), "; ")
}

func TestTurnIntents(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []string
		want  string
	}{
		{"a command and its end", []string{"p:do it all", "t:Bash", "r:Done."}, "2/2 user command; 4/2 agent progress; 6/2 agent completion; complete"},
		{"it offers more help: no question", []string{"p:do it all", "r:Fixed. Anything else?"}, "2/2 user command; 4/2 agent end_of_command; complete"},
		{"its last words ask", []string{"p:do it all", "r:Fixed.\n\nShall I push?", "p:no"}, "2/2 user command; 4/2 agent question; 6/2 user answer; processing"},
		{"an approval", []string{"p:do it all", "q:Bash: ls", "a:", "r:Done."}, "2/2 user command; 4/2 agent question; 5/2 user answer; 8/2 agent completion; complete"},
		{"a request that nobody answered", []string{"p:do it all", "q:Bash: ls", "x:", "t:Read"}, "2/2 user command; 4/2 agent question; 8/2 agent progress; processing"},
		{"a tool while it waits", []string{"p:do it all", "q:Bash: ls", "t:Read"}, "2/2 user command; 4/2 agent question; 6/2 agent progress; awaiting_input"},
		{"two commands", []string{"p:one", "r:Done.", "p:two"}, "2/2 user command; 4/2 agent completion; 6/6 user command; commanded"},
		{"more words before it begins", []string{"p:one", "p:and this"}, "2/2 user command; 4/2 user command; commanded"},
		{"a new command ends the one before", []string{"p:one", "t:Bash", "p:something else"}, "2/2 user command; 4/2 agent progress; 6/6 user command; commanded"},
		{"a bare confirmation while it works", []string{"p:one", "t:Bash", "p:Go ahead!"}, "2/2 user command; 4/2 agent progress; 6/2 user answer; processing"},
		{"seen at work, then its prompt", []string{"t:Bash", "p:one"}, "2/2 agent progress; 4/2 user command; processing"},
		{"a prompt told twice", []string{"p:/review", "p:/review", "r:Done."}, "2/2 user command; 6/2 agent completion; complete"},
		{"the same words a minute later", []string{"p:again", "w:", "p:again"}, "2/2 user command; 6/2 user command; commanded"},
		{"the same words after a reply", []string{"p:again", "r:Done.", "p:again"}, "2/2 user command; 4/2 agent completion; 6/6 user command; commanded"},
		{"what the agent says to itself", []string{"p:<task-notification>x", "p:<system-reminder>y"}, "idle"},
		{"a subagent's reply ends nothing", []string{"p:one", "s:Done."}, "2/2 user command; 4/2 agent progress; processing"},
		{"a notice begins nothing", []string{"p:one", "r:Done.", "n:compacted"}, "2/2 user command; 4/2 agent completion; 6/2 agent progress; complete"},
		{"its answer tool is the answer already", []string{"p:one", "q:Which?", "a:", "t:AskUserQuestion"}, "2/2 user command; 4/2 agent question; 5/2 user answer; processing"},

		{"said here, told by the agent", []string{"p:from afar", "d:from afar"}, "2/2 user command; commanded"},
		{"said here with a slash and lines, told with a full stop", []string{"d:/a\nb", "p:. /a\nb"}, "4/4 user command; commanded"},
		{"said here, told later", []string{"d: from  afar ", "p:from afar"}, "4/4 user command; commanded"},
		{"said here, never told by the agent", []string{"d:from afar", "t:Bash"}, "2/2 user command; 4/2 agent progress; processing"},
		{"told, and confirmed only after the next step", []string{"p:from afar", "t:Bash", "d:from afar", "t:Read"}, "2/2 user command; 4/2 agent progress; 8/2 agent progress; processing"},
		{"told, answered, and confirmed after all", []string{"p:from afar", "r:Done.", "d:from afar", "p:more"}, "2/2 user command; 4/2 agent completion; 8/8 user command; commanded"},
		{"one prompt is one message", []string{"p:again", "d:again", "t:Bash", "d:again", "t:Read"}, "2/2 user command; 6/2 agent progress; 8/8 user command; 10/8 agent progress; processing"},
		{"the driver knows which message it was", []string{"d:from afar", "h:from afar", "r:Done."}, "4/4 user command; 6/4 agent completion; complete"},
		{"a prompt of another message", []string{"d:one", "h:two", "t:Bash"}, "2/2 user command; 4/2 user command; 6/2 agent progress; processing"},
		{"a trouble ends the command", []string{"d:one", "h:one", "t:Bash", "e:Stopped."}, "4/4 user command; 6/4 agent progress; 8/4 agent completion; complete"},
		{"said here, and something else typed there", []string{"d:from afar", "p:typed"}, "2/2 user command; 4/2 user command; commanded"},
	} {
		if got := converse(tt.steps...); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestReplyIntent(t *testing.T) {
	for text, want := range map[string]intent{
		"Shall I go on?": question,
		"All tests pass. Shall I also update the docs?": question,
		"**Which one?**":                          question,
		"Czy mam kontynuować?":                    question,
		"続けますか。":                                  question,
		"続けますか\uff1f":                             question,
		"See https://example.org/?":               completion,
		"Done.\n```\nwhat?\n```":                  completion,
		"Is it right? I think so.":                completion,
		"Let me know if you want something else?": endOfCommand,
		"": completion,
	} {
		if got := replyIntent(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestSpokenAnswer(t *testing.T) {
	safe, bad := approval("a", "x", "ls", "read"), approval("b", "x", "rm -rf /", "destructive")
	several := choosing("d", "x", nod.Question{Text: "Which?", Multi: true, Choices: database.Choices})
	one := choosing("c", "x", database)
	for _, tt := range []struct {
		r    nod.Request
		text string
		want string
	}{
		{safe, "Yes.", "allow"}, {safe, "tak", "allow"}, {safe, "はい", "allow"}, {safe, "one", "allow"}, {safe, "許可します", "allow"},
		{safe, "no", "deny"}, {safe, "Nie, użyj make", "deny Nie, użyj make"}, {safe, "2", "deny"}, {safe, "いいえ", "deny"},
		{safe, "I know", "error"}, {safe, "cargo test", "error"}, {safe, "yes but carefully", "error"}, {safe, "nothing", "error"}, {safe, "7", "error"},
		{bad, "yes", "error"}, {bad, "1", "error"}, {bad, "allow", "allow"}, {bad, "stop", "deny"},
		{one, "two", "[PostgreSQL]"}, {one, "the third one", "[None]"}, {one, "opcja druga", "[PostgreSQL]"}, {one, "二番でお願いします", "[PostgreSQL]"},
		{one, "postgresql", "[PostgreSQL]"}, {one, "two of them", "two of them"}, {one, "9", "9"},
		{several, "one and three", "[SQLite None]"}, {several, "1, 2", "[SQLite PostgreSQL]"}, {several, "一と三", "[SQLite None]"},
	} {
		a, err := spokenAnswer(&tt.r, tt.text, words.In(words.English))
		got := strings.TrimSpace(string(a.Verdict) + " " + a.Message)
		if err != nil {
			got = "error"
		} else if a.Verdict == nod.VerdictAnswer {
			reply, _ := tt.r.Questions[0].Fit(a.Answers[tt.r.Questions[0].Key()])
			if got = reply.Text; len(reply.Picked) > 0 {
				got = fmt.Sprint(reply.Picked)
			}
		}
		if got != tt.want {
			t.Errorf("%q to %s: %s, want %s", tt.text, tt.r.ID, got, tt.want)
		}
	}
}
