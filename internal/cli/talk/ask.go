package talk

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/term"
	"nod/internal/present/words"
)

// questionLimit is a little more than the hub takes, so that the hub refuses it.
const questionLimit = 2 << 20

func AskCommand(c *console.Console) *cobra.Command {
	cmd := c.Command("ask TEXT [--assistant NAME] [--session ID] [--continue] [--json]", words.TopicAsk)
	who := targetFlags(c, cmd)
	asJSON := c.JSONFlag(cmd)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkTarget(c, cmd, who); err != nil {
			return err
		}
		text, err := questionText(c, args)
		if err != nil {
			return err
		}
		if strings.TrimSpace(text) == "" {
			return c.Misuse(cmd, c.Say(words.TalkNoText))
		}
		return askOnce(cmd.Context(), c, who, text, *asJSON)
	}
	return cmd
}

// questionText is the arguments. A dash at the end, or no arguments at all, reads
// stdin.
func questionText(c *console.Console, args []string) (string, error) {
	piped := len(args) > 0 && args[len(args)-1] == "-"
	if piped {
		args = args[:len(args)-1]
	} else if _, typing := c.AtKeyboard(); len(args) > 0 || typing {
		return strings.Join(args, " "), nil
	}
	text, err := io.ReadAll(io.LimitReader(c.Stdin, questionLimit))
	if err != nil {
		return "", err
	}
	asked := strings.TrimRight(string(text), "\r\n")
	if len(args) > 0 {
		asked = strings.Join(args, " ") + "\n\n" + asked
	}
	return asked, nil
}

// Asked is what `nod ask --json` prints; every field is always there.
type Asked struct {
	Session   nod.AgentID   `json:"session"`
	Assistant string        `json:"assistant"`
	Message   nod.MessageID `json:"message"`
	Text      string        `json:"text"`
	Trouble   nod.Trouble   `json:"trouble"`
	Problem   string        `json:"problem"`
}

func askOnce(ctx context.Context, c *console.Console, who *target, text string, asJSON bool) error {
	ctx, t, stop, err := openConversation(ctx, c, who)
	if err != nil {
		return err
	}
	defer stop()
	if asJSON {
		t.screen.wrapper = nil
	}
	o, err := t.ask(ctx, text)
	if errors.Is(err, errLeft) {
		t.screen.note(term.Quiet, c.Say(words.TalkLeft, t.shortID()))
		return console.Fail(console.ExitInterrupted, "")
	}
	if err != nil {
		return err
	}
	if asJSON {
		result := Asked{Session: t.agent.ID, Message: o.message, Text: o.text, Trouble: o.trouble, Problem: o.problem}
		if t.agent.Talk != nil {
			result.Assistant = t.agent.Talk.Assistant
		}
		if err := c.PrintJSON(result); err != nil {
			return err
		}
	}
	return t.printOutcome(o, asJSON)
}

// printOutcome prints the answer, or why there is none.
func (t *conversation) printOutcome(o outcome, told bool) error {
	if o.trouble == "" {
		if !told {
			t.screen.answer(o.text)
		}
		return nil
	}
	t.screen.endLine()
	if o.byUs {
		t.screen.note(term.Bad, t.troubleText(o))
		return console.Fail(console.ExitInterrupted, "")
	}
	return console.Fail(console.ExitFailed, t.troubleText(o))
}
