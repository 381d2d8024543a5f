package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
)

// The results below have the shapes of the original project: the text of its direct
// server, and as structured content the object of its HTTP interface.

func (s *server) updateContext(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Context string `json:"context"`
		Detail  string `json:"detail"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if in.Context == "" {
		return nil, nod.Errorf(nod.Invalid, "context is missing: one of %s", contexts)
	}
	keys, err := s.Hub.Keys(ctx, c, &Change{Context: in.Context, Detail: in.Detail})
	if err != nil {
		return nil, err
	}
	why := Reason(keys.Context)
	lines := fmt.Sprintf("Context: %s\nButtons: %s\nReasoning: %s", keys.Context.Type, strings.Join(keys.Context.Buttons[:], ", "), why)
	return &sdk.CallToolResult{Content: text(lines), StructuredContent: map[string]any{
		"success": true, "context": keys.Context.Type, "buttons": keys.Context.Buttons, "reasoning": why,
	}}, nil
}

// Reason explains the keys in a sentence.
func Reason(c Context) string {
	if c.Buttons == ([keyCount]string{}) {
		return "Nothing is suggested."
	}
	return fmt.Sprintf("Suggestions for %s. What waits for an answer always comes first on the keys.", c.Type)
}

func (s *server) setButtons(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in Change
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	for _, list := range []struct {
		name     string
		items    []string
		required bool
	}{{"buttons", in.Buttons, true}, {"actions", in.Actions, false}, {"images", in.Images, false}} {
		if n := len(list.items); n != keyCount && (list.required || n > 0) {
			return nil, nod.Errorf(nod.Invalid, "%s must be %d strings, one for each key, not %d", list.name, keyCount, n)
		}
	}
	keys, err := s.Hub.Keys(ctx, c, &Change{Buttons: in.Buttons, Actions: in.Actions, Images: in.Images})
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content:           text("Buttons set: " + strings.Join(keys.Context.Buttons[:], ", ")),
		StructuredContent: map[string]any{"success": true, "buttons": keys.Context.Buttons},
	}, nil
}

func (s *server) getStatus(ctx context.Context, c Caller, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	keys, err := s.Hub.Keys(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: text(pretty(keys)), StructuredContent: keys}, nil
}

// The resources, with the original's addresses.
const (
	uriStatus  = "tkeyboard://status"
	uriContext = "tkeyboard://context"
)

func (s *server) addResources() {
	add := func(uri, name, about string, part func(Keys) any) {
		s.sdk.AddResource(&sdk.Resource{URI: uri, Name: name, Description: about, MIMEType: "application/json"},
			func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
				keys, err := s.Hub.Keys(ctx, s.caller(req.ClientInfo()), nil)
				if err != nil {
					return nil, withoutCause(err)
				}
				b, err := json.Marshal(part(keys))
				if err != nil {
					return nil, err
				}
				return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(b)}}}, nil
			})
	}
	add(uriStatus, "Keyboard status", "Whether a keyboard is there, and what it shows", func(k Keys) any {
		return map[string]any{"connected": k.Connected, "sessionId": k.Session, "currentButtons": k.Context.Buttons, "currentContext": k.Context.Type}
	})
	add(uriContext, "Keyboard context", "What the keys show and why", func(k Keys) any { return k.Context })
}

func (s *server) subscribe(req *sdk.SubscribeRequest) error {
	if uri := req.Params.URI; uri != uriStatus && uri != uriContext {
		return sdk.ResourceNotFoundError(uri)
	}
	s.caller(req.ClientInfo())
	return nil
}
