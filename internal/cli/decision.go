package cli

import (
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/answer"
	"nod/internal/cli/console"
	"nod/internal/cli/show"
	"nod/internal/present/words"
)

func allowCommand(c *console.Console) *cobra.Command {
	cmd := decidingCommand(c, "allow ID [--for 20m [--times N] [--where REACH]] [--always[=RULE]] [--edit TEXT|JSON] [--mode MODE]", words.TopicAllow)
	always := cmd.Flags().String("always", "", c.Say(words.FlagAlways))
	cmd.Flags().Lookup("always").NoOptDefVal = string(nod.RememberFirst)
	edit := cmd.Flags().String("edit", "", c.Say(words.FlagEdit))
	mode := cmd.Flags().String("mode", "", c.Say(words.FlagMode))
	terms := termFlags(c, cmd)
	cmd.Args = c.Arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		lease, err := terms(cmd)
		if err != nil {
			return err
		}
		return decide(c, cmd, args[0], func(r *nod.Request) (nod.Answer, error) {
			a := nod.Answer{Verdict: nod.VerdictAllow, Mode: *mode, Lease: lease}
			if cmd.Flags().Changed("edit") {
				a.Input = answer.Edit(*edit)
			}
			var err error
			a.Remember, err = chosenRule(c, r, *always, args[0])
			if err == nil {
				err = checkAllow(c, r, a, args[0])
			}
			return a, err
		})
	}
	return cmd
}

func denyCommand(c *console.Console) *cobra.Command {
	cmd := decidingCommand(c, "deny ID [-m TEXT] [--stop]", words.TopicDeny)
	message := cmd.Flags().StringP("message", "m", "", c.Say(words.FlagMessage))
	stop := cmd.Flags().Bool("stop", false, c.Say(words.FlagStop))
	cmd.Args = c.Arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return decide(c, cmd, args[0], func(*nod.Request) (nod.Answer, error) {
			return nod.Answer{Verdict: nod.VerdictDeny, Message: *message, Stop: *stop}, nil
		})
	}
	return cmd
}

func answerCommand(c *console.Console) *cobra.Command {
	cmd := decidingCommand(c, "answer ID ANSWER… [--note TEXT]", words.TopicAnswer)
	notes := cmd.Flags().StringArray("note", nil, c.Say(words.FlagNote))
	cmd.Args = c.Arguments(1, -1, "ID ANSWER…")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return decide(c, cmd, args[0], func(r *nod.Request) (nod.Answer, error) {
			return typedReplies(c, r, args[0], args[1:], *notes)
		})
	}
	return cmd
}

// decidingCommand is a command that settles a request.
func decidingCommand(c *console.Console, use string, topic words.Topic) *cobra.Command {
	cmd := c.Command(use, topic)
	cmd.Flags().Bool("no-wait", false, c.Say(words.FlagNoWait))
	cmd.Annotations = map[string]string{"decides": "yes"}
	return cmd
}

// decide finds the request, sends the answer that build makes, and follows what
// happens with it.
func decide(c *console.Console, cmd *cobra.Command, id string, build func(*nod.Request) (nod.Answer, error)) error {
	ctx := cmd.Context()
	cl, err := c.Hub()
	if err != nil {
		return err
	}
	r, err := c.FindRequest(ctx, cl, id)
	if err != nil {
		return err
	}
	if r.Settled() {
		text, exit := c.SettledOutcome(r)
		return console.Fail(exit, text)
	}
	a, err := build(r)
	if err != nil {
		return err
	}
	before := console.HeadOf(ctx, cl)
	d, err := cl.Decide(ctx, r.ID, a)
	if err != nil {
		return undecidedError(c, r, id, err)
	}
	if err := printDecided(ctx, c, cl, r, d); err != nil {
		return err
	}
	if noWait, _ := cmd.Flags().GetBool("no-wait"); noWait {
		return nil
	}
	return awaitApplied(ctx, c, cl, r, id, before)
}

// undecidedError adds what the hub does not know: the id as the person typed it.
func undecidedError(c *console.Console, r *nod.Request, id string, err error) error {
	switch nod.CodeOf(err) {
	case nod.NotFound:
		return console.Fail(console.ExitGone, c.Say(words.NoSuchRequest, id))
	case nod.Gone:
		r.Status = nod.Expired
		return console.Fail(console.ExitGone, show.SettledText(c.Page(), r))
	}
	return err
}
