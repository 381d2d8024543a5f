package voicepe

import (
	"cmp"
	"context"
	"encoding/json"
	"time"
)

// The topics of the older homelab, below the prefix. Answers come on the same
// topic as in the newer design.
const (
	homelabCommand  = "/command"
	homelabResponse = "/home/response"
	homelabRequest  = "/approval-request"
)

// olderRequest is an approval in the older form.
type olderRequest struct {
	RequestID string          `json:"requestId"`
	Tool      string          `json:"toolName"`
	Input     json.RawMessage `json:"input"`
	Session   string          `json:"sessionId"`
	Device    string          `json:"sourceDevice"`
	At        string          `json:"timestamp"`
}

// olderResponse is an answer in the older form: answer, complete or error.
type olderResponse struct {
	Type    string `json:"type"`
	Content string `json:"content,omitempty"`
	Session string `json:"sessionId,omitempty"`
	At      string `json:"timestamp"`
}

// sayOlder says the same as r on the older topics.
func (p *publisher) sayOlder(ctx context.Context, r response) error {
	at := p.Now().UTC().Format(time.RFC3339Nano)
	switch r.Type {
	case typeApproval, typeMulti:
		tool := "Bash"
		if pending := p.Hub.Pending(requestOf(r.RequestID)); pending != nil {
			tool = cmp.Or(pending.Tool, tool)
		}
		input, err := json.Marshal(map[string]string{"command": r.Command, "description": r.Speech})
		if err != nil {
			return err
		}
		return p.send(ctx, homelabRequest, olderRequest{RequestID: r.RequestID, Tool: tool, Input: input, Session: r.Conversation, Device: "nod", At: at})
	case typeQuestion, typeResponse:
		if err := p.send(ctx, homelabResponse, olderResponse{Type: "answer", Content: r.Text, Session: r.Conversation, At: at}); err != nil {
			return err
		}
		return p.send(ctx, homelabResponse, olderResponse{Type: "complete", Session: r.Conversation, At: at})
	case typeError:
		return p.send(ctx, homelabResponse, olderResponse{Type: "error", Content: r.Text, Session: r.Conversation, At: at})
	}
	return nil
}
