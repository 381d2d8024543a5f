// Package openai serves programs that use OpenAI's chat completions, as most do. Its
// models are nod's assistants, and nothing else.
package openai

import (
	"net/http"
	"strings"
	"time"

	"nod"
	"nod/internal/hub"
	"nod/internal/hub/adapter"
	"nod/internal/net/httpd"
	"nod/internal/talk"
)

// Needs is what the surface needs of others.
type Needs struct {
	Chats   *talk.Chats
	Started time.Time // when the hub started
}

// Surface is the interface of OpenAI.
type Surface struct {
	adapter.Deps
	Needs
}

// New makes the surface.
func New(d adapter.Deps, n Needs) *Surface {
	d.Fill()
	return &Surface{d, n}
}

// Routes are the endpoints of the surface. nod's own interface is at /v1 too.
func (s *Surface) Routes() []httpd.Route {
	return []httpd.Route{
		{Method: "GET", Path: "/v1/models", Right: nod.View, What: "see the assistants", Handle: s.speaking((*call).models)},
		{Method: "GET", Path: "/v1/models/{id}", Right: nod.View, What: "see the assistant", Handle: s.speaking((*call).model)},
		{Method: "POST", Path: "/v1/chat/completions", Right: nod.Answering, What: "speak to an assistant", Handle: s.speaking((*call).complete)},
	}
}

// Serves reports whether a path is one of this surface's.
func Serves(path string) bool {
	return path == "/v1/models" || strings.HasPrefix(path, "/v1/models/") || path == "/v1/chat/completions"
}

// via is this surface's name in the log.
const via = "openai"

// call is one request.
type call struct {
	*Surface
	w      http.ResponseWriter
	r      *http.Request
	by     nod.Actor
	desk   hub.Desk
	began  time.Time
	stream *stream
}

// speaking makes a handler whose errors have OpenAI's own form.
func (s *Surface) speaking(h func(*call) error) httpd.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		by := httpd.ActorOf(r.Context())
		by.Via = via
		c := &call{Surface: s, w: w, r: r, by: by, desk: s.Hub.Desk(by), began: s.Now(), stream: newStream(w)}
		if err := h(c); err != nil {
			return c.refuse(err)
		}
		return nil
	}
}

// model is an assistant in the list of models.
type model struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Owner   string `json:"owned_by"`
}

func (c *call) describe(a nod.Assistant) model {
	return model{a.Name, "model", c.Started.Unix(), "nod"}
}

func (c *call) models() error {
	assistants, err := c.desk.Assistants(c.r.Context())
	if err != nil {
		return err
	}
	list := []model{}
	for _, a := range assistants {
		list = append(list, c.describe(a))
	}
	return httpd.JSON(c.w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

func (c *call) model() error {
	a, err := c.assistant(c.r.PathValue("id"))
	if err != nil {
		return err
	}
	return httpd.JSON(c.w, http.StatusOK, c.describe(a))
}

// assistant finds the assistant that a program calls its model.
func (c *call) assistant(name string) (nod.Assistant, error) {
	assistants, err := c.desk.Assistants(c.r.Context())
	if err != nil {
		return nod.Assistant{}, err
	}
	var names []string
	for _, a := range assistants {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	if name == "" {
		err := nod.Errorf(nod.Invalid, "you must provide a model; there is: %s", strings.Join(names, ", "))
		return nod.Assistant{}, &misfit{err, "model", ""}
	}
	missing := nod.Errorf(nod.NotFound, "The model %q does not exist: nod's models are its assistants. There is: %s", nod.Fold(nod.OneLine(name), 60), strings.Join(names, ", "))
	return nod.Assistant{}, &misfit{missing, "model", "model_not_found"}
}
