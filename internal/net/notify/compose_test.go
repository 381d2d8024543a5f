package notify

import (
	"slices"
	"strings"
	"testing"
	"time"

	"nod"
	"nod/internal/present/words"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func asking(id, agent string, change ...func(*nod.Request)) *nod.Request {
	r := &nod.Request{
		ID: nod.RequestID(id), Kind: nod.KindApproval, Tool: "Bash", Title: "Bash: ls -la", Display: "ls -la\n\nList files", OneTap: true,
		Agent: nod.AgentRef{ID: nod.AgentID(agent), Name: agent}, Risk: &nod.Risk{Level: "read"}, Status: nod.Pending, AskedAt: noon,
	}
	for _, f := range change {
		f(r)
	}
	return r
}

func speak(lang words.Lang, c Content) Voice {
	return Voice{Say: words.In(lang), Content: c, Now: noon, Link: func(id nod.RequestID) string { return "https://nod.example/?request=" + string(id) }}
}

func TestNotificationContent(t *testing.T) {
	end := noon.Add(2 * time.Minute)
	r := asking("r1", "garden", func(r *nod.Request) { r.ExpiresAt, r.Agent.Host = &end, "desk" })
	for _, c := range []struct {
		lang        words.Lang
		content     Content
		title, body string
	}{
		{words.English, Short, "garden on desk needs you", "read · Bash: ls -la\n2 min left"},
		{words.English, Full, "garden on desk needs you", "read\nls -la\n\nList files\n2 min left"},
		{words.English, None, "garden on desk needs you", "2 min left"},
		{words.Polish, Short, "garden na desk czeka na Ciebie", "odczyt · Bash: ls -la\nzostało 2 min"},
		{words.Japanese, Short, "garden(desk) が返事を待っています", "読み取り · Bash: ls -la\n残り 2 分"},
	} {
		n := speak(c.lang, c.content).Note(Plan([]*nod.Request{r}, nil, nil, false)[0])
		if n.Title != c.title || n.Body != c.body {
			t.Errorf("%q\n%q", n.Title, n.Body)
		}
		if n.Link != "https://nod.example/?request=r1" || n.Request != "r1" || n.Key != "agent:garden" || !n.Urgent() {
			t.Errorf("%+v", n)
		}
	}
}

func TestNotificationHidesSecretsAndShowsHiddenCharacters(t *testing.T) {
	r := asking("r1", "garden", func(r *nod.Request) { r.Risk.Level, r.Title, r.Display = "secret", "Bash: cat key", "cat key" })
	for _, c := range []Content{Full, Short, None} {
		n := speak(words.English, c).Note(Plan([]*nod.Request{r}, nil, nil, false)[0])
		if strings.Contains(n.Title+n.Body, "cat") {
			t.Errorf("%s shows %q", c, n.Body)
		}
	}
	r = asking("r1", "gar\x1b[31mden", func(r *nod.Request) { r.Title = "Bash: ls\u202e; rm" })
	n := speak(words.English, Short).Note(Plan([]*nod.Request{r}, nil, nil, false)[0])
	if !strings.Contains(n.Title, "⟨ESC⟩") || !strings.Contains(n.Body, "⟨RLO⟩") {
		t.Errorf("%q %q", n.Title, n.Body)
	}
}

func TestOnlyHarmlessCompleteNotificationsHaveButtons(t *testing.T) {
	both, deny := "allow deny", "deny"
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name   string
		voice  Voice
		change func(*nod.Request)
		want   string
	}{
		{"read", speak(0, Short), nil, both},
		{"write", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "write" }, both},
		{"network", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "network" }, both},
		{"destructive", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "destructive" }, ""},
		{"secret", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "secret" }, ""},
		{"unknown", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "unknown" }, ""},
		{"a new level", speak(0, Full), func(r *nod.Request) { r.Risk.Level = "volcanic" }, ""},
		{"no risk", speak(0, Full), func(r *nod.Request) { r.Risk = nil }, ""},
		{"not one tap", speak(0, Full), func(r *nod.Request) { r.OneTap = false }, ""},
		{"a question", speak(0, Full), func(r *nod.Request) { r.Kind = nod.KindQuestion }, ""},
		{"a plan", speak(0, Full), func(r *nod.Request) { r.Kind = nod.KindPlan }, ""},
		{"a passkey is wanted", Voice{Content: Full, Proof: []string{"read"}}, nil, ""},
		{"nothing is shown", speak(0, None), nil, ""},
		{"too long to be shown", speak(0, Full), func(r *nod.Request) { r.Display = long }, deny},
		{"a title that was folded before", speak(0, Short), func(r *nod.Request) { r.Title = nod.Fold(long, 160) }, deny},
		{"long, but the line is all that is shown", speak(0, Short), func(r *nod.Request) { r.Display = long }, both},
	} {
		r := asking("r1", "garden")
		if c.change != nil {
			c.change(r)
		}
		var got []string
		for _, v := range c.voice.Answers(r) {
			got = append(got, string(v))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}

func TestOneNotificationPerAgentAndPerBurst(t *testing.T) {
	var waits []*nod.Request
	for i, agent := range []string{"a", "b", "a", "c"} {
		waits = append(waits, asking("r"+string(rune('1'+i)), agent))
	}
	if got := keys(Plan(waits, nil, nil, false)); got != "agent:a[r1 r3] agent:b[r2] agent:c[r4]" {
		t.Errorf("four: %s", got)
	}
	waits = append(waits, asking("r5", "d", func(r *nod.Request) { r.AskedAt = noon.Add(10 * time.Second) }))
	if got := keys(Plan(waits, nil, nil, false)); got != "all[r1 r2 r3 r4 r5]" {
		t.Errorf("five in ten seconds: %s", got)
	}
	waits[4].AskedAt = noon.Add(11 * time.Second)
	if got := keys(Plan(waits, nil, nil, false)); strings.HasPrefix(got, "all") {
		t.Errorf("five in eleven seconds: %s", got)
	}
	if got := keys(Plan(waits[:2], nil, nil, true)); got != "all[r1 r2]" {
		t.Errorf("two are left of many: %s", got)
	}
	if got := keys(Plan(waits[:1], nil, nil, true)); got != "agent:a[r1]" {
		t.Errorf("one is left of many: %s", got)
	}
	n := speak(words.English, Short).Note(Plan(waits, nil, nil, true)[0])
	if n.Title != "5 requests wait for you" || !strings.HasPrefix(n.Body, "• a: read · Bash: ls -la\n• b:") || n.Request != "" {
		t.Errorf("%q %q", n.Title, n.Body)
	}
}

func keys(items []Item) string {
	var list []string
	for _, i := range items {
		list = append(list, i.Key+"["+i.Version+"]")
	}
	return strings.Join(list, " ")
}

func TestPendingRequestReplacesNews(t *testing.T) {
	news := []News{{Kind: Done, Agent: nod.AgentRef{ID: "a"}, Seq: 7}, {Kind: Failed, Agent: nod.AgentRef{ID: "b"}, Seq: 8}}
	if got := keys(Plan([]*nod.Request{asking("r1", "a")}, news, []string{"mail"}, false)); got != "agent:a[r1] trouble:mail[trouble] agent:b[failed:8]" {
		t.Error(got)
	}
}

func TestSettledNotification(t *testing.T) {
	v := speak(words.English, Short)
	decided := func(verdict nod.Verdict) *nod.Request {
		return asking("r", "garden", func(r *nod.Request) {
			r.Status, r.Decision = nod.Decided, &nod.Decision{Answer: nod.Answer{Verdict: verdict}, By: "anna", Via: "phone"}
		})
	}
	for want, r := range map[string]*nod.Request{
		"Allowed by anna (phone)":               decided(nod.VerdictAllow),
		"Denied by anna (phone)":                decided(nod.VerdictDeny),
		"Answered by anna (phone)":              decided(nod.VerdictAnswer),
		"Its time is over; nothing was allowed": asking("r", "g", func(r *nod.Request) { r.Status = nod.Expired }),
		"Answered in the agent's terminal": asking("r", "g", func(r *nod.Request) {
			r.Status, r.Withdrawal = nod.Withdrawn, &nod.Withdrawal{Reason: nod.WithdrawnTerminal}
		}),
		"Nobody has to answer this any more": asking("r", "g", func(r *nod.Request) {
			r.Status, r.Withdrawal = nod.Withdrawn, &nod.Withdrawal{Reason: nod.WithdrawnEnded}
		}),
	} {
		if n := v.Settled("k", []*nod.Request{r}); n.Title != want || !n.Silent || len(n.Buttons) != 0 {
			t.Errorf("%+v, want %q", n, want)
		}
	}
	if n := v.Settled("k", nil); n.Title != "Already settled" {
		t.Errorf("forgotten: %q", n.Title)
	}
}

func TestNewsOfAnAgent(t *testing.T) {
	r := Reporter{DoneAfter: 30 * time.Second}
	r.Start([]*nod.Agent{{ID: "a", State: nod.AgentIdle}})
	seq := nod.Seq(0)
	var told []string
	at := func(after time.Duration, state nod.AgentState, change ...func(*nod.Agent)) {
		seq++
		a := &nod.Agent{ID: "a", Name: "garden", State: state, Prompt: "Water the tomatoes"}
		for _, f := range change {
			f(a)
		}
		if n, ok := r.Take(&nod.Event{Kind: nod.AgentChanged, Seq: seq, At: noon.Add(after), Agent: a}); ok {
			told = append(told, string(n.Kind)+": "+n.Line)
		}
	}
	says := func(role nod.Role, text string) {
		r.Take(&nod.Event{Kind: nod.TurnTaken, Turn: &nod.Turn{Agent: "a", Role: role, Text: text}})
	}
	at(0, nod.AgentWorking)
	says(nod.TurnAgent, "quick")
	at(29*time.Second, nod.AgentIdle) // too short to be news
	at(time.Minute, nod.AgentWorking)
	at(80*time.Second, nod.AgentWaiting) // waiting for an answer is part of the work
	at(85*time.Second, nod.AgentWorking)
	says(nod.TurnTool, "Bash: make")
	says(nod.TurnAgent, "\n## All *green*\nmore")
	at(90*time.Second, nod.AgentIdle)
	at(100*time.Second, nod.AgentWorking)
	at(200*time.Second, nod.AgentIdle) // it said nothing
	at(210*time.Second, nod.AgentError, func(a *nod.Agent) { a.Problem = "API error 529" })
	at(220*time.Second, nod.AgentWorking)
	at(230*time.Second, nod.AgentLimited, func(a *nod.Agent) { a.Problem = "limit" })
	at(240*time.Second, nod.AgentWorking)
	at(250*time.Second, nod.AgentEnded)
	want := []string{"done: All *green*", "done: Water the tomatoes", "failed: API error 529", "limited: limit", "resumed: "}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}
}

func TestUsageLimitEndsAtItsReset(t *testing.T) {
	until := noon.Add(time.Hour)
	n := News{Kind: Limited, Line: "limit", At: noon, Until: &until, Seq: 9, Agent: nod.AgentRef{Name: "garden"}}
	if k := n.AsOf(noon).Kind; k != Limited {
		t.Error(k)
	}
	over := n.AsOf(until)
	if over.Kind != Resumed || !over.Fresh(until.Add(59*time.Minute)) || over.Fresh(until.Add(61*time.Minute)) {
		t.Errorf("%+v", over)
	}
	v := speak(words.English, Short)
	if note := v.Note(Item{News: &n}); note.Title != "garden has reached its limit" || note.Body != "limit\nIt can go on in 1 h." {
		t.Errorf("%q %q", note.Title, note.Body)
	}
	if note := v.Note(Item{News: &over}); note.Title != "garden can go on: the limit is over" || note.Body != "" {
		t.Errorf("%q %q", note.Title, note.Body)
	}
}
