package talk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

func ChatCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("chat [--assistant NAME] [--session ID] [--continue]", words.TopicChat)
	who := targetFlags(c, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkTarget(c, cmd, who); err != nil {
			return err
		}
		ctx, t, stop, err := openConversation(cmd.Context(), c, who)
		if err != nil {
			return err
		}
		defer stop()
		t.printGreeting(ctx, who.session != "" || who.continues)
		return t.chat(ctx)
	}
	return cmd
}

// printGreeting names the agent, and in an old conversation its last words.
func (t *conversation) printGreeting(ctx context.Context, old bool) {
	if !t.interactive {
		return
	}
	t.screen.note(term.Strong, nod.OneLine(t.agent.Name))
	t.screen.note(term.Quiet, t.Say(words.ChatHint))
	if !old {
		return
	}
	turns, err := t.hub.Turns(ctx, t.agent.ID, 0, 20)
	if err != nil {
		return
	}
	turns = slices.DeleteFunc(turns, func(x nod.Turn) bool { return x.Role != nod.TurnPerson && x.Role != nod.TurnAgent })
	for _, x := range slices.Backward(turns[:min(2, len(turns))]) {
		sign := ""
		if x.Role == nod.TurnPerson {
			sign = promptSign
		}
		t.screen.note(term.Quiet, sign+strings.TrimSpace(term.Safe(x.Text)))
	}
}

// chat reads lines until the end. A failure ends one answer, not the chat; in a
// pipe the last one becomes the exit code.
func (t *conversation) chat(ctx context.Context) error {
	var last error
	for warned := false; ; {
		line, err := t.nextLine(ctx)
		switch {
		case errors.Is(err, errInterrupted) && !warned && t.interactive:
			warned = true
			t.screen.note(term.Quiet, t.Say(words.ChatIdle))
			continue
		case err != nil:
			if !t.interactive {
				return last
			}
			return t.printLeave()
		}
		warned = false
		if strings.TrimSpace(line) == "" {
			continue
		}
		if command, ok := slashCommand(line); ok {
			if over, err := t.runCommand(ctx, command); over || err != nil {
				return err
			}
			continue
		}
		t.screen.begin()
		o, err := t.ask(ctx, line)
		if errors.Is(err, errLeft) {
			return t.printLeave()
		}
		if err == nil {
			err = t.printOutcome(o, false)
		}
		if last = err; err == nil {
			continue
		}
		if text, _ := t.Explain(err); text != "" {
			t.screen.note(term.Bad, text)
		}
		if !t.agent.Alive() {
			return console.Fail(console.ExitGone, t.Say(words.TalkOver))
		}
		last = console.Fail(console.ExitFailed, "")
	}
}

// nextLine reads a line; Ctrl+C is errInterrupted.
func (t *conversation) nextLine(ctx context.Context) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		line string
		err  error
	}
	typed := make(chan result, 1)
	go func() {
		line, err := t.lines.line(ctx, promptSign, 0)
		typed <- result{line, err}
	}()
	select {
	case r := <-typed:
		return r.line, r.err
	case <-t.signals: // only when the terminal is not in raw mode
		cancel()
		<-typed
		return "", errInterrupted
	}
}

// slashCommand recognises commands: a slash and one word at the start. A path is
// no command.
func slashCommand(line string) (string, bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "/") || strings.ContainsAny(line, "\n") {
		return "", false
	}
	name, _, _ := strings.Cut(line[1:], " ")
	return line, !strings.ContainsAny(name, "/.") && name != ""
}

// runCommand runs a command of the chat; over means that the chat ends.
func (t *conversation) runCommand(ctx context.Context, command string) (over bool, err error) {
	name, rest, _ := strings.Cut(command, " ")
	switch name {
	case "/help":
		t.screen.help(t.chatHelp())
	case "/quit", "/exit":
		return true, t.printLeave()
	case "/end":
		return true, t.hub.Leave(ctx, t.agent.ID)
	case "/stop":
		count, err := t.hub.Interrupt(ctx, t.agent.ID)
		if err != nil {
			t.noteError(err)
			return false, nil
		}
		t.screen.note(term.Quiet, show.StoppedText(t.Page(), count))
	case "/new":
		a, err := t.open(ctx, strings.TrimSpace(rest))
		if err != nil {
			t.noteError(err)
			return false, nil
		}
		t.agent = a
		t.screen.note(term.Strong, t.Say(words.ChatNew, nod.OneLine(a.Name)))
	default:
		t.screen.note(term.Asks, t.Say(words.ChatUnknown, nod.OneLine(name)))
	}
	return false, nil
}

func (t *conversation) chatHelp() string {
	return term.TwoColumns([][2]string{
		{"/help", t.Say(words.ChatToHelp)},
		{"/new", t.Say(words.ChatToNew)},
		{"/stop", t.Say(words.ChatToStop)},
		{"/end", t.Say(words.ChatToEnd)},
		{"/quit", t.Say(words.ChatToQuit)},
	}) + "\n" + t.Say(words.ChatToLines)
}

// printLeave says how to continue later.
func (t *conversation) printLeave() error {
	if t.interactive && t.agent.Alive() {
		t.screen.note(term.Quiet, t.Say(words.TalkLeft, t.shortID()))
	}
	return nil
}

// help prints a help page.
func (s *screen) help(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLineLocked()
	fmt.Fprintln(s.err, s.page.Wrap(text))
}
