package voicebridge

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// filter selects the events that a listener wants.
type filter struct {
	types          []string
	agent, project string
}

func (f *filter) takes(x *frame) bool {
	if len(f.types) > 0 && !slices.Contains(f.types, x.event) {
		return false
	}
	if f.agent != "" && (x.about == nil || string(x.about.ID) != f.agent && strconv.Itoa(x.number) != f.agent) {
		return false
	}
	return f.project == "" || x.about != nil && isProject(f.project, x.about.Name, x.about.Host, x.about.Cwd)
}

// listener is one open stream.
type listener struct {
	filter
	speaker
	desk   hub.Desk
	number func(nod.AgentID) int
	out    *httpd.Stream
	after  nod.Seq
	silent int // facts since the client was last told where it stands
}

// stream follows the log in the events of this wire. The sequence number is sent after
// all events of a fact, so a client that reconnects gets the whole fact again rather
// than a part of it.
func (s *Surface) stream(w http.ResponseWriter, r *http.Request) error {
	desk := s.Hub.Desk(httpd.ActorOf(r.Context()))
	snap, err := desk.Snapshot(r.Context())
	if err != nil {
		return err
	}
	l := &listener{desk: desk, number: s.number, after: snap.Seq}
	if err := l.parse(r); err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		return nil
	}
	out, ctx := httpd.NewStream(w, r)
	defer out.Close()
	l.out = out
	if out.Start(l.after) != nil {
		return nil
	}
	for err = l.follow(ctx, snap); nod.CodeOf(err) == nod.Gone && err != nil; err = l.follow(ctx, snap) {
		// The events that were asked for are gone: say so, and continue from now.
		if snap, err = desk.Snapshot(ctx); err != nil {
			break
		}
		l.after = snap.Seq
		if l.gap() != nil {
			return nil
		}
	}
	return l.end(ctx, err)
}

// parse reads where the listener left off and what it wants.
func (l *listener) parse(r *http.Request) error {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nod.Errorf(nod.Invalid, "the part after the question mark cannot be read").Because(err)
	}
	for name := range values {
		if !slices.Contains([]string{"types", "agent_id", "project_id", "last_event_id", "language"}, name) {
			return nod.Errorf(nod.Invalid, "unknown parameter %q: known are types, agent_id, project_id, last_event_id, language", nod.Fold(nod.OneLine(name), 40))
		}
	}
	l.say = words.Accept(r.Header.Get("Accept-Language"))
	if wish := values.Get("language"); wish != "" {
		l.say = words.Accept(wish)
	}
	l.agent, l.project = values.Get("agent_id"), values.Get("project_id")
	if types := values.Get("types"); types != "" {
		l.types = strings.Split(types, ",")
	}
	last := values.Get("last_event_id")
	if header := r.Header.Get("Last-Event-ID"); header != "" { // a browser that reconnects repeats the old address
		last = header
	}
	if last == "" {
		return nil
	}
	n, err := strconv.ParseUint(last, 10, 63)
	if err != nil {
		return nod.Errorf(nod.Invalid, "Last-Event-ID is no place in the log: a number is expected")
	}
	l.after = nod.Seq(n)
	return nil
}

func (l *listener) follow(ctx context.Context, snap nod.Snapshot) error {
	t := newTranslator(l.desk, l.speaker, l.number)
	if err := t.begin(ctx, snap, l.after == snap.Seq); err != nil {
		return err
	}
	for e, err := range l.desk.Follow(ctx, l.after) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil // revoked or closing: what is left is not for them any more
		}
		frames, err := t.frames(ctx, &e)
		if err != nil {
			return err
		}
		if l.send(e.Seq, frames) != nil {
			return nil // they went away
		}
		l.after = e.Seq
	}
	return nil
}

// longSilence is after how many facts that a listener does not want it is told the
// current sequence number anyway.
const longSilence = 200

func (l *listener) send(at nod.Seq, frames []frame) error {
	l.silent++
	frames = slices.DeleteFunc(frames, func(f frame) bool { return !l.takes(&f) })
	if len(frames) == 0 && l.silent < longSilence {
		return nil
	}
	l.silent = 0
	if len(frames) == 0 {
		return l.out.Start(at)
	}
	for i, f := range frames {
		f.body["_eid"] = at
		body, err := json.Marshal(f.body)
		if err != nil {
			return err
		}
		// The last event of a fact carries the sequence number: if the connection breaks
		// before it, the whole fact is sent again.
		if i == len(frames)-1 {
			return l.out.SendAs(f.event, at, body)
		}
		if err := l.out.SendControl(f.event, body); err != nil {
			return err
		}
	}
	return nil
}

func (l *listener) gap() error {
	body, err := json.Marshal(map[string]any{"_eid": l.after, "message": l.say.Say(words.VoiceGap)})
	if err != nil {
		return err
	}
	if err := l.out.SendControl("gap", body); err != nil {
		return err
	}
	return l.out.Start(l.after)
}

// end tells the client why a stream ends. Only our own faults go to the log.
func (l *listener) end(ctx context.Context, err error) error {
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	body, encodeErr := json.Marshal(httpd.FailureOf(err))
	if encodeErr != nil {
		return encodeErr
	}
	_ = l.out.SendControl("end", body)
	if nod.CodeOf(err) == nod.Internal {
		return err
	}
	return nil
}
