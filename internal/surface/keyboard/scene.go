package keyboard

import (
	"slices"
	"strings"
	"time"

	"nod"
	"nod/internal/present/words"
)

// scene is what a keyboard shows, and what its keys do.
type scene struct {
	keys    [count]Key
	state   string
	until   time.Time      // with limit: when it ends
	about   *displayUpdate // what is asked, on the fourth screen
	agent   nod.AgentID
	request nod.RequestID
}

// situation is everything that a scene depends on.
type situation struct {
	now      time.Time
	code     string // not admitted: this is shown and nothing else
	codeEnds time.Time
	pin      nod.AgentID
	shown    nod.AgentID
	page     int
	paged    string
	note     *note
	hooks    hookState
	set      *buttons // that a program asked for; nil: none did
	polled   bool     // a program reads /inputs
	typing   bool     // text can be typed into the front window
	snap     nod.Snapshot
	say      words.Printer

	fits    func(text string) bool // on one screen
	wishes  func(*nod.Agent) []Key // that an agent set for itself
	suggest func(a *nod.Agent, pending []*nod.Request, last *nod.Turn) []Key
	last    func(nod.AgentID) *nod.Turn
	stop    func(nod.AgentID) (stop, bool)
	sure    *sure // a key that was pressed once
	asked   nod.RequestID
	askedAt time.Time // since when that is on the keys; zero: it was read
}

// compose makes the scene of a moment.
func (w *situation) compose() scene {
	if w.code != "" {
		sc := scene{state: stateIdle}
		for i, r := range w.code {
			sc.keys[i] = Key{Label: string(r), Colour: "#FFFFFF"}
		}
		return sc
	}
	agent, others := w.choose()
	var sc scene
	switch {
	case agent == nil && w.pin != "":
		sc = w.agentEnded()
	case agent == nil:
		sc = w.withoutAgent()
	default:
		sc = w.withAgent(agent, others)
	}
	w.askAgain(&sc)
	// Good news gives way to the next question.
	if w.note != nil && w.now.Before(w.note.ends) && (sc.request == "" || !w.note.good) {
		sc.keys[count-1], sc.about = w.note.key, nil
		if isTrouble(sc.state) {
			sc.state, sc.keys = stateIdle, [count]Key{3: w.note.key} // else the device would show its own words
		}
	}
	return sc
}

// choose finds the agent whose keys are shown: the one that the keyboard is bound to,
// else one that needs a person, else the one that was shown before.
func (w *situation) choose() (agent *nod.Agent, others int) {
	alive := living(w.snap)
	find := func(id nod.AgentID) *nod.Agent {
		if i := slices.IndexFunc(alive, func(a *nod.Agent) bool { return a.ID == id }); i >= 0 {
			return alive[i]
		}
		return nil
	}
	others = len(alive)
	if w.pin != "" {
		return find(w.pin), others
	}
	shown := find(w.shown)
	if shown != nil && len(pendingOf(w.snap, shown.ID)) > 0 {
		return shown, others
	}
	for _, r := range w.snap.Requests {
		if a := find(r.Agent.ID); a != nil {
			return a, others
		}
	}
	if shown != nil {
		return shown, others
	}
	for _, a := range slices.Backward(alive) {
		if agent == nil || a.State == nod.AgentWorking && agent.State != nod.AgentWorking {
			agent = a
		}
	}
	return agent, others
}

// living are the agents that run. A conversation without a terminal counts while it
// waits for a person, and an agent that is known only by a request while that waits.
func living(snap nod.Snapshot) []*nod.Agent {
	var list []*nod.Agent
	known := map[nod.AgentID]bool{}
	for _, a := range snap.Agents {
		known[a.ID] = true
		if a.Alive() && (a.Talk == nil || a.State == nod.AgentWaiting) {
			list = append(list, a)
		}
	}
	for _, r := range snap.Requests {
		if by := r.Agent; !r.Settled() && !known[by.ID] {
			known[by.ID] = true
			list = append(list, &nod.Agent{ID: by.ID, Kind: by.Kind, Name: by.Name, Host: by.Host, Cwd: by.Cwd, State: nod.AgentWaiting})
		}
	}
	return list
}

func pendingOf(snap nod.Snapshot, id nod.AgentID) []*nod.Request {
	var list []*nod.Request
	for _, r := range snap.Requests {
		if r.Agent.ID == id && !r.Settled() {
			list = append(list, r)
		}
	}
	return list
}

