package puck

import (
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"nod"
	"nod/internal/hub/hubtest"
	"nod/internal/net/httpd"
	"nod/internal/present/puck"
	"nod/internal/talk/scripted"
)

func TestDialAndButtonAllow(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true})
	w := p.until("a welcome", func(n *Note) bool { return n.Welcome != nil }).Welcome
	if w.Version != Version || w.HoldMS != 1000 || w.TapMS != 400 || w.Voice || !slices.Equal(w.Rights, []string{"view", "answer"}) {
		t.Errorf("welcome is %+v", w)
	}
	p.shows(puck.Idle, puck.Off, "")
	id := g.raise("r1", "kubectl get nodes")
	n := p.shows(puck.Waiting, puck.Solid, puck.Orange)
	if n.Request != "r1" || len(n.Ring) != puck.LEDs || n.Ring[0] != "#ffa500" || n.Dark != nil || n.Does[puck.DialCW] != OfferAllow || n.Does[puck.Button] != Nothing {
		t.Errorf("it shows %+v", n)
	}
	if s := p.says("Run kubectl get nodes?"); s.Ask != "yes_no" || s.Request != "r1" {
		t.Errorf("it asks %+v", s)
	}
	p.about(puck.Button, "r1") // without a choice
	p.beeps()
	p.about(puck.DialCW, "r1")
	if n = p.shows(puck.PreviewApprove, puck.Solid, puck.LightGreen); n.Does[puck.Button] != Allow || n.Does[puck.DialCCW] != Back {
		t.Errorf("a preview does %v", n.Does)
	}
	if g.Request(id).Settled() {
		t.Fatal("a turn was enough")
	}
	p.about(puck.Button, "r1")
	p.shows(puck.Executing, puck.Solid, puck.Green)
	r := g.settled(id)
	if r.Decision.Verdict != nod.VerdictAllow || r.Decision.By != "kitchen" || r.Decision.Via != via {
		t.Errorf("it was decided %+v", r.Decision)
	}
	p.shows(puck.Executing, puck.Solid, puck.Blue)
	if !slices.ContainsFunc(g.Request(id).Receipts, func(r nod.Receipt) bool { return r.Step == nod.StepShown && r.By == "kitchen" }) {
		t.Errorf("no receipt says that it was asked: %+v", g.Request(id).Receipts)
	}
}

func TestDeny(t *testing.T) {
	for name, act := range map[string]func(*page){
		"dial": func(p *page) {
			p.does(puck.DialCCW)
			p.shows(puck.PreviewReject, puck.Solid, puck.LightRed)
			p.does(puck.DialCCW)
		},
		"voice":      func(p *page) { p.send(PageEvent{Say: " No. "}) },
		"long press": func(p *page) { p.does(puck.LongPress) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, setup{})
			p := g.page(Hello{Token: g.token(answers), Taught: true})
			id := g.raise("r1", "make")
			p.shows(puck.Waiting, puck.Solid, puck.Orange)
			act(p)
			p.says("Cancelled.")
			p.shows(puck.Idle, puck.Solid, puck.Red)
			if r := g.settled(id); r.Decision.Verdict != nod.VerdictDeny {
				t.Errorf("it was decided %+v", r.Decision)
			}
			p.shows(puck.Idle, puck.Off, "")
		})
	}
}

func TestAllowByVoice(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true, Language: "pl-PL"})
	id := g.raise("r1", "make")
	p.says("Uruchomić make?")
	p.send(PageEvent{Say: "może"}) // neither
	p.beeps()
	if g.Request(id).Settled() {
		t.Fatal("what was not understood was taken for an answer")
	}
	p.send(PageEvent{Say: "tak"})
	if r := g.settled(id); r.Decision.Verdict != nod.VerdictAllow {
		t.Errorf("it was decided %+v", r.Decision)
	}
}

func TestDangerousRequestCannotBeAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		request func(*nod.Request)
		proof   []string
	}{
		"not with one tap": {request: func(r *nod.Request) { r.OneTap, r.Risk = false, &nod.Risk{Level: "destructive"} }},
		"with a passkey":   {request: func(r *nod.Request) { r.Risk = &nod.Risk{Level: "network"} }, proof: []string{"network"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, setup{proof: c.proof})
			p := g.page(Hello{Token: g.token(answers), Taught: true})
			id := g.raise("r1", "make publish", c.request)
			if n := p.shows(puck.Waiting, puck.Solid, puck.Orange); n.Does[puck.DialCW] != OnScreen || n.Does[puck.LongPress] != Refuse {
				t.Errorf("it does %v", n.Does)
			}
			p.says("It wants to run make publish. Allow it on a screen, or say no.")
			for _, try := range []PageEvent{{Say: "yes"}, {Input: puck.VoiceYes}, {Input: puck.DialCW}} {
				p.send(try)
				p.says("That can only be allowed on a screen.")
			}
			p.does(puck.Button)
			p.beeps()
			if g.Request(id).Settled() {
				t.Fatalf("it was decided %+v", g.Request(id).Decision)
			}
			p.send(PageEvent{Say: "no"})
			if r := g.settled(id); r.Decision.Verdict != nod.VerdictDeny {
				t.Errorf("it was decided %+v", r.Decision)
			}
		})
	}
}

func TestViewRightCannotAnswer(t *testing.T) {
	for name, act := range map[string][]PageEvent{
		"yes":        {{Say: "yes"}},
		"no":         {{Say: "no"}},
		"dial":       {{Input: puck.DialCW}, {Input: puck.Button}},
		"long press": {{Input: puck.LongPress}},
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t, setup{})
			p := g.page(Hello{Token: g.token(nod.RightsOf(nod.View)), Taught: true})
			id := g.raise("r1", "make")
			p.shows(puck.Waiting, puck.Solid, puck.Orange)
			for _, w := range act {
				p.send(w)
			}
			p.says("This device may not answer. Answer on a screen.")
			if r := g.Request(id); r.Settled() {
				t.Errorf("it was decided %+v", r.Decision)
			}
		})
	}
	t.Run("nor asks an assistant", func(t *testing.T) {
		g := newRig(t, setup{script: func(turn *scripted.Turn) { t.Errorf("it was asked %q", turn.Message.Text) }})
		p := g.page(Hello{Token: g.token(nod.RightsOf(nod.View))})
		p.send(PageEvent{Say: "what is the weather"})
		p.says("This device may not answer. Answer on a screen.")
	})
}

func TestInputForAnotherRequestBeeps(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true})
	id := g.raise("r2", "make")
	p.shows(puck.Waiting, puck.Solid, puck.Orange)
	other, nothing := "r1", ""
	for _, w := range []PageEvent{
		{Input: puck.LongPress, Request: &other}, {Input: puck.VoiceYes, Request: &other}, {Say: "yes", Request: &other},
		{Input: puck.LongPress, Request: &nothing}, {Say: "yes", Request: &nothing},
	} {
		p.send(w)
		p.beeps()
	}
	if r := g.Request(id); r.Settled() {
		t.Fatalf("it was decided %+v", r.Decision)
	}
	p.about(puck.VoiceYes, "r2")
	g.settled(id)
}

func TestAnsweredElsewhere(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true})
	id := g.raise("r1", "make")
	p.shows(puck.Waiting, puck.Solid, puck.Orange)
	g.Decide(id, nod.VerdictDeny)
	p.says("Done elsewhere.")
	p.shows(puck.Idle, puck.Off, "")
}

