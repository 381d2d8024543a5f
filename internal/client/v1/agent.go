package v1

import "nod"

// AgentList is a list of agents, oldest first.
type AgentList struct {
	Agents []*nod.Agent `json:"agents"`
}

// TurnList is a part of a conversation, newest first.
type TurnList struct {
	Turns []DrawnTurn `json:"turns"`
}

// DrawnTurn is a turn, with HTML when the caller asks for it.
type DrawnTurn struct {
	nod.Turn
	HTML string `json:"html,omitempty"`
}

// AssistantList is the assistants that a conversation can be opened with. The first
// is the default.
type AssistantList struct {
	Assistants []nod.Assistant `json:"assistants"`
}

// NewConversation opens a conversation. The sender chooses its id: sent again, it is
// the same conversation.
type NewConversation struct {
	ID        nod.AgentID `json:"id,omitempty"`        // 8 to 64 letters, digits and dashes; without it the hub chooses
	Assistant string      `json:"assistant,omitempty"` // without it the first one
	Name      string      `json:"name,omitempty"`      // for people to read
	Room      string      `json:"room,omitempty"`      // where it is held
	User      string      `json:"user,omitempty"`      // with whom
	Language  string      `json:"language,omitempty"`  // what it is held in, such as pl
	Context   int         `json:"context,omitempty"`   // seconds of silence after which it is over; 0: it stays
}

// NewMessage is a person's message to an agent. The sender chooses its id: sent
// again, it is the same message.
type NewMessage struct {
	ID       nod.MessageID `json:"id"`
	Text     string        `json:"text"`
	WhenBusy nod.WhenBusy  `json:"when_busy,omitempty"`
	Files    []string      `json:"files,omitempty"` // ids of attachments
}

// NewKey presses a key of an agent's terminal.
type NewKey struct {
	Key string `json:"key"` // "background" or "mode"
}

// Advice is a row of buttons that fits the moment.
type Advice struct {
	Suggestions []Button `json:"suggestions"`
}

// Button is one suggestion: what it shows and, separately, what it does.
type Button struct {
	ID     string `json:"id"`               // its name in this row
	Label  string `json:"label"`            // at most ten cells of a screen; a kanji takes two
	Detail string `json:"detail,omitempty"` // the same in full, where there is room for it
	Emoji  string `json:"emoji,omitempty"`
	Hold   bool   `json:"hold,omitempty"` // only a long press may do it
	Do     Act    `json:"do"`
}

// Act is what a button does. Kind says which of the fields count.
type Act struct {
	Kind    string        `json:"kind"`              // What a press does: decide, say, stop, background, page or open. Newer hubs may know more; leave out buttons that you cannot do.
	Request nod.RequestID `json:"request,omitempty"` // decide, open: which request
	Answer  *nod.Answer   `json:"answer,omitempty"`  // decide: what is answered
	Text    string        `json:"text,omitempty"`    // say: what the agent is told
	Page    int           `json:"page,omitempty"`    // page: which one to show
}

// HostList is the linked machines, and the hubs that share the log.
type HostList struct {
	Hosts []Host `json:"hosts"`
}

// Host is another machine, or one of several hubs.
type Host struct {
	nod.Host
	Agents  int `json:"agents"`  // that live
	Pending int `json:"pending"` // requests of theirs that wait
}
