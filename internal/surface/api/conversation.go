package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/net/httpd"
)

// pieceEvent is the SSE event name of a piece of an answer.
const pieceEvent = "piece"

func (s *surface) assistants(w http.ResponseWriter, r *http.Request) error {
	list, err := s.desk(r).Assistants(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.AssistantList{Assistants: orEmpty(list)})
}

func (s *surface) open(w http.ResponseWriter, r *http.Request) error {
	var n v1.NewConversation
	if err := httpd.Decode(w, r, &n); err != nil {
		return err
	}
	if n.Context < 0 || n.Context > int(longestContext/time.Second) {
		return nod.Errorf(nod.Invalid, "context is a number of seconds from 0 to %d", int(longestContext/time.Second))
	}
	if n.ID == "" {
		n.ID = nod.AgentID("c-" + strings.ToLower(rand.Text()))
	}
	a, err := s.desk(r).Open(r.Context(), nod.Opening{
		ID: n.ID, Assistant: n.Assistant, Name: n.Name, Room: n.Room, User: n.User, Language: n.Language,
		Context: time.Duration(n.Context) * time.Second,
	})
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, a)
}

// longestContext bounds what a number of seconds may mean.
const longestContext = 365 * 24 * time.Hour

// leave ends a conversation.
func (s *surface) leave(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: the right one must end
	if err != nil {
		return err
	}
	if err := s.desk(r).Leave(r.Context(), nod.AgentID(id)); err != nil {
		return err
	}
	return httpd.NoContent(w)
}

// draft follows what an agent is writing, from the beginning of the answer it is
// at. There is nothing to resume: whoever comes back gets it from its beginning.
func (s *surface) draft(w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	found, err := s.findAgent(r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		return nil
	}
	stream, ctx := httpd.NewStream(w, r)
	defer stream.Close()
	for piece, err := range s.desk(r).Drafts(ctx, found.ID) {
		if err != nil {
			return tellEnd(stream, err)
		}
		body, err := json.Marshal(piece)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			break // revoked or closing: what is left is not for them any more
		}
		if stream.SendControl(pieceEvent, body) != nil {
			return nil // they went away
		}
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return tellEnd(stream, cause)
	}
	return nil
}

// mayOpen reports whether somebody could open a conversation now.
func (s *surface) mayOpen(r *http.Request) bool {
	by := httpd.ActorOf(r.Context())
	if !by.Rights.Has(nod.View) || !by.Rights.Has(nod.Answering) {
		return false // and no refusal goes into the log: nobody tried
	}
	list, err := s.desk(r).Assistants(r.Context())
	return err == nil && len(list) > 0
}
