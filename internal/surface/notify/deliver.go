package notify

import (
	"context"
	"net/url"
	"strings"
	"time"

	"nod"
	"nod/internal/net/notify"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

const (
	sendTime  = 15 * time.Second // to send one notification
	drainTime = time.Second      // how long a notification on its way may still take when nod ends
)

// attend does the jobs of one channel, one after the other.
func (s *Surface) attend(ctx context.Context, t *target) {
	for ctx.Err() == nil {
		todo, wait, ok := s.channels.next(t, s.Now())
		if !ok {
			t.rest(ctx, wait)
			continue
		}
		sending, end := outlive(ctx)
		if todo.item != nil {
			s.show(sending, t, todo)
		} else {
			s.settle(sending, t, todo)
		}
		end()
	}
}

// outlive is a context that ends a moment after ctx does, and in any case after
// sendTime.
func outlive(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
	stop := context.AfterFunc(ctx, func() {
		pause.For(longer, drainTime)
		cancel()
	})
	return longer, func() { stop(); cancel() }
}

func (s *Surface) show(ctx context.Context, t *target, todo job) {
	note := s.voice(t).Note(*todo.item)
	note.Silent = todo.silent
	if len(todo.item.Requests) == 1 && todo.key != notify.AllKey {
		note.Buttons = s.buttons(t, todo.item.Requests[0])
	}
	handle, err := t.Sender.Show(ctx, note, todo.old.Handle)
	if err != nil {
		s.failed(t, todo, err)
		return
	}
	now := shown{Version: todo.item.Version, Handle: handle, Kind: note.Kind, Trouble: todo.item.Trouble, At: s.Now()}
	for _, r := range todo.item.Requests {
		now.Requests = append(now.Requests, r.ID)
	}
	s.delivered(t, func() { t.shown[todo.key] = now })
	for _, r := range todo.item.Requests {
		s.receipt(ctx, t, r.ID)
	}
}

func (s *Surface) settle(ctx context.Context, t *target, todo job) {
	err := t.Sender.Settle(ctx, todo.old.Handle, s.ending(t, todo))
	if err != nil {
		s.failed(t, todo, err)
		return
	}
	s.delivered(t, func() { delete(t.shown, todo.key) })
}

// ending is what a notification is replaced by.
func (s *Surface) ending(t *target, todo job) notify.Note {
	v := s.voice(t)
	if todo.old.Trouble != "" {
		return v.Works(todo.key, todo.old.Trouble)
	}
	var over []*nod.Request
	for _, id := range todo.old.Requests {
		if r := s.request(id); r != nil {
			over = append(over, r)
		}
	}
	n := v.Settled(todo.key, over)
	if len(over) > 0 && !over[0].Settled() { // it is still pending, in a notification for many
		waiting, _ := s.channels.pending.Now()
		n.Title, n.Body = v.Say.Count(words.WaitForYou, len(waiting)), ""
	}
	return n
}

// buttons answer a request from the notification itself, if that is safe enough and the
// channel can report a press.
func (s *Surface) buttons(t *target, r *nod.Request) []notify.Button {
	if !t.Answer {
		return nil
	}
	_, chat := t.Sender.(notify.Listener)
	public := s.public()
	if !chat && public == "" {
		return nil
	}
	v := s.voice(t)
	var list []notify.Button
	for _, verdict := range v.Answers(r) {
		b := v.Button(verdict)
		code := s.sent.tickets.Issue(notify.Ticket{Request: r.ID, Verdict: verdict, Channel: t.Name, Chat: chat})
		if chat {
			b.Code = code
		} else {
			b.URL = public + linkPath + code
		}
		list = append(list, b)
	}
	if len(list) > 0 {
		s.sent.save() // before it is sent: a link must work after a restart
	}
	return list
}

func (s *Surface) voice(t *target) notify.Voice {
	v := notify.Voice{Say: printer(t.person.Lang), Content: t.Content, Proof: s.Hub.ProofLevels(), Now: s.Now()}
	if public := s.public(); public != "" {
		v.Link = func(id nod.RequestID) string {
			if id == "" {
				return public + "/"
			}
			return public + "/?request=" + url.QueryEscape(string(id))
		}
	}
	return v
}

// public is the address of the hub as phones call it; empty: notifications have no
// links.
func (s *Surface) public() string {
	address := s.Public
	if address == "" && s.Address != nil {
		address = s.Address()
	}
	return strings.TrimRight(address, "/")
}

// receipt records that a person who may answer was notified; the agent's driver waits
// longer for them.
func (s *Surface) receipt(ctx context.Context, t *target, id nod.RequestID) {
	err := s.Hub.Desk(s.actor(t)).Told(context.WithoutCancel(ctx), id)
	if err != nil && nod.CodeOf(err) != nod.NotFound {
		s.Log.Warn("a note was not noted", "channel", t.Name, "request", id, "err", err)
	}
}

// actor is the person behind a channel.
func (s *Surface) actor(t *target) nod.Actor {
	return nod.Actor{
		Kind: nod.ActorDevice, Name: t.person.Name, Via: t.Kind, ID: "notify:" + t.Name,
		Rights: nod.RightsOf(nod.View, nod.Answering),
	}
}

// delivered records that something arrived, and what changed by it.
func (s *Surface) delivered(t *target, change func()) {
	recovered := s.channels.delivered(t, change)
	s.sent.save()
	if recovered {
		s.Log.Info("a channel works again", "channel", t.Name, "kind", t.Kind)
		s.channels.wake()
	}
}

// failed records that something did not arrive.
func (s *Surface) failed(t *target, todo job, err error) {
	f := notify.FailureOf(err)
	died := s.channels.failed(t, todo, f, s.Now())
	s.Log.Info("a note did not arrive", "channel", t.Name, "kind", t.Kind, "outcome", f.Outcome.String(), "status", f.Status, "said", nod.OneLine(f.Detail))
	if died {
		s.Log.Warn("a channel does not work; the others are told", "channel", t.Name, "kind", t.Kind)
		s.channels.wake()
	}
}

func printer(lang string) words.Printer {
	return words.For(func(string) string { return lang })
}
