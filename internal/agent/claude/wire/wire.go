package wire

// How `nod hook` and the hub talk: the payload goes as it came, as the body of
// POST Intake; what else the hook knows goes in these headers.
const (
	Intake = "/v1/hooks/claude"

	HeaderAsk    = "Nod-Ask"    // the id of the request, chosen by the hook: asking again with it asks nothing twice
	HeaderAgain  = "Nod-Again"  // set when it was asked before: it may be settled, and long ago
	HeaderHost   = "Nod-Host"   // the machine the agent runs on
	HeaderPID    = "Nod-Pid"    // of Claude Code
	HeaderPane   = "Nod-Pane"   // tmux pane
	HeaderTmux   = "Nod-Tmux"   // socket of the tmux server
	HeaderRun    = "Nod-Run"    // socket of nod run, if the agent runs in one
	HeaderStatus = "Nod-Status" // the session's status file
	HeaderEntry  = "Nod-Entry"  // how Claude Code was started, in its own word
	HeaderResets = "Nod-Resets" // with a usage limit: when it ends, in seconds since 1970
)

// While a hook waits the hub sends an empty line now and then, so that a hung
// hub can be told from a slow person; the last line is the decision, and none
// at all means: nothing to say, the terminal's own dialog decides.
const (
	HeartbeatSeconds = 5
	SilenceSeconds   = 20 // no line for so long: the hub hangs
)

// HeadlessEntry is the entry of `claude -p`, which has no dialog to fall back on:
// without an answer from a hook the call is denied.
const HeadlessEntry = "sdk-cli"

// What a hook tells about its request: POST Intake/{id} with a Word.
type HookReport struct {
	Event  string `json:"event"`            // Delivered or Closed
	Status string `json:"status,omitempty"` // with Closed: what the status file says now, or BySignal or ByDeath
}

// The words of a hook.
const (
	Delivered = "delivered" // the decision was written to Claude Code
	Closed    = "closed"    // the dialog was closed in the terminal
)

// DeliveredMark is how a hook on the hub's machine says Delivered: one byte on
// the connection it waited on. It need not wait for an answer, and Claude Code
// waits for it to end.
const DeliveredMark = 'd'

// What a Closed says where the status file does not.
const (
	BySignal = "signal" // the hook was told to end: refused or interrupted
	ByDeath  = "gone"   // the process that started the hook has died
)

// EnvHeadless is the variable that a hub sets for the programs it keeps itself. It
// hears from them at first hand, so their hooks end at once: they would only tell
// everything twice.
const EnvHeadless = "NOD_HEADLESS"
