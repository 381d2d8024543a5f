package relay

import (
	"net/http"
	"strconv"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// longestPoll is how long a hook may wait for an answer in one request.
const longestPoll = 60 * time.Second

const (
	notFound     = "not found"
	tooLate      = "already responded"
	notCancelled = "not found or already responded"
)

// mine reports whether the caller may see what became of a request: one without the
// right to view sees only its own.
func (c *call) mine(e *entry) bool {
	return c.who.Can(nod.View) || e.own && (e.by == "" || e.by == c.who.ID)
}

// response tells a hook whether its request was answered. With ?wait= it waits for the
// answer, for at most that many seconds.
func (c *call) response() {
	if !c.who.Can(nod.Raise) && !c.may(nod.View, "see a request") {
		return
	}
	id, out := c.peek()
	if patience := c.patience(); id != "" && out.Response == nil && patience > 0 {
		c.await(id, patience)
		id, out = c.peek()
	}
	if id == "" {
		c.fail(http.StatusNotFound, notFound)
		return
	}
	c.json(http.StatusOK, out)
}

// peek reads the state of the request of the path, and records that its hook has the
// answer. The id is nod's own, and empty if there is no such request.
func (c *call) peek() (nod.RequestID, outcome) {
	c.registry.Lock()
	defer c.registry.Unlock()
	e, ok := c.registry.find(c.id, c.who.room)
	if !ok || !c.mine(e) {
		return "", outcome{}
	}
	c.registry.look(c.who.room).touch(c.Now())
	out := e.outcome(c.Now())
	if e.own && !e.fetched && out.SendKey != nil && c.who.Can(nod.Raise) {
		e.fetched = true
		proof := hub.Prove(e.last.ID, nod.Receipt{Step: nod.StepDelivered, By: "hook", Via: via, Proof: "GET response"})
		if err := c.link.Note(c.who.ctx, proof); err != nil {
			c.Log.Warn("a delivery was not noted", "request", e.last.ID, "err", err)
		}
	}
	return e.last.ID, out
}

func (c *call) patience() time.Duration {
	seconds, err := strconv.ParseFloat(c.r.URL.Query().Get("wait"), 64)
	if err != nil || !(seconds > 0) || c.r.Method == http.MethodHead {
		return 0
	}
	return time.Duration(min(seconds, longestPoll.Seconds()) * float64(time.Second))
}

func (c *call) await(id nod.RequestID, patience time.Duration) {
	ctx, cancel := httpd.WhileServing(c.who.ctx)
	defer cancel()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-c.link.Settled(id):
	case <-timer.C:
	case <-ctx.Done():
	}
}

// respond takes the answer of a client.
func (c *call) respond() {
	if !c.may(nod.Answering, "answer a request") {
		return
	}
	e, answer, status, problem := c.heard()
	if problem != "" {
		c.fail(status, problem)
		return
	}
	decided, err := c.Hub.Desk(c.who.Actor).Decide(c.who.ctx, e.of, answer)
	c.registry.Lock()
	if err == nil {
		c.registry.take(e, decided)
	} else {
		e.except = ""
	}
	c.registry.Unlock()
	if err != nil {
		c.refuse(err)
		return
	}
	c.json(http.StatusOK, done{true})
}

// heard is the client's answer and its request, or why it is refused.
func (c *call) heard() (e *entry, a nod.Answer, status int, problem string) {
	c.registry.Lock()
	defer c.registry.Unlock()
	e, known := c.registry.find(c.id, c.who.room)
	if !known {
		return nil, a, http.StatusNotFound, notFound
	}
	if e.outcome(c.Now()).Response != nil {
		return nil, a, http.StatusNotFound, tooLate
	}
	if a, problem = e.meant(c.body); problem != "" {
		return nil, a, http.StatusBadRequest, problem
	}
	c.sparing(e, c.body.word("device_token"))
	return e, a, 0, ""
}

// meant is a client's answer in the form of nod, or why it is refused.
func (e *entry) meant(f fields) (nod.Answer, string) {
	if n, ok := f.number("choice"); ok {
		o, ok := byNumber(e.options, n)
		if !ok {
			return nod.Answer{}, "unknown choice"
		}
		return o.answer, ""
	}
	word := f.word("response")
	switch word {
	case deny:
		return nod.Answer{Verdict: nod.VerdictDeny}, ""
	case allow, allowAll:
	default:
		return nod.Answer{}, "response or choice is required"
	}
	switch {
	case !e.single():
		return nod.Answer{}, "this takes more than a yes: open nod to answer it"
	case !e.own && e.last.Kind == nod.KindQuestion:
		return nod.Answer{}, "unknown choice"
	}
	first := e.options[0].answer
	if first.Verdict == nod.VerdictDeny { // the only choice is also the last, which denies
		first = nod.Answer{Verdict: nod.VerdictAllow}
	}
	if word == allowAll { // without a choice that says so it allows once: the second one may be a no
		if o, ok := forAll(e.options); ok {
			return o.answer, ""
		}
	}
	return first, ""
}

// cancel withdraws a request that needs no answer any more.
func (c *call) cancel() {
	if !c.may(nod.Raise, "withdraw a request") {
		return
	}
	c.registry.Lock()
	e, ok := c.registry.find(c.id, c.who.room)
	open := ok && e.own && c.mine(e) && !e.last.Settled()
	c.registry.Unlock()
	if !open {
		c.fail(http.StatusNotFound, notCancelled)
		return
	}
	err := c.link.Report(c.who.ctx, hub.Withdraw(e.of, nod.Withdrawal{Reason: nod.WithdrawnTerminal}))
	if err != nil {
		c.refuse(err)
		return
	}
	c.registry.Lock()
	c.registry.refresh(e)
	lost := e.last.Status != nod.Withdrawn
	c.registry.Unlock()
	if lost { // it was answered at the same moment
		c.fail(http.StatusNotFound, notCancelled)
		return
	}
	c.json(http.StatusOK, done{true})
}

// refuse answers with an error of the hub in the words of this wire.
func (c *call) refuse(err error) {
	switch nod.CodeOf(err) {
	case nod.Conflict, nod.Gone, nod.NotFound:
		c.fail(http.StatusNotFound, tooLate)
	case nod.Internal:
		c.Log.Error("a request of Prompt Relay failed", "path", c.r.URL.Path, "err", err)
		c.fail(http.StatusInternalServerError, nod.MessageOf(err))
	default:
		c.fail(httpd.StatusOf(err), nod.MessageOf(err))
	}
}
