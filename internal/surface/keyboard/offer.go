package keyboard

import (
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
)

// readTime is how long a question stays on the fourth screen before that becomes the
// fourth answer.
const readTime = 4 * time.Second

// offered is everything that could be on a key for this agent now. While it works,
// STOP is the first.
func (w *situation) offered(a *nod.Agent, pending []*nod.Request) []Key {
	if len(pending) > 0 {
		return w.suggest(a, pending, nil)
	}
	own := w.wished(a)
	busy := a.State == nod.AgentWorking || a.State == nod.AgentWaiting
	if len(own) == count && a.State != nod.AgentWorking {
		return own // it waits for one of these
	}
	var last *nod.Turn
	if a.State == nod.AgentIdle {
		last = w.last(a.ID)
	}
	keys := slices.Concat(own, w.suggest(a, nil, last))
	if busy {
		keys = stopFirst(keys, a, w.say)
	}
	if a.Able(nod.CanSay) {
		keys = w.withStop(a, keys, len(own))
	}
	if len(keys) == 0 && (w.polled || w.typing) { // the hub cannot reach it, but a daemon of the original or typing can
		keys = w.set.orStandard().keys(a, w.say, w.fits)
	}
	return keys
}

// wished are the keys that a program with the right to answer set, or the agent itself.
func (w *situation) wished(a *nod.Agent) []Key {
	if w.set != nil && w.set.trusted {
		return w.set.keys(a, w.say, w.fits)
	}
	return w.wishes(a)
}

// withStop adds what belongs to stopping gently: own is how many keys the agent set.
func (w *situation) withStop(a *nod.Agent, keys []Key, own int) []Key {
	st, stopped := w.stop(a.ID)
	switch {
	case a.State == nod.AgentWorking && stopped && !st.Until.IsZero():
		return slices.Insert(keys, min(1+own, len(keys)), word(w.say, "", "⏳", "", words.KeyboardFinishing, Act{}))
	case a.State == nod.AgentWorking && a.Stopping == nil:
		return slices.Insert(keys, min(1+own, len(keys)), word(w.say, "finish", "🏁", "", words.KeyboardFinish, Act{Finish: true}))
	case a.State == nod.AgentIdle && stopped:
		return slices.Insert(keys, 0, word(w.say, "resume", "⏯️", "#00FF00", words.KeyboardResume, Act{Resume: true}))
	}
	return keys
}

// whole reports whether four keys are one choice, which needs the whole keyboard: the
// agent set four for itself, or asks a question with four answers that was read.
func (w *situation) whole(sc *scene, keys []Key) bool {
	if sc.request == "" {
		return sc.state == stateIdle && len(keys) == count && !slices.ContainsFunc(keys, func(k Key) bool { return !k.Wish })
	}
	answers := 0
	for _, k := range keys {
		if strings.HasPrefix(k.ID, "choice-") {
			answers++
		}
	}
	skip := len(keys) == count+1 && keys[count].ID == "skip"
	return answers == count && (len(keys) == count || skip) && w.asked == sc.request && !w.now.Before(w.askedAt.Add(readTime))
}

// pageOf is one page of keys; another question, and another state, begin at the first.
// If there are more keys than room, the last one turns the page. STOP is on every page.
func (w *situation) pageOf(sc *scene, keys []Key, room int) []Key {
	if len(keys) <= room {
		return keys
	}
	page, pinned := w.page, 0
	if w.paged != sc.subject() {
		page = 0
	}
	if sc.request == "" && sc.state == stateThinking {
		pinned = 1
	}
	rest, per := keys[pinned:], room-pinned-1
	pages := (len(rest) + per - 1) / per
	from := (page % pages) * per
	list := make([]Key, room)
	copy(list, keys[:pinned])
	copy(list[pinned:], rest[from:min(from+per, len(rest))])
	list[room-1] = word(w.say, "more", "➡️", "", words.KeyboardMore, Act{Page: true})
	return list
}
