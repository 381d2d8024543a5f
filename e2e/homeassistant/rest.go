package homeassistant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"nod/e2e/rig"
)

// clientID names us to Home Assistant's login; for loopback it may be Home Assistant itself.
func (h *Instance) clientID() string { return h.URL + "/" }

// onboard waits for Home Assistant and creates its owner, as the first visit in a browser does.
func (h *Instance) onboard(t testing.TB) {
	t.Helper()
	h.awake(t)
	var created struct {
		Code string `json:"auth_code"`
	}
	owner := map[string]string{"name": "Anna", "username": "anna", "password": "made up for a test", "client_id": h.clientID(), "language": "en"}
	h.do(t, http.MethodPost, "/api/onboarding/users", owner, &created)
	var token struct {
		Access string `json:"access_token"`
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {created.Code}, "client_id": {h.clientID()}}
	h.do(t, http.MethodPost, "/auth/token", form, &token)
	h.Token = token.Access
}

// awake waits until it answers; the manifest of its web app is open to everybody, before and after onboarding.
func (h *Instance) awake(t testing.TB) {
	t.Helper()
	h.patiently(t, "Home Assistant to start", func() bool {
		return h.try(t.Context(), http.MethodGet, "/manifest.json", nil, nil) == nil
	})
}

// patiently waits longer than rig.Until: on a busy machine a first start takes its time. It gives up at once when
// the process has ended.
func (h *Instance) patiently(t testing.TB, what string, done func() bool) {
	t.Helper()
	const patience = 2 * time.Minute
	deadline, tick := time.NewTimer(patience), time.NewTicker(100*time.Millisecond)
	defer deadline.Stop()
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-h.run.gone:
			t.Fatalf("Home Assistant ended: %v\n%s", h.run.err, h.run.output.String())
		case <-deadline.C:
			t.Fatalf("waited %s for %s", patience, what)
		}
	}
}

// try makes one request; body may be url.Values, into may be nil, or *[]byte for what is not JSON.
func (h *Instance) try(ctx context.Context, method, path string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, 4*rig.Patience)
	defer cancel()
	kind, text := "application/json", []byte(nil)
	switch b := body.(type) {
	case nil:
	case url.Values:
		kind, text = "application/x-www-form-urlencoded", []byte(b.Encode())
	default:
		var err error
		if text, err = json.Marshal(b); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, h.URL+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", kind)
	if h.Token != "" {
		r.Header.Set("Authorization", "Bearer "+h.Token)
	}
	answer, err := h.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 300 {
		return &StatusError{answer.StatusCode, method + " " + path + ": " + string(got)}
	}
	switch into := into.(type) {
	case nil:
		return nil
	case *[]byte:
		*into = got
		return nil
	}
	return json.Unmarshal(got, into)
}

// StatusError is an answer that is not a success.
type StatusError struct {
	Status int
	Text   string
}

func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Text) }

func (h *Instance) do(t testing.TB, method, path string, body, into any) {
	t.Helper()
	if err := h.try(t.Context(), method, path, body, into); err != nil {
		t.Fatal(err)
	}
}

// State is one entity.
type State struct {
	Entity     string         `json:"entity_id"`
	State      string         `json:"state"`
	Attributes map[string]any `json:"attributes"`
}

// States are all entities.
func (h *Instance) States(t testing.TB) (list []State) {
	t.Helper()
	h.do(t, http.MethodGet, "/api/states", nil, &list)
	return list
}

// State is one entity; ok is false when there is none of that name.
func (h *Instance) State(t testing.TB, entity string) (s State, ok bool) {
	t.Helper()
	err := h.try(t.Context(), http.MethodGet, "/api/states/"+entity, nil, &s)
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		return s, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, true
}

// SetState writes a state without a device, such as a sensor that only a test has.
func (h *Instance) SetState(t testing.TB, entity, state string, attributes map[string]any) {
	t.Helper()
	h.do(t, http.MethodPost, "/api/states/"+entity, map[string]any{"state": state, "attributes": attributes}, nil)
}

// WaitState waits for an entity to have a state, and returns it then.
func (h *Instance) WaitState(t testing.TB, entity, state string) State {
	t.Helper()
	return h.WaitFor(t, entity, state, func(s State) bool { return s.State == state })
}

// WaitFor waits until an entity is as it should be; what says how that is.
func (h *Instance) WaitFor(t testing.TB, entity, what string, done func(State) bool) (s State) {
	t.Helper()
	ok := false
	rig.Until(t, entity+" to be "+what, func() bool {
		s, ok = h.State(t, entity)
		return ok && done(s)
	}, func() string { return fmt.Sprintf("it is %+v, there: %v\n%s", s, ok, strings.Join(h.Warnings(), "\n")) })
	return s
}

// Call calls a service, such as "light.turn_on", and waits until it is done.
func (h *Instance) Call(t testing.TB, service string, data map[string]any) {
	t.Helper()
	if err := h.TryCall(t.Context(), service, data, nil); err != nil {
		t.Fatal(err)
	}
}

// TryCall calls a service that may fail; with into not nil it asks for a response and reads it. It goes over the
// WebSocket, because REST answers every failure with 500 and no word about it.
func (h *Instance) TryCall(ctx context.Context, service string, data map[string]any, into any) error {
	domain, name, _ := strings.Cut(service, ".")
	answer := struct {
		Response any `json:"response"`
	}{into}
	if data == nil {
		data = map[string]any{} // null is refused
	}
	return h.TryCommand(ctx, map[string]any{
		"type": "call_service", "domain": domain, "service": name, "service_data": data, "return_response": into != nil,
	}, &answer)
}

// FireEvent fires an event.
func (h *Instance) FireEvent(t testing.TB, kind string, data map[string]any) {
	t.Helper()
	h.do(t, http.MethodPost, "/api/events/"+kind, data, nil)
}

// Render renders a template.
func (h *Instance) Render(t testing.TB, template string) string {
	t.Helper()
	var out []byte
	h.do(t, http.MethodPost, "/api/template", map[string]any{"template": template}, &out)
	return string(out)
}

// Reply is what a conversation agent answers.
type Reply struct {
	Speech         string
	Kind           string // action_done, query_answer, error
	ConversationID string
	Continue       bool // the agent expects an answer
}

// Conversation is a sentence and who hears it; the zero value of a field leaves the choice to Home Assistant.
type Conversation struct {
	Text, Language, Agent, ID string
}

// Converse says a sentence to an agent, such as "conversation.home_assistant"; empty for Home Assistant's own.
func (h *Instance) Converse(t testing.TB, c Conversation) Reply {
	t.Helper()
	body := map[string]string{"text": c.Text}
	for key, value := range map[string]string{"language": c.Language, "agent_id": c.Agent, "conversation_id": c.ID} {
		if value != "" {
			body[key] = value
		}
	}
	var got struct {
		ID       string `json:"conversation_id"`
		Continue bool   `json:"continue_conversation"`
		Response struct {
			Type   string `json:"response_type"`
			Speech struct {
				Plain struct{ Speech string } `json:"plain"`
			} `json:"speech"`
		} `json:"response"`
	}
	h.do(t, http.MethodPost, "/api/conversation/process", body, &got)
	return Reply{Speech: got.Response.Speech.Plain.Speech, Kind: got.Response.Type, ConversationID: got.ID, Continue: got.Continue}
}
