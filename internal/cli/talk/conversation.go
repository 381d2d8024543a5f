// Package talk is `nod ask` and `nod chat`: conversations in a terminal or a pipe.
package talk

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nod"
	"nod/internal/cli/console"
	"nod/internal/cli/follow"
	"nod/internal/client"
	"nod/internal/present/words"
	"nod/internal/sys/pause"
)

// conversation is one conversation in a terminal, or in a pipe.
type conversation struct {
	*console.Console
	hub     *client.Client
	agent   *nod.Agent
	person  bool // somebody can be asked
	keys    lineSource
	screen  *screen
	signals <-chan os.Signal
}

// target says which conversation is meant.
type target struct {
	assistant, session string
	newest             bool
}

func targetFlags(c *console.Console, cmd *cobra.Command) *target {
	w := &target{}
	cmd.Flags().StringVar(&w.assistant, "assistant", "", c.Say(words.FlagAssistant))
	cmd.Flags().StringVar(&w.session, "session", "", c.Say(words.FlagSession))
	cmd.Flags().BoolVar(&w.newest, "continue", false, c.Say(words.FlagContinue))
	cmd.Annotations = map[string]string{"asks": "yes"}
	return w
}

// checkTarget refuses what cannot be meant together.
func checkTarget(c *console.Console, cmd *cobra.Command, w *target) error {
	if w.session != "" && (w.newest || w.assistant != "") {
		return c.Misuse(cmd, c.Say(words.TalkOneOf))
	}
	return nil
}

// openConversation finds or opens the conversation. Ctrl+C does not end ctx from here on:
// it is heard as a signal, because the first one only stops the answer.
func openConversation(ctx context.Context, c *console.Console, w *target) (context.Context, *conversation, func(), error) {
	ctx = context.WithoutCancel(ctx)
	cl, err := c.Client("terminal")
	if err != nil {
		return ctx, nil, nil, err
	}
	t := &conversation{Console: c, hub: cl}
	if t.agent, err = t.conversation(ctx, w); err != nil {
		return ctx, nil, nil, err
	}
	var columns int
	columns, t.person = c.AtKeyboard()
	t.keys, t.screen = newLineSource(c, t.person), newScreen(c, columns, t.person)
	signals, stop := signals(c)
	t.signals = signals
	return ctx, t, stop, nil
}

func signals(c *console.Console) (<-chan os.Signal, func()) {
	if c.Signals != nil {
		return c.Signals()
	}
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	return heard, func() { signal.Stop(heard) }
}

func (t *conversation) conversation(ctx context.Context, w *target) (*nod.Agent, error) {
	switch {
	case w.session != "":
		return t.known(ctx, w.session)
	case w.newest:
		return t.newest(ctx, w.assistant)
	}
	return t.open(ctx, w.assistant)
}

// known is a conversation by its id, its name, or first letters of either.
func (t *conversation) known(ctx context.Context, text string) (*nod.Agent, error) {
	a, err := t.FindAgent(ctx, t.hub, text)
	switch {
	case err != nil:
		return nil, err
	case a.Talk == nil:
		return nil, console.Fail(console.ExitFailed, t.Say(words.TalkTerminal, nod.OneLine(a.Name), nod.OneLine(text)))
	case !a.Alive():
		return nil, console.Fail(console.ExitGone, t.Say(words.TalkOver))
	}
	return a, nil
}

// newest is what a person at a keyboard was talking in last. What is held in a
// room, or is over after a while of silence, belongs to a speaker and not to them.
func (t *conversation) newest(ctx context.Context, assistant string) (*nod.Agent, error) {
	list, err := t.hub.Agents(ctx)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(a *nod.Agent) bool {
		return !a.Alive() || a.Talk == nil || a.Talk.Room != "" || a.Talk.Context > 0 || assistant != "" && a.Talk.Assistant != assistant
	})
	if len(list) == 0 {
		return nil, console.Fail(console.ExitGone, t.Say(words.TalkNone))
	}
	return slices.MaxFunc(list, func(a, b *nod.Agent) int {
		return cmp.Or(a.Seen.Compare(b.Seen), a.Since.Compare(b.Since), a.Started.Compare(b.Started))
	}), nil
}

// open begins a conversation. The id is ours, so that a broken connection does
// not open two.
func (t *conversation) open(ctx context.Context, assistant string) (*nod.Agent, error) {
	n := client.NewConversation{ID: nod.AgentID("c-" + strings.ToLower(rand.Text())), Assistant: assistant}
	var a *nod.Agent
	err := again(ctx, func() (err error) {
		a, err = t.hub.Open(ctx, n)
		return err
	})
	switch nod.CodeOf(err) {
	case nod.NotFound:
		return nil, t.noAssistant(ctx, assistant, err)
	case nod.Unavailable:
		if !errors.Is(err, client.ErrNoHub) {
			return nil, t.noAssistant(ctx, assistant, err)
		}
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// noAssistant says whom there is, or how there could be somebody.
func (t *conversation) noAssistant(ctx context.Context, wanted string, err error) error {
	list, askErr := t.hub.Assistants(ctx)
	switch {
	case askErr != nil:
		return err
	case len(list) == 0:
		return console.Fail(console.ExitFailed, t.Say(words.TalkNobody)+"\n\n  [[assistant]]\n  name = \"helper\"")
	}
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = nod.OneLine(a.Name)
	}
	return console.Fail(console.ExitGone, t.Say(words.TalkWho, wanted, strings.Join(names, ", ")))
}

// shortID is enough of the conversation's id to type.
func (t *conversation) shortID() string {
	id := string(t.agent.ID)
	return nod.OneLine(id[:min(8, len(id))])
}

// againFor is how often something that carries its own id is sent again.
const againFor = 6

// again repeats what may be repeated after a connection broke off. What never
// reached the hub is not repeated: nobody is there.
func again(ctx context.Context, do func() error) error {
	var err error
	for try, wait := 0, time.Duration(0); try < againFor; try++ {
		if err = do(); err == nil || !errors.Is(err, client.ErrNoHub) || try == 0 && console.NeverReached(err) {
			return err
		}
		pause.For(ctx, wait)
		wait = max(follow.FirstDelay, 2*wait)
	}
	return err
}
