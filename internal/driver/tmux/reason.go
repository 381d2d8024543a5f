package tmux

// Why a message did not arrive, for the person who sent it: what happened and
// what to do next. They are recorded, so they are in one language.
const (
	whyGone        = "Its terminal is gone, or runs something else now. Nothing was typed."
	whyGoneTyped   = "Its terminal went away before the message was sent."
	whyDialog      = "A dialog has been open in its terminal for a minute. Answer it first, then send this again."
	whyDraft       = "Somebody is typing in its terminal. Send this again when they are done."
	whyNoBox       = "Its input box cannot be seen: something else covers it. Look at the terminal, then send this again."
	whyNotIdle     = "It did not stop when it was interrupted. Send this again, or stop it first."
	whyNotTyped    = "The text did not show up in its input box. Nothing was sent."
	whyNotSent     = "It was typed, but Enter did not send it, three times. It was taken out of the input box again."
	whyUnconfirmed = "It was typed and sent, but the agent has not confirmed it. Look at the conversation before you send it again."
	whyUnknown     = "It was typed just before nod was restarted, and nothing shows whether it was sent. Look at the conversation before you send it again."
	whyNoAnswer    = "Its terminal does not answer; perhaps it is suspended. Nothing was typed."
	whySuspended   = "It is suspended. Bring it back with fg in its terminal, then send this again."
)
