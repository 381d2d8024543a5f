package api

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"nod"
	v1 "nod/internal/client/v1"
	"nod/internal/hub"
	"nod/internal/net/httpd"
)

// pieceEvent is the SSE event name of a piece of an answer.
const pieceEvent = "piece"

func listAssistants(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	list, err := d.Assistants(r.Context())
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusOK, v1.AssistantList{Assistants: orEmpty(list)})
}

func open(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
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
	a, err := d.Open(r.Context(), nod.Opening{
		ID: n.ID, Assistant: n.Assistant, Name: n.Name, Room: n.Room, User: n.User, Language: n.Language,
		Context: time.Duration(n.Context) * time.Second,
	})
	if err != nil {
		return err
	}
	return httpd.JSON(w, http.StatusCreated, a)
}

// longestContext keeps seconds from overflowing a time.Duration.
const longestContext = 365 * 24 * time.Hour

// leave ends a conversation.
func leave(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r) // whole: no other conversation may end
	if err != nil {
		return err
	}
	if err := d.Leave(r.Context(), nod.AgentID(id)); err != nil {
		return err
	}
	return httpd.NoContent(w)
}

// followDraft streams what an agent is writing, from the beginning of its current
// answer. A client that reconnects gets it from the beginning again.
func followDraft(d hub.Desk, w http.ResponseWriter, r *http.Request) error {
	if q := queryOf(r); q.err != nil {
		return q.err
	}
	found, err := findAgent(d, r)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		return nil
	}
	stream, ctx := httpd.NewStream(w, r)
	defer stream.Close()
	for piece, err := range d.Drafts(ctx, found.ID) {
		if err != nil {
			return sendEnd(stream, err)
		}
		body, err := json.Marshal(piece)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			break // revoked or closing: they may not have the rest
		}
		if stream.SendControl(pieceEvent, body) != nil {
			return nil // the client went away
		}
	}
	return sendCause(ctx, stream)
}

// mayOpen reports whether the caller could open a conversation now.
func (s *Surface) mayOpen(r *http.Request) bool {
	by := httpd.ActorOf(r.Context())
	if !by.Rights.Has(nod.View) || !by.Rights.Has(nod.Answering) {
		return false // asked first, because the desk would record a refusal
	}
	list, err := s.desk(r).Assistants(r.Context())
	return err == nil && len(list) > 0
}
