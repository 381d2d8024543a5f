package nod

import (
	"encoding/json"
	"slices"
	"time"
)

// RequestID identifies a request. People type its first letters.
type RequestID string

// Request is a decision asked of a person.
type Request struct {
	ID          RequestID       `json:"id"`
	Agent       AgentRef        `json:"agent"`
	Kind        RequestKind     `json:"kind"`
	Tool        string          `json:"tool,omitempty"`
	Title       string          `json:"title"`             // one line: what is asked
	Display     string          `json:"display,omitempty"` // what to read before answering; drawn with Visible
	Input       json.RawMessage `json:"input,omitempty"`   // exactly what the agent will run
	Risk        *Risk           `json:"risk,omitempty"`
	Questions   []Question      `json:"questions,omitempty"`
	Options     []Option        `json:"options,omitempty"`
	Suggestions []Suggestion    `json:"suggestions,omitempty"`
	Link        string          `json:"link,omitempty"` // elicitation: a page to open
	CanEdit     bool            `json:"can_edit"`
	EditField   string          `json:"edit_field,omitempty"` // the input's main text, which a plain edit replaces
	CanAlways   bool            `json:"can_always"`
	OneTap      bool            `json:"one_tap"`          // safe to allow or deny without opening it
	Unsure      bool            `json:"unsure,omitempty"` // the dialog may be about something else than the input: only a person who reads it may answer
	Dialog      Dialog          `json:"dialog"`
	AskedAt     time.Time       `json:"asked_at"`
	ExpiresAt   *time.Time      `json:"expires_at,omitempty"`
	Status      Status          `json:"status"`
	Decision    *Decision       `json:"decision,omitempty"`
	Withdrawal  *Withdrawal     `json:"withdrawal,omitempty"`
	Receipts    []Receipt       `json:"receipts,omitempty"`
	Call        string          `json:"call,omitempty"` // the agent's own id of the tool call, if known
	Seq         Seq             `json:"seq"`            // its position in the log; lists are paged by it
}

// RequestKind is the kind of answer that a request needs.
type RequestKind string

const (
	KindApproval    RequestKind = "approval"
	KindQuestion    RequestKind = "question"
	KindPlan        RequestKind = "plan"
	KindElicitation RequestKind = "elicitation"
)

// Status is the state of a request. Only pending ones can be answered.
type Status string

const (
	Pending   Status = "pending"
	Decided   Status = "decided"
	Expired   Status = "expired"
	Withdrawn Status = "withdrawn"
)

// Dialog says what the agent's own terminal shows meanwhile.
type Dialog string

const (
	DialogBeside Dialog = "beside" // a dialog is open too; the first answer wins
	DialogAfter  Dialog = "after"  // nothing until nod steps aside
	DialogNever  Dialog = "never"  // no terminal at all
)

// Risk is what could go wrong, readable at a glance.
type Risk struct {
	Level  string `json:"level"`
	Reason string `json:"reason,omitempty"`
}

// Option is a choice that a request offers beyond a plain yes or no.
type Option struct {
	ID     string          `json:"id"`
	Kind   OptionKind      `json:"kind"`
	Label  string          `json:"label"`            // its exact meaning: a rule, a mode
	Detail string          `json:"detail,omitempty"` // where it is kept, how far it reaches
	Rules  []string        `json:"rules,omitempty"`  // a lease: what it would allow
	Update json.RawMessage `json:"update,omitempty"` // the driver's own words for it, echoed as they came
}

// OptionKind says when an option may be chosen.
type OptionKind string

const (
	OptionAlways OptionKind = "always" // with allow: make it a rule
	OptionMode   OptionKind = "mode"   // with an approved plan: how to continue
	OptionLease  OptionKind = "lease"  // with allow: also allow things of this kind for a while
)

// Suggestion is a short reply offered to the person; every surface with buttons
// uses it.
type Suggestion struct {
	Label  string `json:"label"`
	Emoji  string `json:"emoji,omitempty"`
	Answer Answer `json:"answer"`
}

// Withdrawal says why a request needs no answer any more.
type Withdrawal struct {
	Reason  WithdrawReason `json:"reason"`
	Outcome string         `json:"outcome,omitempty"` // if known: allowed, denied, answered
	Detail  string         `json:"detail,omitempty"`
	Answers Answers        `json:"answers,omitempty"`
	At      time.Time      `json:"at"`
}

// WithdrawReason is why a request was withdrawn.
type WithdrawReason string

const (
	WithdrawnTerminal   WithdrawReason = "terminal"    // answered in the agent's own dialog
	WithdrawnHost       WithdrawReason = "host"        // answered on the agent's own machine, by a person or a rule there
	WithdrawnEnded      WithdrawReason = "ended"       // the agent is gone
	WithdrawnSuperseded WithdrawReason = "superseded"  // the agent continued without it
	WithdrawnHandedBack WithdrawReason = "handed_back" // left to the terminal, because no one was there to answer
	WithdrawnLost       WithdrawReason = "lost"        // the waiting process vanished; only the terminal can answer now
)

// Known outcomes of a withdrawn request.
const (
	WasAllowed  = "allowed"
	WasDenied   = "denied"
	WasAnswered = "answered"
)

// Settled reports whether the request can no longer be answered.
func (r *Request) Settled() bool { return r.Status != Pending }

// Option returns an offered option.
func (r *Request) Option(kind OptionKind, id string) (Option, bool) {
	i := slices.IndexFunc(r.Options, func(o Option) bool {
		return o.Kind == kind && (o.ID == id || id == string(RememberFirst))
	})
	if i < 0 {
		return Option{}, false
	}
	return r.Options[i], true
}

// Replies are the suggestions that say more than the buttons which every surface has
// anyway: allow, deny, and the options that it offers.
func (r *Request) Replies() []Suggestion {
	return slices.DeleteFunc(slices.Clone(r.Suggestions), func(s Suggestion) bool {
		a := s.Answer
		_, offered := r.Option(OptionAlways, string(a.Remember))
		plain := a.Message == "" && !a.Stop && a.Mode == "" && a.Lease == nil && len(a.Input) == 0 && (a.Remember == "" || offered)
		return r.Kind == KindApproval && a.Verdict != VerdictAnswer && plain
	})
}

// clone copies deeply enough for State.Apply: the parts that events change.
func (r *Request) clone() *Request {
	c := *r
	c.Receipts = slices.Clone(r.Receipts)
	return &c
}
