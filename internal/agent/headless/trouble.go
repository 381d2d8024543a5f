package headless

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"time"

	"nod"
	"nod/internal/agent/claude/stdio"
)

// trouble is why there is no answer: what happened and what to do next. The text is
// recorded, so it is in one language; surfaces translate the word.
type trouble struct {
	word  nod.Trouble
	text  string
	until *time.Time
}

// state is the state of the conversation afterwards.
func (t trouble) state() nod.AgentState {
	switch t.word {
	case nod.TroubleLimit:
		return nod.AgentLimited
	case nod.TroubleLogin, nod.TroubleProgram, nod.TroubleError:
		return nod.AgentError
	}
	return nod.AgentIdle
}

func stoppedBy(who string) trouble {
	if who == "" {
		return trouble{word: nod.TroubleStopped, text: "It was stopped before there was an answer."}
	}
	return trouble{word: nod.TroubleStopped, text: "Stopped by " + who + "."}
}

func tookLong(limit time.Duration) trouble {
	return trouble{word: nod.TroubleTimeout, text: fmt.Sprintf("There was no answer within %s, so it was stopped. Ask for less at once, or raise headless.turn.", limit)}
}

func crashed(exit error) trouble {
	how := ""
	if exit != nil {
		how = " (" + nod.Fold(nod.OneLine(exit.Error()), 80) + ")"
	}
	return trouble{word: nod.TroubleCrash, text: "Claude Code ended in the middle of it" + how + ". Say it again: the conversation goes on where it was."}
}

const restarted = "nod was restarted before there was an answer. Say it again: the conversation goes on where it was."

const notSent = "nod was restarted just when this was sent, and nothing shows whether it was heard. Say it again."

// noProgram explains why no program could be started.
func noProgram(err error) string {
	var path *fs.PathError
	named := errors.As(err, &path) && errors.Is(err, fs.ErrNotExist)
	switch {
	case named && path.Op == "chdir":
		return "The folder of this assistant is not there: " + nod.OneLine(path.Path) + ". Make it, or set cwd in nod.toml."
	case errors.Is(err, exec.ErrNotFound), named && path.Op == "fork/exec":
		return "Claude Code was not found on the hub's machine. Install it there, or set headless.claude to where it is."
	}
	return "Claude Code did not start: " + nod.Fold(nod.OneLine(err.Error()), 300) + ". `nod doctor` on the hub's machine may tell more."
}

// troubleOf reads a result; false when the turn ended well.
func troubleOf(m *stdio.Message, t *turn) (trouble, bool) {
	if !m.IsError && m.Subtype == "success" {
		return trouble{}, false
	}
	said := strings.TrimSpace(m.Result)
	if said == "" {
		said = strings.Join(m.Errors, " ")
	}
	switch code := m.APICode; {
	case strings.HasPrefix(m.Ended, "aborted"):
		return stoppedBy(""), true
	case code == 401 || code == 403 || t.why == "authentication_failed" || strings.Contains(said, "Not logged in") || strings.Contains(said, "/login"):
		return trouble{word: nod.TroubleLogin, text: "Claude Code is not signed in on the hub's machine, or what it signs in with does not hold any more. Run `claude` there once and sign in, then ask again."}, true
	case code == 429 || t.why == "rate_limit" || m.APIError == "usage_limit_reached":
		return limit(t.resets), true
	case code >= 500 || t.why == "overloaded" || t.why == "server_error":
		return trouble{word: nod.TroubleBusy, text: "The provider of the model is overloaded. Ask again in a moment."}, true
	case m.Ended == "prompt_too_long" || code == 413:
		return trouble{word: nod.TroubleError, text: "The conversation has become too long for the model. Begin a new one."}, true
	case m.Ended == "api_error" && code == 0:
		return trouble{word: nod.TroubleBusy, text: "The provider of the model cannot be reached. Look at the hub's connection, then ask again. Claude Code said: " + short(said)}, true
	}
	return trouble{word: nod.TroubleError, text: "Claude Code could not answer: " + short(said)}, true
}

func limit(until *time.Time) trouble {
	text := "The usage limit of the Claude account is reached. "
	if until == nil {
		return trouble{word: nod.TroubleLimit, text: text + "Ask again later."}
	}
	return trouble{word: nod.TroubleLimit, text: text + "It ends at " + until.Format("15:04 MST on 2 January") + "; ask again then.", until: until}
}

func short(said string) string {
	if said == "" {
		return "it did not say why."
	}
	return nod.Fold(nod.OneLine(said), 300)
}
