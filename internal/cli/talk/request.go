package talk

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// inquiry is a request that the person is being asked about.
type inquiry struct {
	request *nod.Request
	cancel  context.CancelFunc
}

// spoken is what they said.
type spoken struct {
	answer nod.Answer
	err    error
}

// raised asks the person if there is one, and otherwise says who could answer
// and how. The turn waits either way.
func (n *turn) raised(ctx context.Context, r *nod.Request) {
	if !n.person {
		n.screen.note(term.Asks, n.sayWaits(r))
		return
	}
	n.waiting = append(n.waiting, r)
	n.inquire(ctx)
}

func (n *turn) sayWaits(r *nod.Request) string {
	id := nod.OneLine(string(r.ID[:min(8, len(r.ID))]))
	how := n.Say(words.TalkYesNo, id)
	if r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation {
		how = n.Say(words.TalkAnswer, id)
	}
	return n.Say(words.TalkWaits, nod.OneLine(n.agent.Name), nod.OneLine(r.Title)) + "\n" + how
}

// inquire shows the next request and begins to listen for its answer. Only the
// keys are read beside the turn; everything else happens in it.
func (n *turn) inquire(ctx context.Context) {
	if n.asking != nil || len(n.waiting) == 0 {
		return
	}
	r := n.waiting[0]
	n.waiting = n.waiting[1:]
	asking, cancel := context.WithCancel(ctx)
	n.asking = &inquiry{r, cancel}
	n.screen.card(r)
	console.ReportShown(ctx, n.hub, []*nod.Request{r})
	go func() {
		a, err := n.conversation.answerTo(asking, r)
		n.inquired <- spoken{a, err}
	}()
}

// settledElsewhere ends a question that somebody else has answered.
func (n *turn) settledElsewhere(e *nod.Event) {
	at := slices.IndexFunc(n.waiting, func(r *nod.Request) bool { return r.ID == e.RequestID })
	if at >= 0 {
		n.waiting = slices.Delete(n.waiting, at, at+1)
		return
	}
	if n.asking == nil || n.asking.request.ID != e.RequestID || n.mine[e.RequestID] {
		return
	}
	r := *n.asking.request
	r.Status, r.Decision, r.Withdrawal = nod.Expired, e.Decision, e.Withdrawal
	if e.Decision != nil {
		r.Status = nod.Decided
	} else if e.Withdrawal != nil {
		r.Status = nod.Withdrawn
	}
	n.mine[e.RequestID] = true
	n.asking.cancel()
	if n.interrupts == 0 { // our own stop needs no second word
		n.screen.endLine()
		n.screen.note(term.Quiet, show.SettledText(n.Page(), &r))
	}
}

// replied sends what the person said, and goes on with what happened meanwhile.
func (n *turn) replied(ctx context.Context, got spoken) error {
	r := n.asking.request
	n.asking.cancel()
	n.asking = nil
	switch {
	case errors.Is(got.err, errInterrupted):
		if err := n.interrupt(ctx, nil); err != nil {
			return err
		}
	case errors.Is(got.err, io.EOF):
		n.person = false // nobody types here any more
		n.screen.note(term.Asks, n.sayWaits(r))
	case got.err == nil:
		n.decide(ctx, r, got.answer)
	}
	later := n.later
	n.later = nil
	for i, h := range later {
		if n.asking != nil { // one of them asked again
			n.later = append(n.later, later[i:]...)
			break
		}
		n.hear(ctx, h)
	}
	n.inquire(ctx)
	return nil
}

func (n *turn) decide(ctx context.Context, r *nod.Request, a nod.Answer) {
	n.mine[r.ID] = true
	if _, err := n.hub.Decide(ctx, r.ID, a); err != nil {
		text, _ := n.Explain(err)
		n.screen.note(term.Bad, text)
		if nod.CodeOf(err) == nod.Unprocessable {
			n.waiting = slices.Insert(n.waiting, 0, r)
		}
		return
	}
	t := term.Good
	if a.Verdict == nod.VerdictDeny {
		t = term.Bad
	}
	n.screen.note(t, show.DecidedText(n.Page(), r, a))
}

