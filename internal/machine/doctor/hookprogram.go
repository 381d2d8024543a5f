package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"nod/internal/agent/claude/hookprogram"
	"nod/internal/agent/claude/settings"
	"nod/internal/agent/claude/wire"
	"nod/internal/present/words"
)

// hookProgram starts each program once, as Claude Code would, and lets it say what
// it is: the name of a file proves nothing.
func (c *claudeChecks) hookProgram(ctx context.Context) Finding {
	var tried, wrong, better []string
	var at settings.Scope
	for _, h := range c.inspect().handlers() {
		line := hookLine(h)
		if slices.Contains(tried, line) {
			continue
		}
		tried = append(tried, line)
		problem, advice := c.tryHook(ctx, h)
		if problem != "" {
			wrong, at = append(wrong, problem), h.scope
		}
		if advice != "" {
			better, at = append(better, advice), h.scope
		}
	}
	switch {
	case len(wrong) > 0:
		return fail(strings.Join(wrong, "; "), c.setUpAgain(at))
	case len(better) > 0:
		return warn(strings.Join(better, "; "), c.setUpAgain(at))
	case len(tried) == 0:
		return skip(c.Say(words.SkipHooks))
	}
	return fine(strings.Join(tried, ", "))
}

// insideNod reports whether a handler is of the form `nod hook`.
func insideNod(h handler) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(h.Binary)), ".exe")
	return name != wire.HookName
}

// hookLine is what a handler starts, for a person to read.
func hookLine(h handler) string {
	if insideNod(h) {
		return h.Binary + " hook"
	}
	return h.Binary
}

// tryHook returns what is wrong with the program of a handler, or what could be
// better about it.
func (c *claudeChecks) tryHook(ctx context.Context, h handler) (problem, advice string) {
	if h.Problem != "" {
		return c.Say(words.ProgramCannotStart, h.Problem, fmt.Sprintf("%s:%d", h.file, h.Line)), ""
	}
	if strings.ContainsAny(h.Binary, "$%") || strings.HasPrefix(h.Binary, "~") || !c.mayRun(h.scope) {
		return "", ""
	}
	var args []string
	if insideNod(h) {
		args = []string{"hook"}
	}
	is, err := hookprogram.Ask(ctx, h.Binary, c.Getenv("PATH"), args...)
	switch line := hookLine(h); {
	case errors.Is(err, hookprogram.ErrSilent) && insideNod(h): // so do releases before nod-hook
		return "", c.Say(words.HookEarlier, line)
	case errors.Is(err, hookprogram.ErrSilent) || errors.Is(err, hookprogram.ErrOther):
		return c.Say(words.ProgramTalks, line), ""
	case err != nil:
		return c.Say(words.ProgramFails, line, err), ""
	case is.Protocol != wire.Protocol || is.Version != c.Version:
		return "", c.Say(words.HookStale, line, is.Version, c.Version)
	case insideNod(h):
		if _, ok := hookprogram.Beside(ctx, h.Binary, c.Getenv("PATH")); ok {
			advice = c.Say(words.HookInsideNod, line)
		}
	}
	return "", advice
}