// agentEnded is the scene when the agent that the keyboard is bound to has ended.
func (w *situation) agentEnded() scene {
	name := string(w.pin)
	for _, a := range w.snap.Agents {
		if a.ID == w.pin {
			name = a.Name
		}
	}
	return scene{state: stateIdle, keys: [count]Key{
		{Label: clip(name, longestLabel)}, word(w.say, "", "👋", "", words.KeyboardEnded, Act{}), {},
		word(w.say, "switch", "🔀", "", words.KeyboardSwitch, Act{Switch: true}),
	}}
}

// withoutAgent is the scene when the hub knows no agent; the original's hooks and
// daemons may still know one.
func (w *situation) withoutAgent() scene {
	sc := scene{state: w.hooks.state, until: w.hooks.until}
	if sc.state == "" {
		sc.state = stateIdle
	}
	switch sc.state {
	case stateLimit:
		sc.keys[3] = word(w.say, "", "", "", words.KeyboardContinue, Act{Input: w.say.Say(words.KeyboardSayContinue)})
	case stateError:
		sc.keys[2] = word(w.say, "", "", "", words.KeyboardContinue, Act{Input: w.say.Say(words.KeyboardSayContinue)})
		sc.keys[3] = word(w.say, "", "", "", words.KeyboardRetry, Act{Input: w.say.Say(words.KeyboardSayRetry)})
	default:
		keys := w.set.orStandard().keys(nil, w.say, w.fits)
		if sc.state == stateThinking && w.set == nil {
			keys = nil // yes or no to what?
		}
		if sc.state == stateThinking {
			keys = w.pageOf(&sc, stopFirst(keys, nil, w.say), count)
		}
		copy(sc.keys[:], keys)
	}
	return sc
}

// withAgent is the scene of an agent that the hub knows.
func (w *situation) withAgent(a *nod.Agent, others int) scene {
	sc := scene{agent: a.ID, state: stateIdle}
	pending := pendingOf(w.snap, a.ID)
	if len(pending) == 0 {
		switch a.State {
		case nod.AgentLimited:
			sc.state = stateLimit
			if a.Until != nil {
				sc.until = *a.Until
			}
			sc.keys[3] = word(w.say, "continue", "", "", words.KeyboardContinue, Act{Say: w.say.Say(words.KeyboardSayContinue)})
			return sc
		case nod.AgentError:
			sc.state = stateError
			sc.keys[2] = word(w.say, "continue", "", "", words.KeyboardContinue, Act{Say: w.say.Say(words.KeyboardSayContinue)})
			sc.keys[3] = word(w.say, "retry", "", "", words.KeyboardRetry, Act{Say: w.say.Say(words.KeyboardSayRetry)})
			return sc
		case nod.AgentWorking:
			sc.state = stateThinking
		}
	}
	keys, room := w.offered(a, pending), count
	if len(pending) > 0 {
		sc.request = pending[0].ID
	}
	switch {
	case w.whole(&sc, keys):
		keys = keys[:count]
	case len(pending) > 0:
		sc.about = about(a, pending[0])
		room--
	case others > 1 || w.pin != "":
		room--
	}
	if room < count {
		sc.keys[3] = Key{ID: "agent", Label: clip(a.Name, longestLabel), Colour: "#A0A0A0"}
		if others > 1 || w.pin != "" {
			sc.keys[3].Do = Act{Switch: true}
		}
	}
	copy(sc.keys[:], w.pageOf(&sc, keys, room))
	return sc
}

func (sc *scene) subject() string {
	return string(sc.agent) + " " + string(sc.request) + " " + sc.state
}

// about is what is asked, as far as it fits a small screen.
func about(a *nod.Agent, r *nod.Request) *displayUpdate {
	const lines = 40 // four lines of ten
	title := plain(nod.OneLine(r.Title), 4*lines)
	return &displayUpdate{Type: "display_update", Display: 3, Title: plain(clip(a.Name, longestLabel), longestLabel), Content: ends(title, lines), whole: wholeOf(r)}
}

// wholeOf is what a request is about: a command is known by its looks.
func wholeOf(r *nod.Request) string {
	return nod.OneLine(strings.TrimPrefix(r.Title, "Bash: "))
}

// ends keeps both ends of a text: the danger is often in the last word.
func ends(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:most/2-1] + ".." + s[len(s)-most/2+1:]
}
