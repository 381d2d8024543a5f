package nod

import (
	"slices"
	"time"
)

// AgentID identifies one agent session for its whole life.
type AgentID string

// Agent is one running agent session: where it runs, what it does, how to reach it.
type Agent struct {
	ID        AgentID       `json:"id"`
	Kind      string        `json:"kind"` // the program: "claude"
	Name      string        `json:"name"`
	Host      string        `json:"host"`
	Hub       string        `json:"hub,omitempty"` // with several hubs, the one on the agent's machine: only its drivers reach the agent
	Cwd       string        `json:"cwd"`
	State     AgentState    `json:"state"`
	Since     time.Time     `json:"since"`           // when it entered this state
	Tool      string        `json:"tool,omitempty"`  // current activity: "Bash: go test ./..."
	Mode      string        `json:"mode,omitempty"`  // permission mode, in the agent's own term
	Model     string        `json:"model,omitempty"` // in the agent's own term
	Prompt    string        `json:"prompt,omitempty"`
	Subagents []Subagent    `json:"subagents,omitempty"`
	Until     *time.Time    `json:"until,omitempty"`   // limited: when it may continue, if known
	Problem   string        `json:"problem,omitempty"` // limited, error, ended: why
	NeedsYou  string        `json:"needs_you,omitempty"`
	Process   *Process      `json:"process,omitempty"`
	Talk      *Conversation `json:"conversation,omitempty"` // set if it has no terminal: nod runs its program
	Context   *Context      `json:"context,omitempty"`      // how full its context is, as far as it has reported
	Can       []Ability     `json:"can,omitempty"`          // what its driver can do with it
	Stopping  *Stopping     `json:"stopping,omitempty"`     // a stop was requested and has not taken effect yet
	Started   time.Time     `json:"started_at"`
	Seen      time.Time     `json:"seen_at"`
}

// AgentState is what an agent is doing, as a person would say it.
type AgentState string

const (
	AgentIdle    AgentState = "idle"
	AgentWorking AgentState = "working"
	AgentWaiting AgentState = "waiting" // it has a pending request
	AgentLimited AgentState = "limited" // the provider's usage limit
	AgentError   AgentState = "error"
	AgentEnded   AgentState = "ended"
)

// Ability is something a driver can do with an agent.
type Ability string

const (
	CanSay        Ability = "say"        // it accepts messages
	CanInterrupt  Ability = "interrupt"  // its current work can be stopped
	CanBackground Ability = "background" // it can be moved to the background
	CanMode       Ability = "mode"       // its permission mode can be switched
)

// Context is how much of an agent's context window is used.
type Context struct {
	Tokens int `json:"tokens"`
	Window int `json:"window,omitempty"` // the total; 0: unknown
}

// Stopping is a stop request that the agent has not obeyed yet.
type Stopping struct {
	By  string    `json:"by"`
	Via string    `json:"via"`
	At  time.Time `json:"at"`
}

// Able reports whether the agent's driver has an ability.
func (a *Agent) Able(x Ability) bool { return slices.Contains(a.Can, x) }

// Subagent is an agent inside an agent; its requests come in its parent's name.
type Subagent struct {
	ID    string    `json:"id"`
	Type  string    `json:"type,omitempty"`
	Since time.Time `json:"since"`
}

// Process is how to find an agent on its machine.
type Process struct {
	PID    int    `json:"pid,omitempty"`
	Start  uint64 `json:"start,omitempty"`  // with PID: tells a reused pid from the old process
	Local  bool   `json:"local,omitempty"`  // on the hub's own machine
	Pane   string `json:"pane,omitempty"`   // tmux pane
	Tmux   string `json:"tmux,omitempty"`   // socket of the tmux server that owns the pane
	Run    string `json:"run,omitempty"`    // socket of nod run
	Status string `json:"status,omitempty"` // the file with its live status, if it has one
}

// Alive reports whether the session still runs, as far as nod knows.
func (a *Agent) Alive() bool { return a.State != AgentEnded }

// Ref is the short form that a Request carries.
func (a *Agent) Ref() AgentRef {
	return AgentRef{ID: a.ID, Name: a.Name, Host: a.Host, Cwd: a.Cwd, Kind: a.Kind}
}

// Enter changes the state and records when. Entering the current state again changes nothing, so that Since stays
// true.
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
		a.Stopping = nil
	}
}

// clone copies deeply enough that changes to the copy do not show in a.
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
	Subagent *Subagent `json:"subagent,omitempty"` // the subagent that asks
}
