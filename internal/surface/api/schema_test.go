package api_test

import (
	"crypto/ed25519"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"nod"
)

// words are the types whose JSON differs from what their Go type suggests, and those with
// a short list of values.
func words() map[reflect.Type]*jsonschema.Schema {
	enum := func(values ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: values} }
	text := func(about string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Description: about} }
	reply := &jsonschema.Schema{
		Description: "A label or free text, a list of labels, or both with notes.",
		AnyOf: []*jsonschema.Schema{
			{Type: "string"},
			{Type: "array", Items: &jsonschema.Schema{Type: "string"}},
			{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, Properties: map[string]*jsonschema.Schema{
				"picked": {Type: "array", Items: &jsonschema.Schema{Type: "string"}}, "text": {Type: "string"}, "notes": {Type: "string"},
			}},
		},
	}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():          {Type: "string", Format: "date-time"},
		reflect.TypeFor[json.RawMessage]():    {},
		reflect.TypeFor[[]byte]():             {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[ed25519.PublicKey]():  {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[nod.Rights]():         {Type: "string", Pattern: "^(raise|view|answer|admin)(,(raise|view|answer|admin))*$"},
		reflect.TypeFor[nod.Hash]():           {Type: "string", Pattern: "^[0-9a-f]{64}$"},
		reflect.TypeFor[nod.Reply]():          reply,
		reflect.TypeFor[nod.Remember]():       {AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "boolean"}}},
		reflect.TypeFor[nod.EventKind]():      text("What happened. Newer hubs may know more kinds than this list: agent.changed, request.raised, request.decided, request.withdrawn, request.expired, request.receipt, turn.taken, message.said, message.typed, message.delivered, message.failed, lease.granted, lease.ended, stop.pressed, key.pressed, access.refused, hub.started."),
		reflect.TypeFor[nod.Code]():           enum(nod.Invalid, nod.Unauthorized, nod.Forbidden, nod.ProofNeeded, nod.NotFound, nod.Conflict, nod.Unreachable, nod.Unprocessable, nod.TooLarge, nod.Gone, nod.Unavailable, nod.Internal),
		reflect.TypeFor[nod.Verdict]():        enum(nod.VerdictAllow, nod.VerdictDeny, nod.VerdictAnswer),
		reflect.TypeFor[nod.RequestKind]():    enum(nod.KindApproval, nod.KindQuestion, nod.KindPlan, nod.KindElicitation),
		reflect.TypeFor[nod.Status]():         enum(nod.Pending, nod.Decided, nod.Expired, nod.Withdrawn),
		reflect.TypeFor[nod.AgentState]():     enum(nod.AgentIdle, nod.AgentWorking, nod.AgentWaiting, nod.AgentLimited, nod.AgentError, nod.AgentEnded),
		reflect.TypeFor[nod.ActorKind]():      enum(nod.ActorPerson, nod.ActorDevice, nod.ActorAgent, nod.ActorPolicy, nod.ActorSystem),
		reflect.TypeFor[nod.OptionKind]():     enum(nod.OptionAlways, nod.OptionMode, nod.OptionLease),
		reflect.TypeFor[nod.WithdrawReason](): enum(nod.WithdrawnTerminal, nod.WithdrawnHost, nod.WithdrawnEnded, nod.WithdrawnSuperseded, nod.WithdrawnHandedBack, nod.WithdrawnLost),
		reflect.TypeFor[nod.Ability]():        enum(nod.CanSay, nod.CanInterrupt, nod.CanBackground, nod.CanMode),
		reflect.TypeFor[nod.LeaseReason]():    enum(nod.LeaseEndExpired, nod.LeaseEndUsedUp, nod.LeaseEndRevoked, nod.LeaseEndStopped, nod.LeaseEndEnded),
		reflect.TypeFor[nod.Reach]():          enum(nod.ReachSession, nod.ReachFolder, nod.ReachHost),
		reflect.TypeFor[nod.WhenBusy]():       enum(nod.Queue, nod.Interrupt, nod.Wait),
		reflect.TypeFor[nod.MessageStatus]():  enum(nod.Queued, nod.Typed, nod.Delivered, nod.Failed),
		reflect.TypeFor[nod.Trouble]():        text("Why words came to nothing. Newer hubs may know more words than these: login, program, limit, busy, crash, restart, timeout, stopped, refused, error."),
		reflect.TypeFor[nod.Role]():           enum(nod.TurnPerson, nod.TurnAgent, nod.TurnTool, nod.TurnSystem),
		reflect.TypeFor[nod.Step]():           enum(nod.StepRaised, nod.StepStored, nod.StepTold, nod.StepShown, nod.StepDecided, nod.StepDelivered, nod.StepApplied, nod.StepDoubted, nod.StepHeld, nod.StepOverruled),
	}
}

// schemas infers the named types; inside each other they are references.
func schemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	about := comments(t, "../../..", "../../client/v1")
	list := map[string]*jsonschema.Schema{}
	for name, v := range components {
		types := words()
		own := reflect.TypeOf(v)
		for other, w := range components {
			if ty := reflect.TypeOf(w); ty != own && !embeds(own, ty) {
				types[ty] = &jsonschema.Schema{Ref: "#/components/schemas/" + other}
			}
		}
		s, err := jsonschema.ForType(own, &jsonschema.ForOptions{TypeSchemas: types})
		if err != nil {
			t.Fatal(err)
		}
		tidy(s)
		describe(s, own, about)
		if !taken[name] {
			s.AdditionalProperties = nil // newer hubs may send more
		}
		list[name] = s
	}
	// A stranger gets only these three.
	list["Health"].Required = []string{"ok", "status", "version"}
	return list
}

// taken are the types that the hub reads, in which it refuses unknown fields.
var taken = map[string]bool{"Answer": true, "NewConversation": true, "NewKey": true, "NewLease": true, "NewMessage": true, "NewPairing": true, "NewToken": true, "Redemption": true}

func embeds(outer, inner reflect.Type) bool {
	for f := range outer.Fields() {
		if f.Anonymous && (f.Type == inner || f.Type.Kind() == reflect.Pointer && f.Type.Elem() == inner) {
			return true
		}
	}
	return false
}

// tidy removes null: a field is there or it is not.
func tidy(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Types = slices.DeleteFunc(s.Types, func(ty string) bool { return ty == "null" })
	if len(s.Types) == 1 {
		s.Type = s.Types[0]
	}
	if len(s.Types) < 2 {
		s.Types = nil
	}
	for _, p := range s.Properties {
		tidy(p)
	}
	tidy(s.Items)
	tidy(s.AdditionalProperties)
}

// describe puts the comments of the Go fields into the schema.
func describe(s *jsonschema.Schema, ty reflect.Type, about map[string]string) {
	for f := range ty.Fields() {
		inner := f.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if f.Anonymous {
			describe(s, inner, about)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if text := about[ty.Name()+"."+f.Name]; p != nil && text != "" {
			p.Description = text
		}
	}
}

// comments reads the comment behind each field.
func comments(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	about := map[string]string{}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					fieldComments(spec, about)
				}
				return true
			})
		}
	}
	return about
}

func fieldComments(spec *ast.TypeSpec, about map[string]string) {
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			if text := strings.TrimSpace(f.Comment.Text()); text != "" {
				about[spec.Name.Name+"."+name.Name] = text
			}
		}
	}
}
