package notify

import (
	"context"
	"slices"

	"nod"
	"nod/internal/net/notify"
	"nod/internal/present/words"
)

// outcome is the result of using a code.
type outcome struct {
	request *nod.Request // as it is now; nil: unknown
	verdict nod.Verdict
	err     error
}

// answer uses a code. chat is the channel whose own chat it was pressed in; empty: it
// came as a link.
func (s *Surface) answer(ctx context.Context, code, chat string) (o outcome, t *target) {
	s.sent.ticket(ctx, code)
	ticket, ok := s.sent.tickets.Take(code)
	if !ok {
		return outcome{err: dead()}, nil
	}
	t = s.channels.find(ticket.Channel)
	if t == nil || ticket.Chat != (chat != "") || chat != "" && chat != ticket.Channel {
		s.sent.tickets.Return(ticket) // used in the wrong place: its owner can still use it
		return outcome{err: dead()}, nil
	}
	o.verdict = ticket.Verdict
	if o.request = s.request(ticket.Request); o.request == nil || o.request.Settled() {
		o.err = dead()
		return o, t
	}
	// The configuration may have become stricter since the note was sent.
	if !t.Answer || !slices.Contains(s.voice(t).Answers(o.request), ticket.Verdict) {
		o.err = nod.Errorf(nod.Forbidden, "%s", printer(t.person.Lang).Say(words.LinkOpen))
		return o, t
	}
	settled, err := s.Hub.Desk(s.actor(t)).Decide(ctx, ticket.Request, nod.Answer{Verdict: ticket.Verdict})
	switch code := nod.CodeOf(err); {
	case err == nil:
		o.request = settled
		s.sent.tickets.Keep(func(id nod.RequestID) bool { return id != ticket.Request })
	case code == nod.Conflict:
		if winner := nod.WinnerOf(err); winner != nil {
			o.request = winner
		}
	case code == nod.Unavailable || code == nod.Internal:
		s.sent.tickets.Return(ticket) // nothing was decided; the same press may work in a moment
	}
	o.err = err
	return o, t
}

func dead() error {
	return nod.Errorf(nod.Gone, "%s", words.In(words.English).Say(words.LinkDead))
}

// look is what a code would answer, without using it.
func (s *Surface) look(ctx context.Context, code string) (o outcome, t *target) {
	ticket, ok := s.sent.ticket(ctx, code)
	if !ok || ticket.Chat {
		return outcome{err: dead()}, nil
	}
	if t = s.channels.find(ticket.Channel); t == nil {
		return outcome{err: dead()}, nil
	}
	o = outcome{request: s.request(ticket.Request), verdict: ticket.Verdict}
	if o.request == nil || o.request.Settled() {
		o.err = dead()
	}
	return o, t
}

// chat answers presses in the chat of a channel, in a few words.
func (s *Surface) chat(t *target) func(context.Context, string) string {
	return func(ctx context.Context, code string) string {
		o, _ := s.answer(ctx, code, t.Name)
		if o.err != nil {
			s.Log.Info("a press came to nothing", "channel", t.Name, "err", o.err)
		}
		return o.say(s.voice(t))
	}
}

// say is the result on one line.
func (o outcome) say(v notify.Voice) string {
	switch nod.CodeOf(o.err) {
	case nod.Unavailable, nod.Internal:
		if o.err != nil {
			return v.Say.Say(words.LinkNotNowWhy)
		}
	case nod.Forbidden, nod.ProofNeeded, nod.Unprocessable:
		return v.Say.Say(words.LinkOpen)
	}
	switch {
	case o.err == nil && o.verdict == nod.VerdictAllow:
		return v.Say.Say(words.LinkAllowed)
	case o.err == nil:
		return v.Say.Say(words.LinkDenied)
	case o.request != nil && o.request.Settled():
		return v.Ending(o.request)
	}
	return v.Say.Say(words.LinkDead)
}
