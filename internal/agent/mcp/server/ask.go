package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
)

// option is a possible answer: a label, or a label with a description.
type option nod.Choice

func (o *option) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &o.Label)
	}
	type plain option
	return json.Unmarshal(b, (*plain)(o))
}

func (s *server) askPerson(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Question string   `json:"question"`
		Options  []option `json:"options"`
		Multi    bool     `json:"multi_select"`
		Closed   bool     `json:"options_only"`
		Details  string   `json:"details"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	a := Asked{Question: in.Question, Details: in.Details, Multi: in.Multi, Closed: in.Closed}
	for _, o := range in.Options {
		a.Options = append(a.Options, nod.Choice{Label: o.Label, Description: o.Description})
	}
	out, err := s.ask(ctx, c, req, a)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: text(out.text()), StructuredContent: out.structured()}, nil
}

// text is the outcome for the model. Without a person's answer it must not read like one.
func (o Outcome) text() string {
	switch {
	case o.Status == nod.Decided && o.Verdict == nod.VerdictAnswer:
		answer := "The person answered: " + o.Answer.Joined()
		if o.Answer.Notes != "" {
			answer += "\nTheir note: " + o.Answer.Notes
		}
		return answer
	case o.Status == nod.Decided && o.Stop:
		return strings.TrimSpace("The person did not answer and wants you to stop here. " + o.Message)
	case o.Status == nod.Decided && o.Message != "":
		return "The person did not choose an answer and says: " + o.Message
	case o.Status == nod.Decided:
		return "The person saw the question and did not want to answer it. Decide yourself what is safe, or stop."
	}
	return "Nobody answered: the question was taken back. This is no consent to anything; do what is safe without an answer, or stop."
}

// structured is the outcome for programs. Claude Code shows this to its model instead of
// the text, so the text is part of it.
func (o Outcome) structured() map[string]any {
	answered := o.Status == nod.Decided && o.Verdict == nod.VerdictAnswer
	told := map[string]any{"answered": answered, "request": o.Request, "says": o.text()}
	if answered {
		told["answer"] = o.Answer.Joined()
	}
	for name, value := range map[string]string{"note": o.Answer.Notes, "message": o.Message, "by": o.By} {
		if value != "" {
			told[name] = value
		}
	}
	if len(o.Answer.Picked) > 0 {
		told["picked"] = o.Answer.Picked
	}
	return told
}

// permission answers in the format of --permission-prompt-tool: a text that is JSON.
func (s *server) permission(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Tool  string          `json:"tool_name"`
		Input json.RawMessage `json:"input"`
		Call  string          `json:"tool_use_id"`
	}
	err := arguments(req, &in)
	if err == nil && in.Tool == "" {
		err = nod.Errorf(nod.Invalid, "tool_name is missing")
	}
	var out Outcome
	if err == nil {
		out, err = s.ask(ctx, c, req, Asked{Tool: in.Tool, Input: in.Input, Call: in.Call})
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// Every failure, and no answer, is a deny with a reason.
	switch {
	case err != nil:
		out.Permission = Refusal(nod.MessageOf(err))
	case len(out.Permission) == 0:
		out.Permission = Refusal("Nobody answered, so this was not allowed.")
	}
	return &sdk.CallToolResult{Content: text(string(out.Permission))}, nil
}

// Refusal is a deny in the format of a permission prompt tool.
func Refusal(message string) json.RawMessage {
	b, _ := json.Marshal(map[string]string{"behavior": "deny", "message": message})
	return b
}

// ask waits for a person and reports progress meanwhile.
func (s *server) ask(ctx context.Context, c Caller, req *sdk.CallToolRequest, a Asked) (Outcome, error) {
	a.ID = s.idOf(req)
	ctx, done := context.WithCancel(ctx)
	defer done()
	// Not every transport cancels a call when its client is gone.
	defer context.AfterFunc(s.ctx, done)()
	if token := req.Params.GetProgressToken(); token != nil {
		go s.sendProgress(ctx, req, token)
	}
	return s.Hub.Ask(ctx, c, a)
}

// idOf gives a call that is repeated after a lost connection the same id.
func (s *server) idOf(req *sdk.CallToolRequest) nod.RequestID {
	call, _ := req.Params.GetMeta()["claudecode/toolUseId"].(string)
	if call == "" {
		return NewID()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asks[call] == "" {
		s.asks[call] = NewID()
	}
	return s.asks[call]
}

// sendProgress counts up without a total, because it is unknown how long a person takes.
func (s *server) sendProgress(ctx context.Context, req *sdk.CallToolRequest, token any) {
	tick := time.NewTicker(s.Beat)
	defer tick.Stop()
	for n := 1; ; n++ {
		message := "Waiting for a person"
		if n > 1 {
			message += fmt.Sprintf(" (%s)", (time.Duration(n-1) * s.Beat).Round(time.Second))
		}
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: message})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
