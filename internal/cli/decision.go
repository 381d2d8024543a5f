package cli

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/client"
	"nod/internal/words"
)

func (c *console) allow() *cobra.Command {
	cmd := c.deciding("allow ID [--always[=RULE]] [--edit TEXT|JSON] [--mode MODE] [-m TEXT]", words.TopicAllow)
	always := cmd.Flags().String("always", "", c.say.Say(words.FlagAlways))
	cmd.Flags().Lookup("always").NoOptDefVal = string(nod.FirstRule)
	edit := cmd.Flags().String("edit", "", c.say.Say(words.FlagEdit))
	mode := cmd.Flags().String("mode", "", c.say.Say(words.FlagMode))
	message := cmd.Flags().StringP("message", "m", "", c.say.Say(words.FlagMessage))
	cmd.Args = c.arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.decide(cmd, args[0], func(r *nod.Request) (nod.Answer, error) {
			a := nod.Answer{Verdict: nod.Allow, Mode: *mode, Message: *message}
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
	message := cmd.Flags().StringP("message", "m", "", c.say.Say(words.FlagMessage))
	stop := cmd.Flags().Bool("stop", false, c.say.Say(words.FlagStop))
	cmd.Args = c.arguments(1, 1, "ID")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.decide(cmd, args[0], func(*nod.Request) (nod.Answer, error) {
			return nod.Answer{Verdict: nod.Deny, Message: *message, Stop: *stop}, nil
		})
	}
	return cmd
}

func (c *console) answer() *cobra.Command {
	cmd := c.deciding("answer ID ANSWER… [--note TEXT]", words.TopicAnswer)
	notes := cmd.Flags().StringArray("note", nil, c.say.Say(words.FlagNote))
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
	cmd.Flags().Bool("no-wait", false, c.say.Say(words.FlagNoWait))
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
	r, err := c.find(ctx, cl, id)
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
	if err := c.println(c.page().decided(r, d.Answer)); err != nil {
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
		return fail(exitGone, c.say.Say(words.NoSuchRequest, id))
	case nod.Gone:
		r.Status = nod.Expired
		return fail(exitGone, c.page().settledText(r))
	}
	return err
}

// decided says what was done, in the past tense and with its exact words.
func (p page) decided(r *nod.Request, a nod.Answer) string {
	title, name := p.oneLine(r.Title, max(20, p.columns/2)), nod.OneLine(r.Agent.Name)
	switch {
	case a.Verdict == nod.Deny && a.Stop:
		return p.say.Say(words.Stopped, title, name)
	case a.Verdict == nod.Deny:
		return p.say.Say(words.Denied, title, name)
	case a.Verdict == nod.Replies:
		return p.say.Say(words.Answered, replyText(r, a.Answers), name)
	case a.Remember != "":
		o, _ := r.Option(nod.Always, string(a.Remember))
		return p.say.Say(words.AllowedRule, title, name, nod.OneLine(o.Label))
	case len(a.Input) > 0:
		return p.say.Say(words.AllowedOther, nod.OneLine(editedText(r, a.Input)), name)
	}
	return p.say.Say(words.Allowed, title, name)
}

// editedText is what will run instead: the main text, or the whole input.
func editedText(r *nod.Request, input json.RawMessage) string {
	changed := *r
	changed.Input = input
	if text := mainText(&changed); text != "" {
		return text
	}
	return string(input)
}

func replyText(r *nod.Request, answers nod.Answers) string {
	var replies []string
	for _, q := range r.Questions {
		if reply, ok := answers[q.Key()]; ok {
			replies = append(replies, nod.OneLine(reply.Joined()))
		}
	}
	return strings.Join(replies, "; ")
}

// editOf tells a whole new input from a new main text.
func editOf(text string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		return json.RawMessage(text)
	}
	quoted, err := json.Marshal(text)
	if err != nil { // a string always encodes
		return nil
	}
	return quoted
}

// rule finds what --always means: the first, a number as it was shown, or an id.
func (c *console) rule(r *nod.Request, wanted, id string) (nod.Remember, error) {
	if wanted == "" {
		return "", nil
	}
	rules := optionsOf(r, nod.Always)
	if len(rules) == 0 {
		return "", fail(exitFailed, c.say.Say(words.NoRuleOffered, id))
	}
	if n, err := strconv.Atoi(wanted); err == nil && n >= 1 && n <= len(rules) {
		return nod.Remember(rules[n-1].ID), nil
	}
	if o, ok := r.Option(nod.Always, wanted); ok {
		return nod.Remember(o.ID), nil
	}
	return "", fail(exitFailed, c.say.Say(words.NoSuchRule, wanted)+"\n"+c.optionList(rules, true))
}

// checkAllow explains what the hub would only refuse.
func (c *console) checkAllow(r *nod.Request, a nod.Answer, id string) error {
	switch {
	case r.Kind == nod.Asking || r.Kind == nod.Elicitation:
		return c.askAgain(words.QuestionNotYesNo, r, id)
	case len(a.Input) > 0 && !r.CanEdit:
		return fail(exitFailed, c.say.Say(words.NotEditable))
	case a.Mode != "" && r.Kind == nod.Planning:
		if _, ok := r.Option(nod.Mode, a.Mode); !ok {
			return fail(exitFailed, c.say.Say(words.NoSuchMode, a.Mode)+"\n"+c.optionList(optionsOf(r, nod.Mode), false))
		}
	}
	return nil
}

func (c *console) optionList(options []nod.Option, numbered bool) string {
	p := c.page()
	return strings.Join(p.optionLines(options, func(i int, o nod.Option) string {
		if numbered {
			return strconv.Itoa(i + 1)
		}
		return nod.OneLine(o.ID)
	}), "\n")
}

// replies pairs what was typed with the questions.
func (c *console) replies(r *nod.Request, id string, typed, notes []string) (nod.Answer, error) {
	if r.Kind != nod.Asking && r.Kind != nod.Elicitation {
		return nod.Answer{}, fail(exitFailed, c.say.Say(words.NotAQuestion, id))
	}
	if len(typed) == 0 && len(r.Questions) > 0 {
		return nod.Answer{}, c.askAgain(words.AnswersNeeded, r, id)
	}
	answers, err := nod.InOrder(r.Questions, typed)
	if err != nil {
		return nod.Answer{}, c.askAgain(words.AnswersNeeded, r, id)
	}
	for i, note := range notes {
		if i >= len(r.Questions) {
			break
		}
		reply := answers[r.Questions[i].Key()]
		reply.Notes = note
		answers[r.Questions[i].Key()] = reply
	}
	return nod.Answer{Verdict: nod.Replies, Answers: answers}, nil
}

// askAgain shows the questions and what to type, because that is what is needed.
func (c *console) askAgain(m words.Message, r *nod.Request, id string) error {
	p := c.page()
	lines := append([]string{c.say.Say(m)}, p.questions(r)...)
	return fail(exitFailed, strings.Join(append(lines, p.next(r, id)...), "\n"))
}

// headOf is where the log ends now; 0 when that cannot be learnt.
func headOf(ctx context.Context, cl *client.Client) nod.Seq {
	h, err := cl.Health(ctx)
	if err != nil {
		return 0
	}
	return h.Head
}
