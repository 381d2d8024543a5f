package cli

import (
	"github.com/spf13/cobra"

	"nod"
	"nod/internal/present/words"
)

func (c *console) allow() *cobra.Command {
	cmd := c.deciding("allow ID [--for 20m [--times N] [--where REACH]] [--always[=RULE]] [--edit TEXT|JSON] [--mode MODE]", words.TopicAllow)
	always := cmd.Flags().String("always", "", c.Say(words.FlagAlways))
	cmd.Flags().Lookup("always").NoOptDefVal = string(nod.RememberFirst)
	edit := cmd.Flags().String("edit", "", c.Say(words.FlagEdit))
	mode := cmd.Flags().String("mode", "", c.Say(words.FlagMode))
	terms := c.termFlags(cmd)
	cmd.Args = c.arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		lease, err := terms(cmd)
		if err != nil {
			return err
		}
		return c.decide(cmd, args[0], func(r *nod.Request) (nod.Answer, error) {
			a := nod.Answer{Verdict: nod.VerdictAllow, Mode: *mode, Lease: lease}
			if cmd.Flags().Changed("edit") {
				a.Input = editOf(*edit)
			}
			var err error
			a.Remember, err = c.rule(r, *always, args[0])
			if err == nil {
				err = c.checkAllow(r, a, args[0])
			}
			return a, err
		})
	}
	return cmd
}

func (c *console) deny() *cobra.Command {
	cmd := c.deciding("deny ID [-m TEXT] [--stop]", words.TopicDeny)
	message := cmd.Flags().StringP("message", "m", "", c.Say(words.FlagMessage))
	stop := cmd.Flags().Bool("stop", false, c.Say(words.FlagStop))
	cmd.Args = c.arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.decide(cmd, args[0], func(*nod.Request) (nod.Answer, error) {
			return nod.Answer{Verdict: nod.VerdictDeny, Message: *message, Stop: *stop}, nil
		})
	}
	return cmd
}

func (c *console) answer() *cobra.Command {
	cmd := c.deciding("answer ID ANSWER… [--note TEXT]", words.TopicAnswer)
	notes := cmd.Flags().StringArray("note", nil, c.Say(words.FlagNote))
	cmd.Args = c.arguments(1, -1, "ID ANSWER…")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.decide(cmd, args[0], func(r *nod.Request) (nod.Answer, error) {
			return c.replies(r, args[0], args[1:], *notes)
		})
	}
	return cmd
}

// deciding is a command that settles a request.
func (c *console) deciding(use string, topic words.Topic) *cobra.Command {
	cmd := c.command(use, topic)
	cmd.Flags().Bool("no-wait", false, c.Say(words.FlagNoWait))
	cmd.Annotations = map[string]string{"decides": "yes"}
	return cmd
}

// decide finds the request, lets build say what to answer, and follows what
// becomes of it.
func (c *console) decide(cmd *cobra.Command, id string, build func(*nod.Request) (nod.Answer, error)) error {
	ctx := cmd.Context()
	cl, err := c.Client("terminal")
	if err != nil {
		return err
	}
	r, err := c.findRequest(ctx, cl, id)
	if err != nil {
		return err
	}
	if r.Settled() {
		text, exit := c.settled(r)
		return fail(exit, text)
	}
	a, err := build(r)
	if err != nil {
		return err
	}
	before := headOf(ctx, cl)
	d, err := cl.Decide(ctx, r.ID, a)
	if err != nil {
		return c.undecided(r, id, err)
	}
	if err := c.tellDecided(ctx, cl, r, d); err != nil {
		return err
	}
	if noWait, _ := cmd.Flags().GetBool("no-wait"); noWait {
		return nil
	}
	return c.await(ctx, cl, r, id, before)
}

// undecided adds what the hub's error cannot know: how the person called it.
func (c *console) undecided(r *nod.Request, id string, err error) error {
	switch nod.CodeOf(err) {
	case nod.NotFound:
		return fail(exitGone, c.Say(words.NoSuchRequest, id))
	case nod.Gone:
		r.Status = nod.Expired
		return fail(exitGone, c.page().settledText(r))
	}
	return err
}
