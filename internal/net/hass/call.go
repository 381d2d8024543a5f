package hass

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"nod"
)

// Failure is an error that Home Assistant returned.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (f *Failure) Error() string { return f.Code + ": " + nod.OneLine(f.Message) }

// explain turns it into a message for people; Home Assistant's own text is for the log.
func (f *Failure) explain() error {
	switch f.Code {
	case "not_found":
		return nod.Errorf(nod.NotFound, "Home Assistant does not know this action or entity").Because(f)
	case "unauthorized":
		return nod.Errorf(nod.Forbidden, "the token's owner may not do this in Home Assistant").Because(f)
	case "invalid_format", "service_validation_error":
		return nod.Errorf(nod.Unprocessable, "Home Assistant did not understand").Because(f)
	}
	return nod.Errorf(nod.Unavailable, "Home Assistant could not do it").Because(f)
}

// Unanswered reports that a question was asked and got no answer that was understood.
func Unanswered(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && strings.Contains(strings.ToLower(f.Message), "no answer")
}

// Lost reports that there was no connection, or that it broke before the answer.
func Lost(err error) bool {
	_, told := errors.AsType[*Failure](err)
	return err != nil && !told && nod.CodeOf(err) == nod.Unavailable && !errors.Is(err, context.DeadlineExceeded)
}

// Refused reports that Home Assistant itself returned a failure that may be temporary: a satellite that is still
// speaking returns nothing more specific.
func Refused(err error) bool {
	f, ok := errors.AsType[*Failure](err)
	return ok && f.Code == "home_assistant_error" && !Unanswered(err)
}

// Action is a call of one of Home Assistant's actions.
type Action struct {
	Domain, Name string
	Entity       string         // the target; empty: the data names it
	Data         map[string]any // its parameters
	Response     bool           // it returns data, not only success
	Patience     time.Duration  // 0: as long as a short command takes
}

// Call calls the action and waits until it is done.
func (c *Client) Call(ctx context.Context, a Action) (json.RawMessage, error) {
	command := map[string]any{"type": "call_service", "domain": a.Domain, "service": a.Name}
	if a.Data != nil {
		command["service_data"] = a.Data
	}
	if a.Entity != "" {
		command["target"] = map[string]any{"entity_id": a.Entity}
	}
	if a.Response {
		command["return_response"] = true
	}
	raw, err := c.ask(ctx, command, a.Patience)
	if err != nil || !a.Response {
		return nil, err
	}
	var out struct {
		Response json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return nil, nod.Errorf(nod.Unavailable, "Home Assistant answered something that cannot be read").Because(err)
	}
	return out.Response, nil
}

// Ping checks whether Home Assistant responds.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.ask(ctx, map[string]any{"type": "ping"}, 0)
	return err
}

func (c *Client) ask(ctx context.Context, command map[string]any, patience time.Duration) (json.RawMessage, error) {
	s := c.current()
	if s == nil {
		return nil, nod.Errorf(nod.Unavailable, "Home Assistant is not connected now")
	}
	if patience == 0 {
		patience = c.o.Pause.Answer
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.ask(ctx, command)
}
