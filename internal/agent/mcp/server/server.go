package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nod"
)

// Options are what a server needs.
type Options struct {
	Hub     Hub
	Caller  Caller
	Version string
	Log     *slog.Logger // nil: nothing is logged
	Beat    time.Duration
}

// server is the tools, bound to one agent.
type server struct {
	Options
	ctx context.Context
	sdk *sdk.Server

	mu    sync.Mutex
	watch sync.Once
	asks  map[string]nod.RequestID // by the agent's own id of the tool call
}

// beat is the interval of progress reports during a wait: some programs give up on a
// silent tool.
const beat = 15 * time.Second

// instructions are read by the agent's model, which is why they are English.
const instructions = `nod connects you to the person you work for, wherever they are.
Use ask_person when you need a decision, a preference or a fact that only they have, and going on without it would be wrong or costly; it waits until they answer. Ask one thing at a time and offer options where you can.
Use notify_person for news that needs no answer. Use show_progress in long work.
You cannot answer yourself: answers come from a person only.`

// New makes a server for one agent. What it starts ends with ctx.
func New(ctx context.Context, o Options) *sdk.Server {
	if o.Beat == 0 {
		o.Beat = beat
	}
	s := &server{Options: o, ctx: ctx, asks: map[string]nod.RequestID{}}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "nod", Title: "nod", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: o.Log,
		Capabilities:       &sdk.ServerCapabilities{},
		SubscribeHandler:   func(_ context.Context, req *sdk.SubscribeRequest) error { return s.subscribe(req) },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	s.addTools()
	s.addResources()
	return s.sdk
}

// handler runs a tool. The model gets its error.
type handler func(ctx context.Context, c Caller, req *sdk.CallToolRequest) (*sdk.CallToolResult, error)

func (s *server) add(t *sdk.Tool, h handler) {
	s.sdk.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result, err := h(ctx, s.caller(req.ClientInfo()), req)
		if err == nil {
			return result, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err() // the client no longer waits
		}
		failed := &sdk.CallToolResult{}
		failed.SetError(withoutCause(err))
		return failed, nil
	})
}

// caller is the agent; its first call marks it as present.
func (s *server) caller(client *sdk.Implementation) Caller {
	c := s.Caller
	if client != nil {
		c.Client = client.Name
	}
	s.watch.Do(func() { go s.follow(c) })
	return c
}

// follow notifies subscribers of changes until the server ends.
func (s *server) follow(c Caller) {
	err := s.Hub.Watch(s.ctx, c, func() {
		for _, uri := range []string{uriStatus, uriContext} {
			_ = s.sdk.ResourceUpdated(s.ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		}
	})
	if err != nil && s.Log != nil && s.ctx.Err() == nil {
		s.Log.Warn("changes are not told any more", "err", err)
	}
}

// withoutCause is the part of an error that the model may read.
func withoutCause(err error) error { return nod.Errorf(nod.CodeOf(err), "%s", nod.MessageOf(err)) }

// arguments ignores unknown names: models invent some.
func arguments(req *sdk.CallToolRequest, into any) error {
	raw := req.Params.Arguments
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return nod.Errorf(nod.Invalid, "the arguments do not fit the tool's schema: %s", err)
	}
	return nil
}

func text(t string) []sdk.Content { return []sdk.Content{&sdk.TextContent{Text: t}} }

// pretty is JSON as the original project prints it.
func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return "{}"
	}
	return string(b)
}

// NewID is the id of a request: unguessable, with a beginning that is easy to type.
func NewID() nod.RequestID {
	var b [10]byte
	_, _ = rand.Read(b[:]) // never fails
	return nod.RequestID(hex.EncodeToString(b[:]))
}
