package show

import (
	"nod"
	"nod/internal/cli/term"
)

func agentSymbol(a *nod.Agent) (string, term.Tone) {
	if a.Stopping != nil {
		return term.SymbolWorking, term.Bad
	}
	switch a.State {
	case nod.AgentWorking:
		return term.SymbolWorking, term.Busy
	case nod.AgentWaiting:
		return term.SymbolAsks, term.Asks
	case nod.AgentLimited:
		return term.SymbolLimited, term.Held
	case nod.AgentError:
		return term.SymbolStopped, term.Bad
	}
	return term.SymbolQuiet, term.Quiet
}

func riskSymbol(level string) (string, term.Tone) {
	switch level {
	case "read":
		return "○", term.Quiet
	case "write":
		return "✎", term.Busy
	case "network":
		return "⇄", term.Held
	case "destructive":
		return "▲", term.Bad
	case "secret":
		return "◉", term.Bad
	}
	return "?", term.Asks
}

// RequestSymbol shows the status of a request.
func RequestSymbol(r *nod.Request) (string, term.Tone) {
	switch {
	case !r.Settled():
		return term.SymbolAsks, term.Asks
	case r.Status == nod.Decided && r.Decision.Verdict == nod.VerdictDeny:
		return term.SymbolStopped, term.Bad
	case r.Status == nod.Decided:
		return term.SymbolDone, term.Good
	}
	return term.SymbolQuiet, term.Quiet
}