func TestChoose(t *testing.T) {
	ask := func(r *nod.Request) {
		r.Kind, r.Tool, r.Input = nod.KindQuestion, "AskUserQuestion", nil
		r.Questions = []nod.Question{{Text: "Which database?", Choices: []nod.Choice{{Label: "SQLite"}, {Label: "Postgres"}, {Label: "MySQL"}}}}
	}
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true})
	first := g.raise("r1", "Which database?", ask)
	n := p.shows(puck.MultipleChoice, puck.Segments, "")
	if !slices.Equal(n.Options, []string{"SQLite", "Postgres", "MySQL"}) || n.Selected != 1 || n.Colors[0] != n.Ring[0] || n.Does[puck.DialCW] != Next ||
		n.Does[puck.DialCCW] != Previous || n.Does[puck.Tap3] != Choose || n.Does[puck.Tap4] != Nothing || n.Does[puck.LongPress] != Cancel {
		t.Errorf("it shows %+v", n)
	}
	p.does(puck.DialCCW)
	p.says("MySQL.")
	p.does(puck.Button)
	if n := p.shows(puck.Executing, puck.Blink, ""); n.Dark == nil {
		t.Errorf("it does not blink: %+v", n)
	}
	picked := func(r *nod.Request) string { return strings.Join(r.Decision.Answers[r.Questions[0].Key()].Picked, ",") }
	if got := picked(g.settled(first)); got != "MySQL" {
		t.Errorf("it chose %q", got)
	}
	second := g.raise("r2", "Which database?", ask)
	p.until("the second question", func(n *Note) bool { return n.State == puck.MultipleChoice && n.Request == "r2" })
	p.does(puck.Tap2)
	if got := picked(g.settled(second)); got != "Postgres" {
		t.Errorf("it chose %q", got)
	}
}

func TestAskAssistant(t *testing.T) {
	g := newRig(t, setup{script: func(turn *scripted.Turn) { turn.Reply("Four.") }})
	p := g.page(Hello{Token: g.token(answers)})
	p.send(PageEvent{Say: "what is two plus two"})
	p.shows(puck.Thinking, puck.Solid, puck.Blue)
	p.says("Asking Claude.")
	p.says("Four.")
	n := p.shows(puck.Idle, puck.Drain, puck.White)
	if n.Does[puck.DialCW] != GoOn || n.Does[puck.LongPress] != Close {
		t.Errorf("it does %v", n.Does)
	}
}

func TestWithoutAssistant(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers)})
	p.send(PageEvent{Say: "what is two plus two"})
	p.says("No assistant is set up for this device.")
	n := p.shows(puck.Error, puck.Blink, puck.Red)
	if n.Dark == nil || n.Does[puck.Button] != Dismiss {
		t.Errorf("it shows %+v", n)
	}
	p.does(puck.Button)
	p.shows(puck.Idle, puck.Off, "")
}

// Speech waits for a page that reports when it has spoken; an input cuts it short.
func TestSpeechWaitsForPage(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Speaks: true})
	id := g.raise("r1", "make")
	p.shows(puck.Waiting, puck.Solid, puck.Orange)
	p.says("Turn right to allow, left to refuse, then press. Or say yes or no.")
	p.until("that it was taught", func(n *Note) bool { return n.Taught })
	p.does(puck.Button)
	p.beeps() // after this nothing more was said, because the first was not spoken yet
	if strings.Contains(p.told(), "Run make?") {
		t.Error("it spoke over itself")
	}
	p.send(PageEvent{Spoken: p.said})
	asked := p.says("Run make?")
	p.does(puck.DialCW)
	p.until("a hush", func(n *Note) bool { return n.Hush == asked.Number })
	p.does(puck.Button)
	g.settled(id)
}

func TestAuthentication(t *testing.T) {
	g := newRig(t, setup{})
	for name, c := range map[string]struct {
		hello Hello
		want  websocket.StatusCode
	}{
		"nobody":       {Hello{}, httpd.StatusUnauthorized},
		"a stranger":   {Hello{Token: "nod_nonsense"}, httpd.StatusUnauthorized},
		"half a token": {Hello{Key: "abc"}, httpd.StatusUnauthorized},
		"an agent":     {Hello{Token: g.token(nod.RightsOf(nod.Raise))}, httpd.StatusForbidden},
	} {
		p := g.page(c.hello)
		n := p.until("an error", func(n *Note) bool { return n.Error != nil })
		if got := p.ends(); got != c.want || n.Error.Message == "" {
			t.Errorf("%s ends with %v (%s), want %v", name, got, n.Error.Message, c.want)
		}
	}
}

