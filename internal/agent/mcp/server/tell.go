package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
)

func (s *server) notifyPerson(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Message   string `json:"message"`
		Important bool   `json:"important"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if err := s.Hub.Tell(ctx, c, Note{Text: in.Message, Important: in.Important}); err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: text("The person's devices show it. Do not wait for an answer.")}, nil
}

func (s *server) showProgress(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct {
		Message string  `json:"message"`
		Done    float64 `json:"done"`
		Total   float64 `json:"total"`
	}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if err := s.Hub.Tell(ctx, c, Note{Text: in.Message, Progress: true, Done: in.Done, Total: in.Total}); err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{Content: text("Shown.")}, nil
}

// usualDecisions is the default limit.
const usualDecisions = 10

func (s *server) getDecisions(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in := struct {
		Limit int `json:"limit"`
	}{usualDecisions}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	list, err := s.Hub.Decisions(ctx, c, in.Limit)
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(list))
	for i, d := range list {
		lines[i] = d.line()
	}
	if len(list) == 0 {
		list, lines = []Decided{}, []string{"Nothing was decided about your requests yet."}
	}
	return &sdk.CallToolResult{Content: text(strings.Join(lines, "\n")), StructuredContent: map[string]any{"decisions": list}}, nil
}

// line is a decision in the list for the model.
func (d Decided) line() string {
	how := string(d.Status)
	if d.Verdict != "" {
		how = string(d.Verdict)
	}
	line := fmt.Sprintf("%s %s: %s", d.At.UTC().Format(time.RFC3339), how, nod.Fold(nod.OneLine(d.Title), 200))
	for _, a := range d.Answers {
		line += " → " + nod.OneLine(a.Joined())
	}
	if d.Message != "" {
		line += " (" + nod.OneLine(d.Message) + ")"
	}
	if d.Automatic {
		line += " [by a rule]"
	}
	return line
}
