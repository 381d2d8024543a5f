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

// pendingAnswer is a request that waits for the person at this terminal.
type pendingAnswer struct {
	request *nod.Request
	cancel  context.CancelFunc
}

// personReply is what they typed.
type personReply struct {
	answer nod.Answer
	err    error
}

// requestRaised asks the person at this terminal. In a pipe it prints how to answer
// elsewhere. The turn waits either way.
func (n *turn) requestRaised(ctx context.Context, r *nod.Request) {
	if !n.interactive {
		n.screen.note(term.Asks, n.howToAnswer(r))
		return
	}
	n.queue = append(n.queue, r)
	n.askNext(ctx)
}

func (n *turn) howToAnswer(r *nod.Request) string {
	id := nod.OneLine(string(r.ID[:min(8, len(r.ID))]))
	how := n.Say(words.TalkYesNo, id)
	if answer.IsQuestion(r) {
		how = n.Say(words.TalkAnswer, id)
	}
	return n.Say(words.TalkWaits, nod.OneLine(n.agent.Name), nod.OneLine(r.Title)) + "\n" + how
}

// askNext shows the next request and reads its answer. Only the reading happens
// in another goroutine.
func (n *turn) askNext(ctx context.Context) {
	if n.pending != nil || len(n.queue) == 0 {
		return
	}
	r := n.queue[0]
	n.queue = n.queue[1:]
	asking, cancel := context.WithCancel(ctx)
	n.pending = &pendingAnswer{r, cancel}
	n.screen.card(r)
	console.ReportShown(ctx, n.hub, []*nod.Request{r})
	go func() {
		a, err := n.conversation.answerTo(asking, r)
		n.replies <- personReply{a, err}
	}()
}

// settledElsewhere cancels a question that was answered elsewhere.
func (n *turn) settledElsewhere(e *nod.Event) {
	at := slices.IndexFunc(n.queue, func(r *nod.Request) bool { return r.ID == e.RequestID })
	if at >= 0 {
		n.queue = slices.Delete(n.queue, at, at+1)
		return
	}
	if n.pending == nil || n.pending.request.ID != e.RequestID || n.answered[e.RequestID] {
		return
	}
	r := *n.pending.request
	r.Status, r.Decision, r.Withdrawal = nod.Expired, e.Decision, e.Withdrawal
	if e.Decision != nil {
		r.Status = nod.Decided
	} else if e.Withdrawal != nil {
		r.Status = nod.Withdrawn
	}
	n.answered[e.RequestID] = true
	n.pending.cancel()
	if n.interrupts == 0 { // our own stop was announced already
		n.screen.endLine()
		n.screen.note(term.Quiet, show.SettledText(n.Page(), &r))
	}
}

// handleReply sends the answer and handles what happened meanwhile.
func (n *turn) handleReply(ctx context.Context, got personReply) error {
	r := n.pending.request
	n.pending.cancel()
	n.pending = nil
	switch {
	case errors.Is(got.err, errInterrupted):
		if err := n.interrupt(ctx, nil); err != nil {
			return err
		}
	case errors.Is(got.err, io.EOF):
		n.interactive = false // stdin has ended
		n.screen.note(term.Asks, n.howToAnswer(r))
	case got.err == nil:
		n.decide(ctx, r, got.answer)
	}
	later := n.postponed
	n.postponed = nil
	for i, h := range later {
		if n.pending != nil { // one of them was another request
			n.postponed = append(n.postponed, later[i:]...)
			break
		}
		n.handle(ctx, h)
	}
	n.askNext(ctx)
	return nil
}

func (n *turn) decide(ctx context.Context, r *nod.Request, a nod.Answer) {
	n.answered[r.ID] = true
	if _, err := n.hub.Decide(ctx, r.ID, a); err != nil {
		n.noteError(err)
		if nod.CodeOf(err) == nod.Unprocessable {
			n.queue = slices.Insert(n.queue, 0, r)
		}
		return
	}
	t := term.Good
	if a.Verdict == nod.VerdictDeny {
		t = term.Bad
	}
	n.screen.note(t, show.DecidedText(n.Page(), r, a))
}

// answerTo reads lines until one of them is an answer.
func (t *conversation) answerTo(ctx context.Context, r *nod.Request) (nod.Answer, error) {
	if answer.IsQuestion(r) && len(r.Questions) > 0 {
		return t.answers(ctx, r)
	}
	for {
		line, err := t.lines.line(ctx, promptSign, term.KeyGuard)
		if err != nil {
			return nod.Answer{}, err
		}
		if a, complaint := t.parseAnswer(r, strings.TrimSpace(line)); complaint == "" {
			return a, nil
		} else {
			t.screen.note(term.Asks, complaint)
		}
	}
}

// parseAnswer understands the keys of the live view and their words. A risky
// request needs the word: a slip of one key must not allow it.
func (t *conversation) parseAnswer(r *nod.Request, line string) (nod.Answer, string) {
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

// requestKeys explains the keys that answer this request.
func requestKeys(say words.Printer, r *nod.Request) []string {
	switch {
	case answer.IsQuestion(r) && len(r.Questions) > 0:
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
		line, err := t.lines.line(ctx, prompt, term.KeyGuard)
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
			t.screen.note(term.Asks, t.Say(words.TalkUnclear)+" "+t.Say(words.TalkReply))
			continue
		}
		answers[q.Key()] = fit
		i++
	}
	return nod.Answer{Verdict: nod.VerdictAnswer, Answers: answers}, nil
}