// answerTo reads lines until one is an answer.
func (t *conversation) answerTo(ctx context.Context, r *nod.Request) (nod.Answer, error) {
	if (r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation) && len(r.Questions) > 0 {
		return t.answers(ctx, r)
	}
	for {
		line, err := t.keys.line(ctx, promptSign, term.KeyGuard)
		if err != nil {
			return nod.Answer{}, err
		}
		if a, complaint := t.understood(r, strings.TrimSpace(line)); complaint == "" {
			return a, nil
		} else {
			t.screen.say(term.Asks, complaint)
		}
	}
}

// understood takes the keys of the live view, and their words. What a slip would
// do harm with needs the word.
func (t *conversation) understood(r *nod.Request, line string) (nod.Answer, string) {
	word, rest, _ := strings.Cut(line, " ")
	yes := nod.Answer{Verdict: nod.VerdictAllow}
	if r.Kind == nod.KindElicitation {
		yes.Verdict = nod.VerdictAnswer
	}
	switch {
	case rest == "" && (strings.EqualFold(word, "allow") || strings.EqualFold(word, t.Say(words.KeyAllow))):
		return yes, ""
	case line == "a" && answer.Risky(r):
		return nod.Answer{}, t.Say(words.TalkTypeWord, t.Risk(r.Risk.Level))
	case line == "a":
		return yes, ""
	case word == "d" || strings.EqualFold(word, "deny") || strings.EqualFold(word, t.Say(words.KeyDeny)):
		return nod.Answer{Verdict: nod.VerdictDeny, Message: strings.TrimSpace(rest)}, ""
	case line == "s" || strings.EqualFold(line, t.Say(words.KeyStop)):
		return nod.Answer{Verdict: nod.VerdictDeny, Stop: true}, ""
	}
	if modes := answer.Options(r, nod.OptionMode); r.Kind == nod.KindPlan {
		if i, err := strconv.Atoi(line); err == nil && i >= 1 && i <= len(modes) {
			return nod.Answer{Verdict: nod.VerdictAllow, Mode: modes[i-1].ID}, ""
		}
	}
	return nod.Answer{}, t.Say(words.TalkUnclear) + " " + strings.Join(requestKeys(t.Printer, r), " · ")
}

// requestKeys are the keys that would do something, in words.
func requestKeys(say words.Printer, r *nod.Request) []string {
	switch {
	case (r.Kind == nod.KindQuestion || r.Kind == nod.KindElicitation) && len(r.Questions) > 0:
		return []string{say.Say(words.TalkReply)}
	case answer.Risky(r):
		return []string{say.Say(words.TalkWordKeys)}
	case r.Kind == nod.KindPlan && len(answer.Options(r, nod.OptionMode)) > 0:
		return []string{say.Say(words.TalkKeys), say.Say(words.TalkModeKeys)}
	}
	return []string{say.Say(words.TalkKeys)}
}

// answers reads lines until every question has its answer.
func (t *conversation) answers(ctx context.Context, r *nod.Request) (nod.Answer, error) {
	answers := nod.Answers{}
	for i := 0; i < len(r.Questions); {
		prompt := promptSign
		if len(r.Questions) > 1 {
			prompt = strconv.Itoa(i+1) + " " + prompt
		}
		line, err := t.keys.line(ctx, prompt, term.KeyGuard)
		if err != nil {
			return nod.Answer{}, err
		}
		line = strings.TrimSpace(line)
		if line == "/deny" || strings.HasPrefix(line, "/deny ") {
			return nod.Answer{Verdict: nod.VerdictDeny, Message: strings.TrimSpace(line[len("/deny"):])}, nil
		}
		q := r.Questions[i]
		fit, err := q.Fit(nod.Reply{Text: line})
		if err != nil {
			t.screen.say(term.Asks, t.Say(words.TalkUnclear)+" "+t.Say(words.TalkReply))
			continue
		}
		answers[q.Key()] = fit
		i++
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}