func TestRevokedTokenClosesPage(t *testing.T) {
	g := newRig(t, setup{})
	secret, token, err := g.web.Credentials.Create(t.Context(), nod.Actor{Kind: nod.ActorPerson, Name: "anna", Via: "web", Rights: hubtest.All}, "kitchen", answers, "")
	if err != nil {
		t.Fatal(err)
	}
	p := g.page(Hello{Token: secret.Reveal()})
	p.shows(puck.Idle, puck.Off, "")
	if err := g.web.Credentials.Revoke(t.Context(), token.ID); err != nil {
		t.Fatal(err)
	}
	if got := p.ends(); got != httpd.StatusUnauthorized {
		t.Errorf("it ends with %v", got)
	}
}

func TestInvalidEventsAreReported(t *testing.T) {
	g := newRig(t, setup{})
	p := g.page(Hello{Token: g.token(answers), Taught: true})
	for _, nonsense := range []any{[]int{1}, "yes", map[string]any{"input": "timeout"}, map[string]any{"input": "approval", "request": "r9"}, map[string]any{"option": "x"}} {
		p.send(nonsense)
		if e := p.until("an error", func(n *Note) bool { return n.Error != nil }).Error; e.Code != nod.Invalid {
			t.Errorf("%v is %+v", nonsense, e)
		}
	}
	id := g.raise("r1", "make") // it still works
	p.says("Run make?")
	p.does(puck.VoiceYes)
	g.settled(id)
}

func TestPuckLimit(t *testing.T) {
	g := newRig(t, setup{most: 1})
	p := g.page(Hello{Token: g.token(answers)})
	p.shows(puck.Idle, puck.Off, "")
	if _, _, err := websocket.Dial(t.Context(), g.url, nil); err == nil {
		t.Error("there was a second seat")
	}
}

// A page learns of a state with its light, so every change of state needs one.
func TestEveryStateChangeHasALight(t *testing.T) {
	for _, row := range puck.Table() {
		lit := slices.ContainsFunc(row.Do, func(d puck.Do) bool { return d.Light != "" })
		moves := row.From != row.To || slices.ContainsFunc(row.Do, func(d puck.Do) bool { return d.Set == puck.SetNext || d.Set == puck.SetPrevious })
		if moves && !lit {
			t.Errorf("%s on %s goes to %s in the dark", row.From, row.On, row.To)
		}
	}
}

// The hints are right in every state that gestures can reach.
func TestHintsMatchTable(t *testing.T) {
	asks := []puck.Input{
		{Event: puck.Approval, Request: "r", Command: "make"}, {Event: puck.Approval, Request: "r", Command: "make", Index: 1, Total: 3},
		{Event: puck.Approval, Request: "r", Command: "make", OnScreen: true}, {Event: puck.Choice, Request: "r", Options: []string{"a", "b"}},
	}
	var seen []Follows
	for _, ask := range asks {
		first, _ := puck.Step(puck.Memory{}, ask)
		todo, known := []puck.Memory{first}, map[puck.Memory]bool{first: true}
		for len(todo) > 0 {
			m := todo[0]
			todo = todo[1:]
			for e, f := range does(m) {
				seen = append(seen, f)
				after, effects := puck.Step(m, puck.Input{Event: e, Request: "r"})
				said, _ := answered(effects)
				if (f == Allow) != (said == puck.Approved) || (f == Choose) != (said == puck.Chosen) {
					t.Errorf("%s on %s is called %s and answers %q", m.State, e, f, said)
				}
				if f == Nothing && after.At() != m.At() {
					t.Errorf("%s on %s goes to %s and is called nothing", m.State, e, after.State)
				}
				if !known[after] {
					known[after] = true
					todo = append(todo, after)
				}
			}
		}
	}
	for _, f := range []Follows{OfferAllow, OfferRefuse, Allow, Refuse, RefuseAll, OnScreen, Back, Next, Previous, Choose, Cancel, Stop, Nothing} {
		if !slices.Contains(seen, f) {
			t.Errorf("nothing is ever %s", f)
		}
	}
}
