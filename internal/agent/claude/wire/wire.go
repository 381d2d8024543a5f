package wire

// The hook sends its input to the hub unchanged, as the body of POST Intake, and what
// else it knows in these headers.
const (
	Intake = "/v1/hooks/claude"

	HeaderProtocol = "Nod-Protocol" // the version of the protocol that the hook speaks; hooks before version 2 send none
	HeaderAsk      = "Nod-Ask"      // the id of the request, chosen by the hook: asking again with it asks nothing twice
	HeaderAgain    = "Nod-Again"    // set when it was asked before: it may be settled long since
	HeaderHost     = "Nod-Host"     // the machine the agent runs on
	HeaderPID      = "Nod-Pid"      // of Claude Code
	HeaderPane     = "Nod-Pane"     // tmux pane
	HeaderTmux     = "Nod-Tmux"     // socket of the tmux server
	HeaderRun      = "Nod-Run"      // socket of nod run, if the agent runs in one
	HeaderStatus   = "Nod-Status"   // the session's status file
	HeaderEntry    = "Nod-Entry"    // how Claude Code was started, in its own word
	HeaderResets   = "Nod-Resets"   // with a usage limit: when it ends, in seconds since 1970
)

// While a hook waits, the hub sends an empty line now and then, which tells a slow
// person from a hub that hangs. The last line is the decision; a response that
// ends without one leaves it to the terminal's own dialog.
const (
	HeartbeatSeconds = 5
	SilenceSeconds   = 20 // no line for so long: the hub hangs
)

// HeadlessEntry is the entry of `claude -p`, which has no dialog to fall back on:
// without an answer from a hook the call is denied.
const HeadlessEntry = "sdk-cli"

// HookReport is what a hook reports about its request, with POST Intake/{id}.
type HookReport struct {
	Event  string `json:"event"`            // Delivered or Closed
	Status string `json:"status,omitempty"` // with Closed: what the status file says now, or BySignal or ByDeath
}

// The events of a HookReport.
const (
	Delivered = "delivered" // the decision was written to Claude Code
	Closed    = "closed"    // the dialog was closed in the terminal
)

// DeliveredMark is how a hook before version 2 reports Delivered on the hub's
// machine: one byte on the connection it waited on.
const DeliveredMark = 'd'

// The status of a Closed where the status file does not say.
const (
	BySignal = "signal" // the hook got a signal to end: refused or interrupted
	ByDeath  = "gone"   // the process that started the hook has died
)

// EnvHeadless is the variable that a hub sets for the programs it runs itself. It
// talks to them directly, so their hooks end at once: they would only report
// everything a second time.
const EnvHeadless = "NOD_HEADLESS"
