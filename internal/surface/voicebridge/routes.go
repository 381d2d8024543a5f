// Package voicebridge is the HTTP interface for voice: people hear in short sentences
// what their agents do, tell them what to do next, and answer what they ask. Every
// reply carries text to be spoken.
package voicebridge

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/hub/attachment"
	"nod/internal/net/httpd"
	"nod/internal/present/words"
)

// Needs is what the surface needs of others.
type Needs struct {
	Files attachment.FileStore
	// Phrases judges spoken words before they go anywhere: "allow", "ask" or
	// "deny", and why; nil: everything may be said.
	Phrases func(text string) (verdict, reason string)
}

// DefaultWait is shorter than the ten seconds after which a client considers a
// message lost.
const DefaultWait = 8 * time.Second

// Surface is the voice bridge.
type Surface struct {
	adapter.Deps
	Needs
	Wait    time.Duration // how long a reply waits for the agent to confirm
	heard   heard
	read    *readMarks
	tickets tickets
}

// New makes the surface. What was read is kept in the data directory.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	head, _ := d.Hub.Head()
	return &Surface{Deps: d, Needs: n, Wait: DefaultWait, read: openMarks(d.File("voice-read.json"), head, d.Log)}
}

const (
	streamPath = "/api/events/stream"
	uploadPath = "/api/voice/uploads/"
	ticketPath = "/api/voice/ticket"
)

// bodyRoom is the largest file with the form around it.
const bodyRoom = attachment.MostBytes + 64<<10

// Routes are all endpoints of the surface.
func (s *Surface) Routes() []httpd.Route {
	const voice, one = "/api/voice", "/api/voice/agents/{id}/"
	return []httpd.Route{
		{Method: "GET", Path: voice + "/sessions", Right: nod.View, What: "see the agents", Handle: s.answering((*call).sessions)},
		{Method: "POST", Path: voice + "/command", Right: nod.Answering, What: "speak to an agent", Handle: s.answering((*call).sendCommand)},
		{Method: "GET", Path: one + "output", Right: nod.View, What: "read the conversation of agent", Handle: s.about((*agentCall).output, "limit")},
		{Method: "GET", Path: one + "question", Right: nod.View, What: "see the question of agent", Handle: s.about((*agentCall).question)},
		{Method: "GET", Path: one + "transcript", Right: nod.View, What: "read the conversation of agent", Handle: s.about((*agentCall).transcript, "before", "limit")},
		{Method: "GET", Path: one + "context", Right: nod.View, What: "see agent", Handle: s.about((*agentCall).context)},
		{Method: "POST", Path: voice + "/agents/create", Right: nod.Answering, What: "open a conversation", Handle: s.answering((*call).create)},
		{Method: "POST", Path: one + "shutdown", Right: nod.Answering, What: "stop agent", Handle: s.about((*agentCall).shutdown)},
		{Method: "POST", Path: one + "mark-read", Right: nod.Answering, What: "mark as read agent", Handle: s.about((*agentCall).markRead)},
		{Method: "POST", Path: one + "upload", Right: nod.Answering, What: "send a file to agent", Body: bodyRoom, Handle: s.about((*agentCall).upload, "confirm")},
		{Method: "POST", Path: "/api/respond/{id}", Right: nod.Answering, What: "answer agent", Handle: s.answering((*call).answer)},
		{Method: "GET", Path: "/api/respond/{id}/availability", Right: nod.View, What: "see agent", Handle: s.about((*agentCall).availability)},
		{Method: "GET", Path: streamPath, Right: nod.View, What: "follow the log", Handle: s.stream},
		{Method: "POST", Path: ticketPath, Right: nod.View, What: "follow the log", Handle: s.answering((*call).ticket)},
		{Method: "GET", Path: uploadPath + "{name}", Right: nod.View, What: "see a file", Handle: s.download},
		{Method: "POST", Path: one + "recapture-permission", Right: nod.Answering, What: "see the question of agent", Handle: s.about((*agentCall).recapture)},
		{Method: "GET", Path: "/api/projects", Right: nod.View, What: "see the folders", Handle: s.answering((*call).projects)},
		{Method: "GET", Path: "/api/personas/active", Right: nod.View, What: "see the assistants", Handle: s.answering((*call).personas)},
		{Method: "GET", Path: "/voice", Open: true, CrossSite: true, Handle: toApp},
		s.missing("POST", "/api/focus/{id}", "nod brings no window to the front: go to the agent's own terminal, or speak to it here"),
		s.missing("POST", "/api/agents/{id}/attach", "nod opens no terminal window: attach to the agent's own terminal on its machine, or speak to it here"),
		s.missing("POST", "/api/agents/{id}/handoff", "nod hands nothing over by itself: tell the agent to write down where it stands, and open a new conversation with that"),
		s.missing("POST", "/api/agents/{id}/revive", "nod starts no ended session again: continue it in its own terminal, or open a new conversation"),
		s.missing("POST", "/api/agents/{id}/reconcile", "there is nothing to reconcile: nod takes every turn from the agent itself, once"),
	}
}

// missing is an endpoint of the original that nod answers with 501, and why.
func (s *Surface) missing(method, path, why string) httpd.Route {
	return httpd.Route{Method: method, Path: path, Right: nod.Answering, What: "steer agent", Handle: s.answering(notHere(why))}
}

// answering makes a handler whose every answer, errors too, can be spoken.
func (s *Surface) answering(h func(*call) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		c := &call{Surface: s, speaker: speaker{say: words.Accept(r.Header.Get("Accept-Language"))}, w: w, r: r, began: s.Now()}
		c.respond = strings.HasPrefix(r.URL.Path, "/api/respond/")
		err := c.parse()
		if err == nil {
			err = h(c)
		}
		if err != nil {
			return c.refuse(err)
		}
		return nil
	}
}

// about makes a handler for calls about the agent of the path; parameters are those it
// takes besides the usual ones.
func (s *Surface) about(h func(*agentCall) error, parameters ...string) httpd.Handler {
	return s.answering(func(c *call) error {
		if err := c.parameters(parameters...); err != nil {
			return err
		}
		one, err := c.agentOfPath()
		if err != nil {
			return err
		}
		return h(one)
	})
}

// parse reads how the reply should be.
func (c *call) parse() (err error) {
	if c.values, err = url.ParseQuery(c.r.URL.RawQuery); err != nil {
		return nod.Errorf(nod.Invalid, "the part after the question mark cannot be read").Because(err)
	}
	return c.apply(wants{Verbosity: c.values.Get("verbosity"), Language: c.values.Get("language")})
}

// desk is the handle of the caller.
func (c *call) desk() hub.Desk { return c.Hub.Desk(httpd.ActorOf(c.r.Context())) }
