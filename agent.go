package nod

import (
	"slices"
	"time"
)

// AgentID names one agent session for its whole life.
type AgentID string

// Agent is one running agent session: where it runs, what it does, how it can
// be reached.
type Agent struct {
	ID        AgentID       `json:"id"`
	Kind      string        `json:"kind"` // which program: "claude"
	Name      string        `json:"name"`
	Host      string        `json:"host"`
	Hub       string        `json:"hub,omitempty"` // of several hubs, the one on its machine: its drivers alone reach it
	Cwd       string        `json:"cwd"`
	State     AgentState    `json:"state"`
	Since     time.Time     `json:"since"`           // when it came into this state
	Tool      string        `json:"tool,omitempty"`  // what it is doing now: "Bash: go test ./..."
	Mode      string        `json:"mode,omitempty"`  // permission mode, in the agent's own word
	Model     string        `json:"model,omitempty"` // in the agent's own word
	Prompt    string        `json:"prompt,omitempty"`
	Subagents []Subagent    `json:"subagents,omitempty"`
	Until     *time.Time    `json:"until,omitempty"`   // limited: when it may go on, if known
	Problem   string        `json:"problem,omitempty"` // limited, error, ended: why
	NeedsYou  string        `json:"needs_you,omitempty"`
	Process   *Process      `json:"process,omitempty"`
	Talk      *Conversation `json:"conversation,omitempty"` // it has no terminal: nod keeps its program
	Context   *Context      `json:"context,omitempty"`      // how full its memory is, as far as it told
	Can       []Ability     `json:"can,omitempty"`          // what its driver can do with it
	Stopping  *Stopping     `json:"stopping,omitempty"`     // somebody told it to stop, and it has not yet
	Started   time.Time     `json:"started_at"`
	Seen      time.Time     `json:"seen_at"`
}

// AgentState is what an agent is doing, as a person would say it.
type AgentState string

// The states of an agent.
const (
	AgentIdle    AgentState = "idle"
	AgentWorking AgentState = "working"
	AgentWaiting AgentState = "waiting" // a request of it is pending
	AgentLimited AgentState = "limited" // the provider's usage limit
	AgentError   AgentState = "error"
	AgentEnded   AgentState = "ended"
)

// Ability is something that a driver can do with an agent.
type Ability string

// The abilities.
const (
	CanSay        Ability = "say"        // words reach it
	CanInterrupt  Ability = "interrupt"  // it can be stopped where it is
	CanBackground Ability = "background" // it can be sent to the background
	CanMode       Ability = "mode"       // its permission mode can be switched
)

// Context is how much of what an agent can keep in mind is used.
type Context struct {
	Tokens int `json:"tokens"`
	Window int `json:"window,omitempty"` // how much there is; 0: unknown
}

// Stopping is an order to stop that the agent has not followed yet.
type Stopping struct {
	By  string    `json:"by"`
	Via string    `json:"via"`
	At  time.Time `json:"at"`
}

// Able reports whether the agent's driver can do something with it.
func (a *Agent) Able(x Ability) bool { return slices.Contains(a.Can, x) }

// Subagent is an agent inside an agent; it asks in its parent's name.
type Subagent struct {
	ID    string    `json:"id"`
	Type  string    `json:"type,omitempty"`
	Since time.Time `json:"since"`
}

// Process is how an agent is found on its machine.
type Process struct {
	PID    int    `json:"pid,omitempty"`
	Start  uint64 `json:"start,omitempty"`  // with PID: tells a reused pid from the old process
	Local  bool   `json:"local,omitempty"`  // on the hub's own machine
	Pane   string `json:"pane,omitempty"`   // tmux pane
	Tmux   string `json:"tmux,omitempty"`   // the socket of the tmux server that has the pane
	Run    string `json:"run,omitempty"`    // socket of nod run
	Status string `json:"status,omitempty"` // the file in which it keeps its live status, if it has one
}

// Alive reports whether the session still runs, as far as is known.
func (a *Agent) Alive() bool { return a.State != AgentEnded }

// Ref is the short form that a Request carries.
func (a *Agent) Ref() AgentRef {
	return AgentRef{ID: a.ID, Name: a.Name, Host: a.Host, Cwd: a.Cwd, Kind: a.Kind}
}

// Enter changes the state and remembers since when; entering the state one is
// in changes nothing, so that "since" stays true.
func (a *Agent) Enter(s AgentState, now time.Time) {
	if a.State != s {
		a.State, a.Since = s, now
	}
	if s != AgentLimited {
		a.Until = nil
	}
	if s != AgentLimited && s != AgentError && s != AgentEnded {
		a.Problem = ""
	}
	if s != AgentWorking && s != AgentWaiting {
		a.Stopping = nil // it has stopped
	}
}

// clone is deep enough that a change to the copy cannot be seen in a.
func (a *Agent) clone() *Agent {
	c := *a
	c.Subagents = slices.Clone(a.Subagents)
	c.Can = slices.Clone(a.Can)
	if a.Process != nil {
		p := *a.Process
		c.Process = &p
	}
	if a.Talk != nil {
		t := *a.Talk
		c.Talk = &t
	}
	return &c
}

// AgentRef is an agent as seen from one of its requests.
type AgentRef struct {
	ID       AgentID   `json:"id"`
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	Cwd      string    `json:"cwd"`
	Kind     string    `json:"kind"`
	Subagent *Subagent `json:"subagent,omitempty"` // who inside it asks
}
