package terminal

import (
	"context"
	"time"

	"nod"
)

// How often a worker looks after its agent.
const (
	idleInterval = 500 * time.Millisecond
	busyInterval = 50 * time.Millisecond // while a message or a key waits for the right moment
)

// worker drives one agent. It does one thing after the other, so that nothing comes
// between the steps of something else.
type worker struct {
	env  *environment
	id   nod.AgentID
	wake chan struct{}

	messages *messageQueue
	turns    *recentTurns
	keys     *keys

	// These belong to run alone.
	reach    *reachability
	delivery *delivery
	dialogs  *dialogs
	stopper  *stopper
}

func newWorker(env *environment, id nod.AgentID) *worker {
	w := &worker{
		env: env, id: id, wake: make(chan struct{}, 1), messages: &messageQueue{}, turns: newRecentTurns(),
		reach: &reachability{env: env}, dialogs: &dialogs{env: env}, stopper: &stopper{env: env},
	}
	w.delivery = &delivery{env: env, queue: w.messages, turns: w.turns, terminalGone: w.reach.recheck}
	w.keys = &keys{env: env, agent: id, lastDelivery: func() time.Time { return w.delivery.last }}
	return w
}

// run works until ctx or the agent ends.
func (w *worker) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wake:
		case <-timer.C:
		}
		a, ok := w.env.agent(w.id)
		if !ok {
			w.leave(ctx)
			return
		}
		w.reach.check(ctx, &a)
		w.stopper.stop(ctx, &a)
		w.dialogs.watch(ctx, &a)
		w.keys.press(ctx, &a)
		w.delivery.deliver(ctx, &a)
		interval := idleInterval
		if len(w.messages.list()) > 0 || a.Stopping != nil || w.keys.waiting() {
			interval = busyInterval
		}
		timer.Reset(interval)
	}
}

// leave settles what is left when the agent has ended or its terminal is gone.
func (w *worker) leave(ctx context.Context) {
	w.dialogs.close(ctx, "")
	if w.movedToAnotherHub() {
		return // which delivers its messages and keys now
	}
	w.reach.report(ctx, w.id, false)
	for _, m := range w.messages.list() {
		w.delivery.settle(ctx, m, whyGone)
	}
	w.keys.failAll(ctx)
}

func (w *worker) movedToAnotherHub() (yes bool) {
	w.env.link.State(func(s *nod.State) {
		a := s.Agents[w.id]
		yes = a != nil && a.Alive() && !w.env.link.Here(a)
	})
	return yes
}

// nudge makes run look again at once.
func (w *worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// agentChanged ends what is being typed when the agent is told to stop.
func (w *worker) agentChanged(a *nod.Agent) {
	if a.Stopping != nil {
		w.messages.cancelAll()
	}
	w.nudge()
}

// deliver takes a message. confirmed: the log shows that the agent has it already.
func (w *worker) deliver(m nod.Message, confirmed bool) {
	w.messages.add(&pendingMessage{Message: m, confirmed: confirmed, resumed: m.Status == nod.Typed})
	w.nudge()
}

func (w *worker) pressKey(key string) {
	w.keys.add(key)
	w.nudge()
}
