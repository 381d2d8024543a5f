package attend

import (
	"context"
	"nod"
	"nod/internal/present/puck"
	"nod/internal/present/words"
)

// consider checks the pending requests: whether the displayed one still is, and whether there is one to show.
func (p *Puck) consider() []task {
	p.mu.Lock()
	defer p.mu.Unlock()
	if asking(p.m).Kind == AskNothing {
		return p.next()
	}
	if id := p.m.Request; !p.queue.pending(nod.RequestID(id)) {
		return p.step(puck.Input{Event: puck.Withdrawn, Request: id}) // and then the next
	}
	return nil
}

// next shows the oldest pending request when there is room. The light of the previous one is seen first.
func (p *Puck) next() []task {
	at := p.m.At()
	if p.over || p.clocks[puck.FlashTimer] != nil || at != puck.Idle && at != puck.Thinking && at != puck.Executing {
		return nil
	}
	if in, found := p.queue.next(); found {
		return p.step(in)
	}
	return nil
}

// answer passes an answer to the hub, which checks rights and lets the first one win.
func (p *Puck) answer(a puck.Answer) task {
	r := p.queue.shown
	if string(r.ID) != a.Request {
		return func(context.Context) error { return nil } // impossible: only the displayed request is asked
	}
	if a.Reason == puck.ForTimeout && !p.Denies {
		p.queue.passed[r.ID] = true
		p.Log.Info("nobody answered at this puck; the request waits for another door", "puck", p.Name, "request", r.ID)
		return func(context.Context) error { return nil }
	}
	p.queue.passed[r.ID] = true // until the hub reports it settled
	said := nod.Answer{Verdict: nod.VerdictDeny}
	switch a.Type {
	case puck.Approved:
		said.Verdict = nod.VerdictAllow
	case puck.Chosen:
		q, _ := choice(&r)
		said = nod.Answer{Verdict: nod.VerdictAnswer, Answers: nod.Answers{q.Key(): {Picked: []string{q.Choices[a.Option-1].Label}}}}
	}
	return func(ctx context.Context) error {
		_, err := p.desk.Decide(ctx, r.ID, said)
		if err != nil {
			p.refused(r.ID, err)
		}
		return err
	}
}

// refused says why an answer did not count.
func (p *Puck) refused(id nod.RequestID, err error) {
	text, event := words.PuckTrouble, puck.Failure
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		text, event = words.PuckElsewhere, puck.Response
	case nod.ProofNeeded:
		text = words.BrainProof
	case nod.Forbidden:
		text = words.PuckRefused
	}
	p.Log.Warn("an answer at a voice puck did not count", "puck", p.Name, "request", id, "err", err)
	p.feed(puck.Input{Event: event, Text: p.say.Say(text), Detail: p.say.Say(text)})
}
