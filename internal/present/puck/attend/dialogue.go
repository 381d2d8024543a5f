package attend

import (
	"context"
	"nod"
	"nod/internal/hub"
	"nod/internal/present/ear"
	"nod/internal/present/words"
	"nod/internal/talk"
	"slices"
	"sync"
	"time"
)

// hints describe this channel to an assistant, once.
const hints = "You are heard through a voice puck: a speaker, a dial and a ring of lights, no screen. Answer in one or two short sentences without code or lists. " +
	"Ask one question at a time, with at most five options, and never a question in several parts."

// The ring decides how long a conversation can continue, the hub how long it can be resumed.
const (
	resumable = 30 * time.Minute
	mostTurns = 20
)

// dialogue is what a person and an assistant say to each other through a puck.
type dialogue struct {
	*Options
	desk hub.Desk

	mu      sync.Mutex
	current nod.AgentID // the conversation that further words continue
	waits   map[*context.CancelFunc]bool
}

// question is the words with their conversation; fresh ones begin a new one.
func (d *dialogue) question(text string, fresh bool) talk.Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	if fresh {
		d.current = ""
	}
	return talk.Question{
		Text: text, Assistant: d.Assistant, Room: d.Room, Client: d.Name, Language: d.Language, Via: d.Via,
		Hints: hints, Context: resumable, Session: d.current, Fresh: fresh,
	}
}

// id is that of the current conversation, or empty.
func (d *dialogue) id() nod.AgentID {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// find is the current conversation, or nil.
func (d *dialogue) find() (a *nod.Agent) {
	if d.Asker == nil {
		return nil
	}
	return d.Asker.Find(talk.Question{Session: d.id(), Assistant: d.Assistant, Room: d.Room, Client: d.Name, Via: d.Via})
}

// goOn makes a conversation the current one.
func (d *dialogue) goOn(a *nod.Agent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if a != nil {
		d.current = a.ID
	}
}

// begin is a context for a wait that cancel ends; it must be ended in any case.
func (d *dialogue) begin(ctx context.Context) (waiting context.Context, end func()) {
	waiting, stop := context.WithCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waits[&stop] = true
	return waiting, func() {
		stop()
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waits, &stop)
	}
}

// cancel gives up waiting for answers.
func (d *dialogue) cancel() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for stop := range d.waits {
		(*stop)()
	}
}

// ask waits for the whole answer, including all requests on the way.
func (d *dialogue) ask(ctx context.Context, q talk.Question) (talk.Outcome, error) {
	o, err := d.Asker.Ask(ctx, d.desk, q, nil)
	for err == nil && (o.Request != nil || o.Late) && ctx.Err() == nil {
		d.goOn(o.Agent)
		if o.Request != nil {
			// The follower shows it; here we only wait.
			if _, err := d.Hub.Link("puck").Await(ctx, o.Request.ID); err != nil {
				return o, err
			}
		}
		o, err = d.Asker.Wait(ctx, d.desk, o.Agent.ID, o.Message, nil)
	}
	d.goOn(o.Agent)
	return o, err
}

// About is the last question in a conversation, for the ear.
func About(ctx context.Context, desk hub.Desk, say words.Printer, a *nod.Agent) (string, error) {
	const recent, longest = 20, 80
	turns, err := desk.Turns(ctx, a.ID, 0, recent)
	if err != nil {
		return "", err
	}
	about := a.Name
	if i := slices.IndexFunc(turns, func(t nod.Turn) bool { return t.Role == nod.TurnPerson && t.Who == nil }); i >= 0 {
		about = turns[i].Text
	}
	return ear.In(say).Line(nod.Fold(nod.OneLine(about), longest)), nil
}
