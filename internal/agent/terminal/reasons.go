package terminal

// Why a message was not delivered, for its sender: what happened and what to do next.
// They are recorded, so they are in one language.
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

// Why a key was not pressed, or did nothing.
const (
	keyGone    = "Its terminal is gone, or runs something else now. The key was not pressed."
	keyDialog  = "A dialog is open in its terminal, where the key would mean something else. Answer it first."
	keyStop    = "It was told to stop, so the key was not pressed."
	keyTyping  = "Somebody is typing in its terminal. The key was not pressed; try again in a moment."
	keyNoBox   = "Its input box cannot be seen: something else covers it. Look at the terminal; the key was not pressed."
	keyMenu    = "Something in its input box would take the key for itself. Clear the box in its terminal, then try again."
	keyNothing = "Nothing runs that could go on in the background. Claude Code offers it for commands and helpers that take more than a few seconds."
	keyNoUse   = "The key was pressed, but nothing came of it. Look at the terminal."
	keyNoMode  = "Shift+Tab was pressed, but its mode did not change. Look at the terminal."
	keyLate    = "Its terminal was busy with something else for too long. The key was not pressed; try again."
	keySilent  = "Its terminal does not answer; perhaps it is suspended. The key was not pressed."
)
